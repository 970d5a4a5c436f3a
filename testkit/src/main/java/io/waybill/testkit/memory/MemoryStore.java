package io.waybill.testkit.memory;

import io.waybill.Time;
import io.waybill.WaybillException;
import io.waybill.command.store.CommandStore;
import io.waybill.message.Envelope;
import io.waybill.outbox.Outbox;
import io.waybill.store.AttemptLog;
import io.waybill.store.GoneException;
import io.waybill.store.NoTransactionException;
import io.waybill.store.Transaction;
import io.waybill.store.Transactions;
import io.waybill.store.admin.CleanupStore;
import io.waybill.store.admin.OutboxAdmin;
import io.waybill.store.admin.ScheduledAdmin;
import io.waybill.store.admin.StoredMessage;
import io.waybill.store.failed.FailedStore;
import io.waybill.store.inbox.InboxStore;
import io.waybill.store.inbox.WaitingKeys;
import io.waybill.store.outbox.Claim;
import io.waybill.store.outbox.ClaimExclusions;
import io.waybill.store.outbox.ClaimedMessage;
import io.waybill.store.outbox.Key;
import io.waybill.store.outbox.Lane;
import io.waybill.store.outbox.Lease;
import io.waybill.store.outbox.LeaseStore;
import io.waybill.store.outbox.OutboxStore;
import io.waybill.store.outbox.PausedDestination;
import io.waybill.store.outbox.Settlements;
import io.waybill.store.outbox.TriedMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/**
 * A store in memory that passes the same contracts as the databases: transactions overlap, positions are given before commit,
 * nothing is seen before it is committed.
 *
 * <p><i>Threads:</i> safe; one lock for everything.
 */
public final class MemoryStore implements OutboxStore, Transactions {

    final Time time;
    private final ThreadLocal<MemoryTransaction> current = new ThreadLocal<>();
    final TreeMap<Long, MemoryRow> outbox = new TreeMap<>();
    final TreeMap<Long, MemoryRow> dispatched = new TreeMap<>();
    final List<StoredMessage> archived = new ArrayList<>();
    final Map<Key, UUID> blocked = new HashMap<>();
    private final MemoryClaims claims = new MemoryClaims(this);
    private final MemorySettlement settling = new MemorySettlement(this);
    private final Map<String, MemoryLeases> leases = new HashMap<>();
    private final MemoryInbox inbox = new MemoryInbox(this);
    private final MemoryCommands commands = new MemoryCommands(this);
    private final MemoryWaitingKeys waiting = new MemoryWaitingKeys(this);
    private final MemoryFailed failed = new MemoryFailed(this);
    final TreeMap<String, PausedDestination> paused = new TreeMap<>();
    final Map<Envelope, Instant> scheduled = new HashMap<>();
    private final Map<Key, Long> lastNumbers = new HashMap<>();
    private final Map<Object, Transaction> locks = new HashMap<>();
    private final Map<Long, Transaction> beingTaken = new HashMap<>();
    private long lastPosition;

    public MemoryStore(Time time) {
        this.time = time;
    }

    public Outbox outbox() {
        return Outbox.in(this, this);
    }

    /** Which relay owns which shard. */
    public LeaseStore leases() {
        return leases(LeaseStore.DEFAULT_POOL);
    }

    /** Which relay of this pool owns which shard. */
    public synchronized LeaseStore leases(String pool) {
        return leases.computeIfAbsent(pool, name -> new MemoryLeases(this, name));
    }

    private boolean isHeld(Lease lease) {
        MemoryLeases pool = leases.get(Lease.basePool(lease.pool()));
        return pool != null && pool.isHeld(lease);
    }

    /** What was handled. */
    public InboxStore inbox() {
        return inbox;
    }

    /** Commands and their answers. */
    public CommandStore commands() {
        return commands;
    }

    /** What could not be handled. */
    public FailedStore failed() {
        return failed;
    }

    /** What waits of each key. */
    public WaitingKeys waitingKeys() {
        return waiting;
    }

    /** Opens a transaction that overlaps others, for tests of order; {@link #inTransaction} is the usual way. */
    public MemoryTransaction begin() {
        return new MemoryTransaction(this);
    }

    // Transactions

    @Override
    public Transaction current() {
        MemoryTransaction transaction = current.get();
        if (transaction == null) {
            throw new NoTransactionException("Outbox.append needs an open transaction, but this thread has none."
                    + " Call it inside store.inTransaction(...).");
        }
        return transaction;
    }

    @Override
    public <T, X extends Exception> T inTransaction(Work<T, X> work) throws X {
        MemoryTransaction joined = current.get();
        if (joined != null) {
            return work.run(joined);
        }
        var transaction = begin();
        current.set(transaction);
        boolean done = false;
        try {
            T result = work.run(transaction);
            done = true;
            return result;
        } finally {
            current.remove();
            if (done) {
                transaction.commit();
            } else {
                transaction.rollback();
            }
        }
    }

    // Outbox

    @Override
    public synchronized void append(Transaction transaction, List<Envelope> messages) {
        messages.forEach(message -> ((MemoryTransaction) transaction).appended.add(newRow(message)));
    }

    MemoryRow newRow(Envelope message) {
        long position = ++lastPosition;
        int hash = message.isOrdered() ? message.partitionKey().hashCode() : Long.hashCode(position);
        return new MemoryRow(
                position, Math.floorMod(hash, SHARDS), message, time.clock().instant());
    }

    @Override
    public synchronized void appendTried(Transaction transaction, List<TriedMessage> messages) {
        append(transaction, messages.stream().map(TriedMessage::message).toList());
        List<MemoryRow> appended = ((MemoryTransaction) transaction).appended;
        int first = appended.size() - messages.size();
        for (int i = 0; i < messages.size(); i++) {
            TriedMessage tried = messages.get(i);
            appended.get(first + i).attemptLog =
                    tried.attempts().plus(AttemptLog.changed(time.clock().instant(), tried.note()));
        }
    }

    @Override
    public synchronized void schedule(Transaction transaction, Envelope message, Duration delay) {
        ((MemoryTransaction) transaction)
                .scheduled.put(message, time.clock().instant().plus(delay));
    }

    @Override
    public int appendScheduled(int limit) {
        List<Envelope> due = takeDue(limit);
        inTransaction(transaction -> {
            append(transaction, due);
            return due;
        });
        return due.size();
    }

    private synchronized List<Envelope> takeDue(int limit) {
        Instant now = time.clock().instant();
        List<Envelope> due = scheduled.entrySet().stream()
                .filter(entry -> !now.isBefore(entry.getValue()))
                .sorted(Map.Entry.comparingByValue())
                .limit(limit)
                .map(Map.Entry::getKey)
                .toList();
        due.forEach(scheduled::remove);
        return due;
    }

    @Override
    public synchronized long nextNumber(Transaction transaction, String destination, String partitionKey) {
        var key = new Key(destination, partitionKey);
        lock(transaction, key);
        var numbers = ((MemoryTransaction) transaction).numbers;
        long number = numbers.getOrDefault(key, lastNumbers.getOrDefault(key, 0L)) + 1;
        numbers.put(key, number);
        return number;
    }

    /** Waits until no other transaction has it locked, and keeps it locked until this one ends. */
    synchronized void lock(Transaction transaction, Object what) {
        waitWhile(() -> locks.getOrDefault(what, transaction) != transaction);
        locks.put(what, transaction);
    }

    /** Waits for another transaction to end. */
    void waitWhile(BooleanSupplier anotherIsBusy) {
        while (anotherIsBusy.getAsBoolean()) {
            try {
                wait();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new WaybillException("Interrupted while waiting for another transaction.", e);
            }
        }
    }

    @Override
    public synchronized Set<Lane> lanes() {
        return claims.lanes();
    }

    @Override
    public synchronized Claim claim(Map<Lane, Integer> limits, ClaimExclusions exclusions, long maxBytes) {
        return claims.next(limits, exclusions::includes, maxBytes);
    }

    @Override
    public synchronized Claim prefetch(Map<Lane, Integer> limits, List<ClaimedMessage> underWay, long maxBytes) {
        Set<Long> positions = underWay.stream().map(ClaimedMessage::position).collect(Collectors.toSet());
        return claims.next(limits, message -> positions.contains(message.position()), maxBytes);
    }

    @Override
    public synchronized List<ClaimedMessage> claimDue(
            Collection<Lease> leases, Set<String> except, int limit, long maxBytes) {
        return claims.due(leases, except, limit, maxBytes);
    }

    @Override
    public synchronized boolean noteAttempt(Lease lease, ClaimedMessage message, int attempts, String error) {
        MemoryRow row = outbox.get(message.position());
        if (row == null || !isHeld(lease) || beingTaken.containsKey(message.position())) {
            return false;
        }
        row.attempts = attempts;
        row.error = error;
        return true;
    }

    @Override
    public synchronized void take(
            Transaction transaction, Collection<Lease> held, List<ClaimedMessage> messages, boolean kept) {
        MemoryTransaction taking = (MemoryTransaction) transaction;
        for (ClaimedMessage message : messages) {
            waitWhile(() -> beingTaken.getOrDefault(message.position(), transaction) != transaction);
            MemoryRow row = outbox.get(message.position());
            boolean ours = held.stream().anyMatch(lease -> lease.shard() == message.shard() && isHeld(lease));
            if (!ours || row == null || !row.isAsClaimed(message)) {
                throw new GoneException(message.envelope().id());
            }
            beingTaken.put(message.position(), transaction);
            taking.taken.add(message.position());
            if (!kept) {
                taking.effects.add(() -> outbox.remove(message.position()));
            }
            if (message.state() == ClaimedMessage.State.DUE) {
                taking.freed.add(Key.of(message.envelope()));
            }
        }
    }

    @Override
    public synchronized int repairKeys(Collection<Lease> held) {
        List<Key> orphans = blocked.entrySet().stream()
                .filter(key -> outbox.values().stream()
                        .noneMatch(row -> row.envelope.id().equals(key.getValue())
                                && (row.status.equals("PENDING") || row.status.equals("FAILED"))))
                .map(Map.Entry::getKey)
                .toList();
        orphans.forEach(this::free);
        return orphans.size();
    }

    synchronized void commit(MemoryTransaction transaction) {
        transaction.appended.forEach(row -> outbox.put(row.position, row));
        scheduled.putAll(transaction.scheduled);
        lastNumbers.putAll(transaction.numbers);
        inbox.commit(transaction.handled);
        commands.commit(transaction);
        waiting.commit(transaction);
        transaction.effects.forEach(Runnable::run);
        transaction.rollbackActions.clear();
        transaction.taken.forEach(settling::dispatch);
        transaction.freed.forEach(this::free);
        end(transaction);
    }

    /** Lets everybody go on who waited for the transaction. */
    synchronized void end(MemoryTransaction transaction) {
        inbox.end(transaction.handled);
        waiting.end(transaction);
        for (int i = transaction.rollbackActions.size() - 1; i >= 0; i--) {
            transaction.rollbackActions.get(i).run();
        }
        transaction.rollbackActions.clear();
        locks.values().removeIf(owner -> owner == transaction);
        beingTaken.values().removeIf(owner -> owner == transaction);
        notifyAll();
    }

    @Override
    public synchronized int settle(Collection<Lease> held, Settlements settlements) {
        Set<Integer> ours = held.stream().filter(this::isHeld).map(Lease::shard).collect(Collectors.toSet());
        return settling.settle(ours, settlements);
    }

    /** What was held behind the key's first message may follow. */
    void free(Key key) {
        settling.free(key);
    }

    /** Whether a message without this header waits for the destination. */
    boolean holds(String destination, String header) {
        return outbox.values().stream()
                .anyMatch(row -> row.envelope.destination().equals(destination)
                        && !row.status.equals("DISPATCHED")
                        && !row.status.equals("DISCARDED")
                        && !row.envelope.headers().containsKey(header));
    }

    /** Writes into a row what cannot be read, as somebody may do by hand. */
    synchronized void damage(UUID id) {
        outbox.values().stream()
                .filter(row -> row.envelope.id().equals(id))
                .forEach(row -> row.problem = "Its headers are not a JSON object.");
    }

    /** How many messages have each status; what was dispatched is gone. */
    public synchronized Map<String, Long> statuses() {
        return outbox.values().stream().collect(Collectors.groupingBy(row -> row.status, Collectors.counting()));
    }

    /** What an operator sees and changes. */
    public OutboxAdmin admin() {
        return new MemoryAdmin(this);
    }

    /** What an operator sees and changes of messages for later. */
    public ScheduledAdmin scheduledMessages() {
        return new MemoryAdmin.Scheduled(this);
    }

    /** Removes what is over. */
    public CleanupStore cleanup() {
        return new MemoryCleanup(this, inbox);
    }

    /** What was cleaned up into {@link io.waybill.store.admin.Archive#TABLE}. */
    public synchronized List<StoredMessage> archived() {
        return List.copyOf(archived);
    }
}

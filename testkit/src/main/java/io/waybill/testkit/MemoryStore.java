package io.waybill.testkit;

import io.waybill.Time;
import io.waybill.WaybillException;
import io.waybill.message.Envelope;
import io.waybill.outbox.Outbox;
import io.waybill.store.Claim;
import io.waybill.store.ClaimedMessage;
import io.waybill.store.ClaimedMessage.State;
import io.waybill.store.CleanupStore;
import io.waybill.store.InboxStore;
import io.waybill.store.Lane;
import io.waybill.store.Lease;
import io.waybill.store.LeaseStore;
import io.waybill.store.NoTransactionException;
import io.waybill.store.OnExhausted;
import io.waybill.store.OutboxAdmin;
import io.waybill.store.OutboxStore;
import io.waybill.store.Settlements;
import io.waybill.store.StoredMessage;
import io.waybill.store.Transaction;
import io.waybill.store.Transactions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A store in memory that passes the same contracts as the databases: transactions overlap, positions are given before commit,
 * nothing is seen before it is committed.
 *
 * <p><i>Threads:</i> safe; one lock for everything.
 */
public final class MemoryStore implements OutboxStore, Transactions {

    final Time time;
    private final ThreadLocal<MemoryTransaction> current = new ThreadLocal<>();
    final TreeMap<Long, Row> outbox = new TreeMap<>();
    final TreeMap<Long, Row> dispatched = new TreeMap<>();
    final List<StoredMessage> archived = new ArrayList<>();
    final Map<Key, UUID> blocked = new HashMap<>();
    private final MemoryLeases leases = new MemoryLeases(this);
    private final MemoryInbox inbox = new MemoryInbox(this);
    private final Map<Envelope, Instant> scheduled = new HashMap<>();
    private final Map<Key, Long> lastNumbers = new HashMap<>();
    private final Map<Key, MemoryTransaction> numbering = new HashMap<>();
    private long lastPosition;

    public MemoryStore(Time time) {
        this.time = time;
    }

    public Outbox outbox() {
        return Outbox.in(this, this);
    }

    /** Which relay owns which shard. */
    public LeaseStore leases() {
        return leases;
    }

    /** What was handled. */
    public InboxStore inbox() {
        return inbox;
    }

    /** Opens a transaction that overlaps others, for tests of order; {@link #inTransaction} is the usual way. */
    public MemoryTransaction begin() {
        return new MemoryTransaction();
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
    public <T> T inTransaction(Work<T> work) {
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
        for (Envelope message : messages) {
            long position = ++lastPosition;
            int hash = message.isOrdered() ? message.partitionKey().hashCode() : Long.hashCode(position);
            ((MemoryTransaction) transaction)
                    .appended.add(new Row(
                            position,
                            Math.floorMod(hash, SHARDS),
                            message,
                            time.clock().instant()));
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
        waitWhile(() -> numbering.containsKey(key) && numbering.get(key) != transaction);
        numbering.put(key, (MemoryTransaction) transaction);
        var numbers = ((MemoryTransaction) transaction).numbers;
        long number = numbers.getOrDefault(key, lastNumbers.getOrDefault(key, 0L)) + 1;
        numbers.put(key, number);
        return number;
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
        return outbox.values().stream().filter(Row::isReady).map(Row::lane).collect(Collectors.toSet());
    }

    @Override
    public synchronized Claim claim(Map<Lane, Integer> limits, long mostBytes) {
        Map<Lane, Integer> left = new HashMap<>(limits);
        var claimed = new ArrayList<ClaimedMessage>();
        for (Row row : outbox.values()) {
            if (row.isReady() && left.getOrDefault(row.lane(), 0) > 0) {
                left.merge(row.lane(), -1, Integer::sum);
                claimed.add(row.claimed(blocked.containsKey(row.key()) ? State.BLOCKED : State.READY));
            }
        }
        return Claim.upTo(mostBytes, claimed, ClaimedMessage::bytes);
    }

    @Override
    public synchronized List<ClaimedMessage> claimDue(
            Collection<Lease> leases, Set<String> except, int limit, long mostBytes) {
        Set<Integer> shards = leases.stream().map(Lease::shard).collect(Collectors.toSet());
        Instant now = time.clock().instant();
        List<ClaimedMessage> due = outbox.values().stream()
                .filter(row -> row.status.equals("PENDING") && row.availableAt != null)
                .filter(row -> !except.contains(row.envelope.destination()))
                .filter(row -> shards.contains(row.shard) && !now.isBefore(row.due()))
                .sorted(Comparator.comparing(Row::due))
                .limit(limit)
                .map(row -> row.claimed(State.DUE))
                .toList();
        return Claim.upTo(mostBytes, due, ClaimedMessage::bytes).messages();
    }

    @Override
    public synchronized boolean noteAttempt(Lease lease, ClaimedMessage message, int attempts, String error) {
        Row row = outbox.get(message.position());
        if (row == null || !leases.isHeld(lease)) {
            return false;
        }
        row.attempts = attempts;
        row.error = error;
        return true;
    }

    @Override
    public synchronized int settle(Collection<Lease> held, Settlements settlements) {
        Set<Integer> ours =
                held.stream().filter(leases::isHeld).map(Lease::shard).collect(Collectors.toSet());
        int settled = 0;
        for (var message : settlements.dispatched()) {
            if (ours.contains(message.shard()) && dispatch(message.position())) {
                freeTheFollowersOf(message);
                settled++;
            }
        }
        for (var retry : settlements.retries()) {
            if (ours.contains(retry.message().shard())
                    && refuse(
                            retry.message(),
                            retry.error(),
                            time.clock().instant().plus(retry.delay()))) {
                block(retry.message());
                settled++;
            }
        }
        for (var failure : settlements.failures()) {
            if (ours.contains(failure.message().shard()) && fail(failure)) {
                settled++;
            }
        }
        for (var message : settlements.held()) {
            Row row = outbox.get(message.position());
            if (ours.contains(message.shard()) && row != null && blocked.containsKey(row.key())) {
                row.status = "HELD";
                settled++;
            }
        }
        return settled;
    }

    private boolean dispatch(long position) {
        Row row = outbox.remove(position);
        if (row == null) {
            return false;
        }
        row.end("DISPATCHED", time.clock().instant());
        dispatched.put(position, row);
        return true;
    }

    private boolean refuse(ClaimedMessage message, String error, @Nullable Instant until) {
        Row row = outbox.get(message.position());
        if (row == null || !row.status.equals("PENDING") || !row.key().equals(Key.of(message.envelope()))) {
            return false;
        }
        row.attempts = message.attempts() + 1;
        row.error = error;
        row.availableAt = until;
        return true;
    }

    private boolean fail(Settlements.Failure failure) {
        ClaimedMessage message = failure.message();
        boolean alone = !message.envelope().isOrdered() || failure.then() == OnExhausted.SKIP;
        boolean stays = !alone && failure.then() == OnExhausted.BLOCK;
        if (!refuse(message, failure.error(), stays ? Instant.MAX : null)) {
            return false;
        }
        if (!stays) {
            outbox.computeIfPresent(message.position(), (position, row) -> row.withStatus("FAILED"));
        }
        if (alone) {
            freeTheFollowersOf(message);
        } else {
            block(message);
        }
        return true;
    }

    private void block(ClaimedMessage message) {
        if (message.envelope().isOrdered()) {
            blocked.put(Key.of(message.envelope()), message.envelope().id());
        }
    }

    private void freeTheFollowersOf(ClaimedMessage message) {
        if (message.state() == State.DUE) {
            free(Key.of(message.envelope()));
        }
    }

    /** What was held behind the key's first message may follow. */
    void free(Key key) {
        if (blocked.remove(key) != null) {
            outbox.values().stream()
                    .filter(row -> row.status.equals("HELD") && row.key().equals(key))
                    .forEach(row -> row.status = "PENDING");
        }
    }

    /** Writes into a row what cannot be read, as somebody may do by hand. */
    synchronized void damage(UUID id) {
        outbox.values().stream().filter(row -> row.envelope.id().equals(id)).forEach(row -> row.readable = false);
    }

    /** How many messages have each status; what was dispatched is gone. */
    public synchronized Map<String, Long> statuses() {
        return outbox.values().stream().collect(Collectors.groupingBy(row -> row.status, Collectors.counting()));
    }

    /** What an operator sees and changes. */
    public OutboxAdmin admin() {
        return new MemoryAdmin(this);
    }

    /** Removes what is over. */
    public CleanupStore cleanup() {
        return new MemoryCleanup(this, inbox);
    }

    /** What was cleaned up into {@link io.waybill.store.Archive#TABLE}. */
    public synchronized List<StoredMessage> archived() {
        return List.copyOf(archived);
    }

    /** A transaction in memory: ends with {@link #commit} or {@link #rollback}. */
    public final class MemoryTransaction implements Transaction {

        private final List<Row> appended = new ArrayList<>();
        final Set<String> handled = new HashSet<>();
        private final Map<Envelope, Instant> scheduled = new HashMap<>();
        private final Map<Key, Long> numbers = new HashMap<>();
        private final List<Runnable> afterCommit = new ArrayList<>();

        private MemoryTransaction() {}

        @Override
        public <T> T unwrap(Class<T> type) {
            throw new WaybillException("A store in memory has no " + type.getName()
                    + ". Test a handler that needs one on H2: it is in memory as well.");
        }

        @Override
        public boolean afterCommit(Runnable work) {
            return afterCommit.add(work);
        }

        public void commit() {
            synchronized (MemoryStore.this) {
                appended.forEach(row -> outbox.put(row.position, row));
                MemoryStore.this.scheduled.putAll(scheduled);
                lastNumbers.putAll(numbers);
                inbox.commit(handled);
                end();
            }
            afterCommit.forEach(Runnable::run);
        }

        public void rollback() {
            synchronized (MemoryStore.this) {
                end();
            }
        }

        private void end() {
            inbox.end(handled);
            numbering.values().removeIf(transaction -> transaction == this);
            MemoryStore.this.notifyAll();
        }
    }

    static final class Row {
        final long position;
        final int shard;
        final Instant createdAt;
        Envelope envelope;
        String status = "PENDING";
        boolean readable = true;
        int attempts;

        @Nullable
        String error;

        @Nullable
        Instant availableAt;

        @Nullable
        Instant dispatchedAt;

        Row(long position, int shard, Envelope envelope, Instant createdAt) {
            this.position = position;
            this.shard = shard;
            this.envelope = envelope;
            this.createdAt = createdAt;
        }

        void end(String with, Instant now) {
            status = with;
            availableAt = null;
            dispatchedAt = now;
        }

        Row withStatus(String status) {
            this.status = status;
            return this;
        }

        boolean isReady() {
            return status.equals("PENDING") && availableAt == null;
        }

        Instant due() {
            return availableAt == null ? createdAt : availableAt;
        }

        Lane lane() {
            return new Lane(shard, envelope.destination());
        }

        Key key() {
            return Key.of(envelope);
        }

        ClaimedMessage claimed(State state) {
            return new ClaimedMessage(position, shard, attempts, state, readable, "", envelope);
        }
    }

    record Key(String destination, String partitionKey) {
        static Key of(Envelope envelope) {
            return new Key(envelope.destination(), envelope.partitionKey());
        }
    }
}

package io.waybill.testkit.contract.relay;

import io.waybill.message.Envelope;
import io.waybill.store.Transaction;
import io.waybill.store.outbox.Claim;
import io.waybill.store.outbox.ClaimExclusions;
import io.waybill.store.outbox.ClaimedMessage;
import io.waybill.store.outbox.Lane;
import io.waybill.store.outbox.Lease;
import io.waybill.store.outbox.OutboxStore;
import io.waybill.store.outbox.Settlements;
import io.waybill.store.outbox.TriedMessage;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Counts what a relay asks of a store, how many rows it is given, and how many the database reads to find them. */
final class CountingStore implements OutboxStore {

    private final OutboxStore store;
    private final LongSupplier rowsReadSoFar;
    long calls;
    long rowsGiven;
    long rowsRead;
    long rowsReadForLanes;

    CountingStore(OutboxStore store, LongSupplier rowsReadSoFar) {
        this.store = store;
        this.rowsReadSoFar = rowsReadSoFar;
    }

    @Override
    public void append(Transaction transaction, List<Envelope> messages) {
        store.append(transaction, messages);
    }

    @Override
    public void appendTried(Transaction transaction, List<TriedMessage> messages) {
        store.appendTried(transaction, messages);
    }

    @Override
    public void schedule(Transaction transaction, Envelope message, Duration delay) {
        store.schedule(transaction, message, delay);
    }

    @Override
    public int appendScheduled(int limit) {
        calls++;
        return store.appendScheduled(limit);
    }

    @Override
    public long nextNumber(Transaction transaction, String destination, String partitionKey) {
        return store.nextNumber(transaction, destination, partitionKey);
    }

    @Override
    public Set<Lane> lanes() {
        calls++;
        long before = rowsReadSoFar.getAsLong();
        Set<Lane> lanes = store.lanes();
        rowsReadForLanes += rowsReadSoFar.getAsLong() - before;
        return lanes;
    }

    @Override
    public Claim claim(Map<Lane, Integer> limits, ClaimExclusions exclusions, long maxBytes) {
        Claim claim = counted(() -> store.claim(limits, exclusions, maxBytes));
        rowsGiven += claim.messages().size();
        return claim;
    }

    /** Nothing: what happens at the same time cannot be counted apart. */
    @Override
    public Claim prefetch(Map<Lane, Integer> limits, List<ClaimedMessage> underWay, long maxBytes) {
        return Claim.NOTHING;
    }

    @Override
    public List<ClaimedMessage> claimDue(Collection<Lease> leases, Set<String> except, int limit, long maxBytes) {
        List<ClaimedMessage> due = counted(() -> store.claimDue(leases, except, limit, maxBytes));
        rowsGiven += due.size();
        return due;
    }

    @Override
    public boolean noteAttempt(Lease lease, ClaimedMessage message, int attempts, String error) {
        calls++;
        return store.noteAttempt(lease, message, attempts, error);
    }

    @Override
    public void take(Transaction transaction, Collection<Lease> leases, List<ClaimedMessage> messages, boolean kept) {
        store.take(transaction, leases, messages, kept);
    }

    @Override
    public void finish(Transaction transaction, Runnable writes) {
        store.finish(transaction, writes);
    }

    @Override
    public int repairKeys(Collection<Lease> leases) {
        return store.repairKeys(leases);
    }

    @Override
    public int settle(Collection<Lease> leases, Settlements settlements) {
        calls++;
        return store.settle(leases, settlements);
    }

    private <T> T counted(Supplier<T> read) {
        calls++;
        long before = rowsReadSoFar.getAsLong();
        T result = read.get();
        rowsRead += rowsReadSoFar.getAsLong() - before;
        return result;
    }
}

package io.waybill.testkit.memory;

import io.waybill.command.store.CommandStore;
import io.waybill.store.Transaction;
import io.waybill.store.Transactions;
import io.waybill.store.admin.CleanupStore;
import io.waybill.store.admin.OutboxAdmin;
import io.waybill.store.admin.ScheduledAdmin;
import io.waybill.store.failed.FailedStore;
import io.waybill.store.inbox.InboxStore;
import io.waybill.store.inbox.WaitingKeys;
import io.waybill.store.outbox.LeaseStore;
import io.waybill.store.outbox.OutboxStore;
import io.waybill.testkit.ManualClock;
import io.waybill.testkit.contract.support.StoreFixture;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** A store in memory, and a clock that tests move. */
final class MemoryFixture implements StoreFixture {

    private final ManualClock clock = ManualClock.now();
    private final MemoryStore store = new MemoryStore(clock.time());

    @Override
    public OutboxStore outboxStore() {
        return store;
    }

    @Override
    public LeaseStore leaseStore(String pool) {
        return store.leases(pool);
    }

    @Override
    public InboxStore inboxStore() {
        return store.inbox();
    }

    @Override
    public CommandStore commandStore() {
        return store.commands();
    }

    @Override
    public FailedStore failedStore() {
        return store.failed();
    }

    @Override
    public WaitingKeys waitingKeys() {
        return store.waitingKeys();
    }

    @Override
    public ScheduledAdmin scheduledMessages() {
        return store.scheduledMessages();
    }

    @Override
    public OutboxAdmin admin() {
        return store.admin();
    }

    @Override
    public CleanupStore cleanup() {
        return store.cleanup();
    }

    @Override
    public List<UUID> archived() {
        return store.archived().stream().map(message -> message.envelope().id()).toList();
    }

    @Override
    public Transactions transactions() {
        return store;
    }

    @Override
    public ManualClock clock() {
        return clock;
    }

    @Override
    public Map<String, Long> statuses() {
        return store.statuses();
    }

    @Override
    public long rowsRead() {
        return 0;
    }

    @Override
    public void analyze() {}

    @Override
    public void cut(Transaction transaction) {}

    @Override
    public void damage(UUID id) {
        store.damage(id);
    }

    @Override
    public OpenTransaction begin() {
        var transaction = store.begin();
        return new OpenTransaction() {
            @Override
            public Transaction current() {
                return transaction;
            }

            @Override
            public void commit() {
                transaction.commit();
            }

            @Override
            public void close() {
                transaction.rollback();
            }
        };
    }

    @Override
    public void close() {}
}

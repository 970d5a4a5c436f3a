package io.waybill.testkit.contract.support;

import io.waybill.command.store.CommandStore;
import io.waybill.inbox.Inbox;
import io.waybill.outbox.Outbox;
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
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** A fresh, empty store for one test. */
public interface StoreFixture extends AutoCloseable {

    OutboxStore outboxStore();

    LeaseStore leaseStore(String pool);

    default LeaseStore leaseStore() {
        return leaseStore(LeaseStore.DEFAULT_POOL);
    }

    InboxStore inboxStore();

    CommandStore commandStore();

    FailedStore failedStore();

    WaitingKeys waitingKeys();

    OutboxAdmin admin();

    ScheduledAdmin scheduledMessages();

    CleanupStore cleanup();

    Transactions transactions();

    /** The time that due times are compared with. */
    ManualClock clock();

    /** A transaction that overlaps others. */
    OpenTransaction begin();

    /** How many rows of the outbox have each status. */
    Map<String, Long> statuses();

    /** How many rows and index entries the database has read so far; always zero where it does not say. */
    long rowsRead();

    /** Lets the database look at what its tables hold, as it does by itself from time to time. */
    void analyze();

    /** Writes into a row of the outbox what cannot be read, as somebody may do by hand. */
    void damage(UUID id);

    /** Ends the connection of the transaction as a crash would; nothing where there is none. */
    void cut(Transaction transaction);

    /** The messages in the archive of the store. */
    List<UUID> archived();

    default Outbox outbox() {
        return Outbox.in(outboxStore(), transactions());
    }

    default Inbox inbox() {
        return new Inbox(inboxStore(), transactions(), outbox());
    }

    @Override
    void close();

    /** A transaction that the test ends. */
    interface OpenTransaction extends Transactions, AutoCloseable {

        @Override
        Transaction current();

        void commit();

        /** Rolls back what was not committed. */
        @Override
        void close();

        @Override
        default <T, X extends Exception> T inTransaction(Work<T, X> work) throws X {
            return work.run(current());
        }
    }
}

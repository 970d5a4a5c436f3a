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
import io.waybill.testkit.contract.command.CommandContract;
import io.waybill.testkit.contract.command.CommandFailureContract;
import io.waybill.testkit.contract.command.CommandSubmissionContract;
import io.waybill.testkit.contract.command.ForeignCommandContract;
import io.waybill.testkit.contract.inbox.FailedMessagesContract;
import io.waybill.testkit.contract.inbox.ForeignMessagesContract;
import io.waybill.testkit.contract.inbox.InboxStoreContract;
import io.waybill.testkit.contract.inbox.ParkedKeysContract;
import io.waybill.testkit.contract.inbox.ReceivingContract;
import io.waybill.testkit.contract.inbox.StoreFirstContract;
import io.waybill.testkit.contract.outbox.AttemptsContract;
import io.waybill.testkit.contract.outbox.CleanupContract;
import io.waybill.testkit.contract.outbox.LeaseStoreContract;
import io.waybill.testkit.contract.outbox.OutboxAdminContract;
import io.waybill.testkit.contract.outbox.OutboxContract;
import io.waybill.testkit.contract.outbox.OutboxQueryContract;
import io.waybill.testkit.contract.outbox.OutboxStoreContract;
import io.waybill.testkit.contract.outbox.ScheduledMessagesContract;
import io.waybill.testkit.contract.relay.EventContract;
import io.waybill.testkit.contract.relay.MixedRelaysContract;
import io.waybill.testkit.contract.relay.RelayBoundsContract;
import io.waybill.testkit.contract.relay.RelayContract;
import io.waybill.testkit.contract.relay.RelayCrashContract;
import io.waybill.testkit.contract.relay.RelayHandOverContract;
import io.waybill.testkit.contract.relay.RelayHandlingContract;
import io.waybill.testkit.contract.relay.RelayIsolationContract;
import io.waybill.testkit.contract.relay.RelayOrderContract;
import io.waybill.testkit.contract.relay.RelayPauseContract;
import io.waybill.testkit.contract.relay.RelayPoisonContract;
import io.waybill.testkit.contract.relay.RelayPrefetchContract;
import io.waybill.testkit.contract.support.StoreFixture;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Nested;

/** The store in memory keeps the contracts of the databases, so that unit tests may trust it. */
class MemoryStoreTest {

    @Nested
    class Outbox extends OutboxStoreContract {
        @Override
        protected StoreFixture open() {
            return new MemoryFixture();
        }
    }

    @Nested
    class Appends extends OutboxContract {
        @Override
        protected StoreFixture open() {
            return new MemoryFixture();
        }
    }

    @Nested
    class Inbox extends InboxStoreContract {
        @Override
        protected StoreFixture open() {
            return new MemoryFixture();
        }
    }

    @Nested
    class Receivers extends ReceivingContract {
        @Override
        protected StoreFixture open() {
            return new MemoryFixture();
        }
    }

    @Nested
    class ForeignMessages extends ForeignMessagesContract {
        @Override
        protected StoreFixture open() {
            return new MemoryFixture();
        }
    }

    @Nested
    class StoredFirst extends StoreFirstContract {
        @Override
        protected StoreFixture open() {
            return new MemoryFixture();
        }
    }

    @Nested
    class ParkedKeys extends ParkedKeysContract {
        @Override
        protected StoreFixture open() {
            return new MemoryFixture();
        }
    }

    @Nested
    class Failed extends FailedMessagesContract {
        @Override
        protected StoreFixture open() {
            return new MemoryFixture();
        }
    }

    @Nested
    class Leases extends LeaseStoreContract {
        @Override
        protected StoreFixture open() {
            return new MemoryFixture();
        }
    }

    @Nested
    class Relays extends RelayContract {
        @Override
        protected StoreFixture open() {
            return new MemoryFixture();
        }
    }

    @Nested
    class RelayOrder extends RelayOrderContract {
        @Override
        protected StoreFixture open() {
            return new MemoryFixture();
        }
    }

    @Nested
    class RelayPrefetch extends RelayPrefetchContract {
        @Override
        protected StoreFixture open() {
            return new MemoryFixture();
        }
    }

    @Nested
    class CommandsHandledHere extends CommandContract {
        @Override
        protected StoreFixture open() {
            return new MemoryFixture();
        }
    }

    @Nested
    class CommandFailures extends CommandFailureContract {
        @Override
        protected StoreFixture open() {
            return new MemoryFixture();
        }
    }

    @Nested
    class SubmittedCommands extends CommandSubmissionContract {
        @Override
        protected StoreFixture open() {
            return new MemoryFixture();
        }
    }

    @Nested
    class ForeignCommands extends ForeignCommandContract {
        @Override
        protected StoreFixture open() {
            return new MemoryFixture();
        }
    }

    @Nested
    class Events extends EventContract {
        @Override
        protected StoreFixture open() {
            return new MemoryFixture();
        }
    }

    @Nested
    class RelayHandling extends RelayHandlingContract {
        @Override
        protected StoreFixture open() {
            return new MemoryFixture();
        }
    }

    @Nested
    class RelayCrashes extends RelayCrashContract {
        @Override
        protected StoreFixture open() {
            return new MemoryFixture();
        }
    }

    @Nested
    class HandOver extends RelayHandOverContract {
        @Override
        protected StoreFixture open() {
            return new MemoryFixture();
        }
    }

    @Nested
    class MixedRelays extends MixedRelaysContract {
        @Override
        protected StoreFixture open() {
            return new MemoryFixture();
        }
    }

    @Nested
    class RelayIsolation extends RelayIsolationContract {
        @Override
        protected StoreFixture open() {
            return new MemoryFixture();
        }
    }

    @Nested
    class RelayBounds extends RelayBoundsContract {
        @Override
        protected StoreFixture open() {
            return new MemoryFixture();
        }
    }

    @Nested
    class RelayPause extends RelayPauseContract {
        @Override
        protected StoreFixture open() {
            return new MemoryFixture();
        }
    }

    @Nested
    class RelayPoison extends RelayPoisonContract {
        @Override
        protected StoreFixture open() {
            return new MemoryFixture();
        }
    }

    @Nested
    class Operators extends OutboxAdminContract {
        @Override
        protected StoreFixture open() {
            return new MemoryFixture();
        }
    }

    @Nested
    class Attempts extends AttemptsContract {
        @Override
        protected StoreFixture open() {
            return new MemoryFixture();
        }
    }

    @Nested
    class ScheduledMessages extends ScheduledMessagesContract {
        @Override
        protected StoreFixture open() {
            return new MemoryFixture();
        }
    }

    @Nested
    class OperatorQueries extends OutboxQueryContract {
        @Override
        protected StoreFixture open() {
            return new MemoryFixture();
        }
    }

    @Nested
    class Cleanups extends CleanupContract {
        @Override
        protected StoreFixture open() {
            return new MemoryFixture();
        }
    }

    private static final class MemoryFixture implements StoreFixture {

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
            return store.archived().stream()
                    .map(message -> message.envelope().id())
                    .toList();
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
}

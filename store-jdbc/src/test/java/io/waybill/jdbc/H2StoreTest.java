package io.waybill.jdbc;

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
import io.waybill.testkit.services.H2;
import org.junit.jupiter.api.Nested;

class H2StoreTest {

    @Nested
    class Outbox extends OutboxStoreContract {
        @Override
        protected StoreFixture open() {
            return JdbcFixture.in(H2.newDatabase());
        }
    }

    @Nested
    class OutboxWithoutRetention extends OutboxStoreContract {
        @Override
        protected StoreFixture open() {
            return JdbcFixture.withoutRetention(H2.newDatabase());
        }
    }

    @Nested
    class Appends extends OutboxContract {
        @Override
        protected StoreFixture open() {
            return JdbcFixture.in(H2.newDatabase());
        }
    }

    @Nested
    class Inbox extends InboxStoreContract {
        @Override
        protected StoreFixture open() {
            return JdbcFixture.in(H2.newDatabase());
        }
    }

    @Nested
    class Deduplication extends InboxStoreContract {
        @Override
        protected StoreFixture open() {
            return JdbcFixture.withDeduplication(H2.newDatabase());
        }
    }

    @Nested
    class Receivers extends ReceivingContract {
        @Override
        protected StoreFixture open() {
            return JdbcFixture.in(H2.newDatabase());
        }
    }

    @Nested
    class ForeignMessages extends ForeignMessagesContract {
        @Override
        protected StoreFixture open() {
            return JdbcFixture.in(H2.newDatabase());
        }
    }

    @Nested
    class StoredFirst extends StoreFirstContract {
        @Override
        protected StoreFixture open() {
            return JdbcFixture.in(H2.newDatabase());
        }
    }

    @Nested
    class ParkedKeys extends ParkedKeysContract {
        @Override
        protected StoreFixture open() {
            return JdbcFixture.in(H2.newDatabase());
        }
    }

    @Nested
    class Failed extends FailedMessagesContract {
        @Override
        protected StoreFixture open() {
            return JdbcFixture.in(H2.newDatabase());
        }
    }

    @Nested
    class FailedAsMessengerHasThem extends FailedMessagesContract {
        @Override
        protected StoreFixture open() {
            return JdbcFixture.withMessengerFailures(H2.newDatabase());
        }
    }

    @Nested
    class Leases extends LeaseStoreContract {
        @Override
        protected StoreFixture open() {
            return JdbcFixture.in(H2.newDatabase());
        }
    }

    @Nested
    class Relays extends RelayContract {
        @Override
        protected StoreFixture open() {
            return JdbcFixture.in(H2.newDatabase());
        }
    }

    @Nested
    class RelayOrder extends RelayOrderContract {
        @Override
        protected StoreFixture open() {
            return JdbcFixture.in(H2.newDatabase());
        }
    }

    @Nested
    class RelayPrefetch extends RelayPrefetchContract {
        @Override
        protected StoreFixture open() {
            return JdbcFixture.in(H2.newDatabase());
        }

        @Override
        protected boolean canReadAhead() {
            return false;
        }
    }

    @Nested
    class CommandsHandledHere extends CommandContract {
        @Override
        protected StoreFixture open() {
            return JdbcFixture.in(H2.newDatabase());
        }
    }

    @Nested
    class CommandFailures extends CommandFailureContract {
        @Override
        protected StoreFixture open() {
            return JdbcFixture.in(H2.newDatabase());
        }
    }

    @Nested
    class SubmittedCommands extends CommandSubmissionContract {
        @Override
        protected StoreFixture open() {
            return JdbcFixture.in(H2.newDatabase());
        }
    }

    @Nested
    class ForeignCommands extends ForeignCommandContract {
        @Override
        protected StoreFixture open() {
            return JdbcFixture.in(H2.newDatabase());
        }
    }

    @Nested
    class Events extends EventContract {
        @Override
        protected StoreFixture open() {
            return JdbcFixture.in(H2.newDatabase());
        }
    }

    @Nested
    class RelayHandling extends RelayHandlingContract {
        @Override
        protected StoreFixture open() {
            return JdbcFixture.in(H2.newDatabase());
        }
    }

    @Nested
    class RelayCrashes extends RelayCrashContract {
        @Override
        protected StoreFixture open() {
            return JdbcFixture.in(H2.newDatabase());
        }
    }

    @Nested
    class HandOver extends RelayHandOverContract {
        @Override
        protected StoreFixture open() {
            return JdbcFixture.in(H2.newDatabase());
        }
    }

    @Nested
    class MixedRelays extends MixedRelaysContract {
        @Override
        protected StoreFixture open() {
            return JdbcFixture.in(H2.newDatabase());
        }
    }

    @Nested
    class RelayIsolation extends RelayIsolationContract {
        @Override
        protected StoreFixture open() {
            return JdbcFixture.in(H2.newDatabase());
        }
    }

    @Nested
    class RelayBounds extends RelayBoundsContract {
        @Override
        protected StoreFixture open() {
            return JdbcFixture.in(H2.newDatabase());
        }
    }

    @Nested
    class RelayPause extends RelayPauseContract {
        @Override
        protected StoreFixture open() {
            return JdbcFixture.in(H2.newDatabase());
        }
    }

    @Nested
    class RelayPoison extends RelayPoisonContract {
        @Override
        protected StoreFixture open() {
            return JdbcFixture.in(H2.newDatabase());
        }
    }

    @Nested
    class Operators extends OutboxAdminContract {
        @Override
        protected StoreFixture open() {
            return JdbcFixture.in(H2.newDatabase());
        }
    }

    @Nested
    class Attempts extends AttemptsContract {
        @Override
        protected StoreFixture open() {
            return JdbcFixture.in(H2.newDatabase());
        }
    }

    @Nested
    class ScheduledMessages extends ScheduledMessagesContract {
        @Override
        protected StoreFixture open() {
            return JdbcFixture.in(H2.newDatabase());
        }
    }

    @Nested
    class OperatorQueries extends OutboxQueryContract {
        @Override
        protected StoreFixture open() {
            return JdbcFixture.in(H2.newDatabase());
        }
    }

    @Nested
    class Cleanups extends CleanupContract {
        @Override
        protected StoreFixture open() {
            return JdbcFixture.in(H2.newDatabase());
        }
    }
}

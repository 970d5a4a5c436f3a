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
import io.waybill.testkit.services.database.TestDatabase;
import java.sql.SQLException;
import org.junit.jupiter.api.Nested;
import org.postgresql.ds.PGSimpleDataSource;

class PostgresStoreTest {

    @Nested
    class Outbox extends OutboxStoreContract {
        @Override
        protected StoreFixture open() {
            return JdbcFixture.in(PostgresWithSchema.newDatabase());
        }
    }

    @Nested
    class OutboxWithoutRetention extends OutboxStoreContract {
        @Override
        protected StoreFixture open() {
            return JdbcFixture.withoutRetention(PostgresWithSchema.newDatabase());
        }
    }

    @Nested
    class Appends extends OutboxContract {
        @Override
        protected StoreFixture open() {
            return JdbcFixture.in(PostgresWithSchema.newDatabase());
        }
    }

    @Nested
    class Inbox extends InboxStoreContract {
        @Override
        protected StoreFixture open() {
            return JdbcFixture.in(PostgresWithSchema.newDatabase());
        }
    }

    @Nested
    class Deduplication extends InboxStoreContract {
        @Override
        protected StoreFixture open() {
            return JdbcFixture.withDeduplication(PostgresWithSchema.newDatabase());
        }
    }

    @Nested
    class Receivers extends ReceivingContract {
        @Override
        protected StoreFixture open() {
            return JdbcFixture.in(PostgresWithSchema.newDatabase());
        }
    }

    @Nested
    class ForeignMessages extends ForeignMessagesContract {
        @Override
        protected StoreFixture open() {
            return JdbcFixture.in(PostgresWithSchema.newDatabase());
        }
    }

    @Nested
    class StoredFirst extends StoreFirstContract {
        @Override
        protected StoreFixture open() {
            return JdbcFixture.in(PostgresWithSchema.newDatabase());
        }
    }

    @Nested
    class ParkedKeys extends ParkedKeysContract {
        @Override
        protected int many() {
            return 1_600;
        }

        @Override
        protected StoreFixture open() {
            return JdbcFixture.in(PostgresWithSchema.newDatabase());
        }
    }

    @Nested
    class Failed extends FailedMessagesContract {
        @Override
        protected StoreFixture open() {
            return JdbcFixture.in(PostgresWithSchema.newDatabase());
        }
    }

    @Nested
    class FailedAsMessengerHasThem extends FailedMessagesContract {
        @Override
        protected StoreFixture open() {
            return JdbcFixture.withMessengerFailures(PostgresWithSchema.newDatabase());
        }
    }

    @Nested
    class ForeignMessagesAsMessengerHasThem extends ForeignMessagesContract {
        @Override
        protected StoreFixture open() {
            return JdbcFixture.withMessengerFailures(PostgresWithSchema.newDatabase());
        }
    }

    @Nested
    class ParkedKeysAsMessengerHasThem extends ParkedKeysContract {
        @Override
        protected int many() {
            return 80;
        }

        @Override
        protected StoreFixture open() {
            return JdbcFixture.withMessengerFailures(PostgresWithSchema.newDatabase());
        }
    }

    @Nested
    class Leases extends LeaseStoreContract {
        @Override
        protected StoreFixture open() {
            return JdbcFixture.in(PostgresWithSchema.newDatabase());
        }
    }

    @Nested
    class Relays extends RelayContract {
        @Override
        protected StoreFixture open() {
            return JdbcFixture.in(PostgresWithSchema.newDatabase());
        }
    }

    @Nested
    class RelayOrder extends RelayOrderContract {
        @Override
        protected StoreFixture open() {
            return JdbcFixture.in(PostgresWithSchema.newDatabase());
        }
    }

    @Nested
    class RelayPrefetch extends RelayPrefetchContract {
        @Override
        protected boolean canReadAhead() {
            return !PlainWay.isOn();
        }

        @Override
        protected StoreFixture open() {
            return JdbcFixture.in(PostgresWithSchema.newDatabase());
        }
    }

    @Nested
    class CommandsHandledHere extends CommandContract {
        @Override
        protected StoreFixture open() {
            return JdbcFixture.in(PostgresWithSchema.newDatabase());
        }
    }

    @Nested
    class CommandFailures extends CommandFailureContract {
        @Override
        protected StoreFixture open() {
            return JdbcFixture.in(PostgresWithSchema.newDatabase());
        }
    }

    @Nested
    class SubmittedCommands extends CommandSubmissionContract {
        @Override
        protected StoreFixture open() {
            return JdbcFixture.in(PostgresWithSchema.newDatabase());
        }
    }

    @Nested
    class ForeignCommands extends ForeignCommandContract {
        @Override
        protected StoreFixture open() {
            return JdbcFixture.in(PostgresWithSchema.newDatabase());
        }
    }

    @Nested
    class Events extends EventContract {
        @Override
        protected StoreFixture open() {
            return JdbcFixture.in(PostgresWithSchema.newDatabase());
        }
    }

    @Nested
    class RelayHandling extends RelayHandlingContract {
        @Override
        protected StoreFixture open() {
            return JdbcFixture.in(PostgresWithSchema.newDatabase());
        }
    }

    @Nested
    class RelayCrashes extends RelayCrashContract {
        @Override
        protected StoreFixture open() {
            return JdbcFixture.in(PostgresWithSchema.newDatabase());
        }
    }

    @Nested
    class HandOver extends RelayHandOverContract {
        @Override
        protected StoreFixture open() {
            return JdbcFixture.in(PostgresWithSchema.newDatabase());
        }
    }

    @Nested
    class MixedRelays extends MixedRelaysContract {
        @Override
        protected StoreFixture open() {
            return JdbcFixture.in(PostgresWithSchema.newDatabase());
        }
    }

    @Nested
    class RelayIsolation extends RelayIsolationContract {
        @Override
        protected StoreFixture open() {
            return JdbcFixture.in(PostgresWithSchema.newDatabase());
        }
    }

    @Nested
    class RelayBounds extends RelayBoundsContract {
        @Override
        protected StoreFixture open() {
            return JdbcFixture.in(boundedTo("10M", PostgresWithSchema.newDatabase()));
        }
    }

    @Nested
    class RelayPause extends RelayPauseContract {
        @Override
        protected StoreFixture open() {
            return JdbcFixture.in(boundedTo("10M", PostgresWithSchema.newDatabase()));
        }
    }

    @Nested
    class RelayPoison extends RelayPoisonContract {
        @Override
        protected StoreFixture open() {
            return JdbcFixture.in(boundedTo("10M", PostgresWithSchema.newDatabase()));
        }
    }

    @Nested
    class Operators extends OutboxAdminContract {
        @Override
        protected StoreFixture open() {
            return JdbcFixture.in(PostgresWithSchema.newDatabase());
        }
    }

    @Nested
    class Attempts extends AttemptsContract {
        @Override
        protected StoreFixture open() {
            return JdbcFixture.in(PostgresWithSchema.newDatabase());
        }
    }

    @Nested
    class ScheduledMessages extends ScheduledMessagesContract {
        @Override
        protected StoreFixture open() {
            return JdbcFixture.in(PostgresWithSchema.newDatabase());
        }
    }

    @Nested
    class OperatorQueries extends OutboxQueryContract {
        @Override
        protected StoreFixture open() {
            return JdbcFixture.in(PostgresWithSchema.newDatabase());
        }
    }

    @Nested
    class Cleanups extends CleanupContract {
        @Override
        protected StoreFixture open() {
            return JdbcFixture.in(PostgresWithSchema.newDatabase());
        }
    }

    /** A result that takes more memory than this is an error of the driver. Bytes may travel as hex, twice as long. */
    private static TestDatabase boundedTo(String maxBytes, TestDatabase database) {
        try {
            database.dataSource().unwrap(PGSimpleDataSource.class).setMaxResultBuffer(maxBytes);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return database;
    }
}

package io.waybill.testkit.memory;

import io.waybill.testkit.contract.command.CommandContract;
import io.waybill.testkit.contract.command.CommandFailureContract;
import io.waybill.testkit.contract.command.CommandSubmissionContract;
import io.waybill.testkit.contract.command.ForeignCommandContract;
import io.waybill.testkit.contract.inbox.ForeignMessagesContract;
import io.waybill.testkit.contract.inbox.InboxStoreContract;
import io.waybill.testkit.contract.inbox.ParkedKeysContract;
import io.waybill.testkit.contract.inbox.ReceivingContract;
import io.waybill.testkit.contract.inbox.StoreFirstContract;
import io.waybill.testkit.contract.outbox.LeaseStoreContract;
import io.waybill.testkit.contract.outbox.OutboxContract;
import io.waybill.testkit.contract.outbox.OutboxStoreContract;
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
}

package io.waybill.testkit.memory;

import io.waybill.testkit.contract.inbox.FailedMessagesContract;
import io.waybill.testkit.contract.outbox.AttemptsContract;
import io.waybill.testkit.contract.outbox.CleanupContract;
import io.waybill.testkit.contract.outbox.OutboxAdminContract;
import io.waybill.testkit.contract.outbox.OutboxQueryContract;
import io.waybill.testkit.contract.outbox.ScheduledMessagesContract;
import io.waybill.testkit.contract.support.StoreFixture;
import org.junit.jupiter.api.Nested;

/** What operators do with a store in memory. */
class MemoryOperationsTest {

    @Nested
    class Failed extends FailedMessagesContract {
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
}

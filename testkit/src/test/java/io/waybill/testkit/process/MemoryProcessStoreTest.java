package io.waybill.testkit.process;

import io.waybill.testkit.ManualClock;
import io.waybill.testkit.contract.ProcessFixture;
import io.waybill.testkit.contract.ProcessRemovalContract;
import io.waybill.testkit.contract.ProcessStoreContract;
import io.waybill.testkit.contract.ProcessVersionContract;
import org.junit.jupiter.api.Nested;

class MemoryProcessStoreTest {

    @Nested
    class Keeping extends ProcessStoreContract {
        @Override
        protected ProcessFixture open() {
            return processes();
        }
    }

    @Nested
    class Versions extends ProcessVersionContract {
        @Override
        protected ProcessFixture open() {
            return processes();
        }
    }

    @Nested
    class Removal extends ProcessRemovalContract {
        @Override
        protected ProcessFixture open() {
            return processes();
        }
    }

    private static ProcessFixture processes() {
        var clock = ManualClock.now();
        var store = new MemoryProcessStore(clock.time());
        return new ProcessFixture(store, store, clock, () -> {});
    }
}

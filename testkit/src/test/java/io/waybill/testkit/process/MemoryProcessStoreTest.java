package io.waybill.testkit.process;

import io.waybill.testkit.ManualClock;
import io.waybill.testkit.contract.process.ProcessFixture;
import io.waybill.testkit.contract.process.ProcessStoreContracts;
import java.util.Optional;

class MemoryProcessStoreTest extends ProcessStoreContracts {

    @Override
    protected ProcessFixture open() {
        var clock = ManualClock.now();
        var store = new MemoryProcessStore(clock.time());
        return new ProcessFixture(store, store, clock, Optional.empty(), () -> {});
    }
}

package io.waybill.testkit.contract;

import io.waybill.process.ProcessStore;
import io.waybill.store.Transactions;
import io.waybill.testkit.ManualClock;

/** A fresh, empty store of processes for one test. */
public record ProcessFixture(ProcessStore store, Transactions transactions, ManualClock clock, Runnable closing)
        implements AutoCloseable {

    @Override
    public void close() {
        closing.run();
    }
}

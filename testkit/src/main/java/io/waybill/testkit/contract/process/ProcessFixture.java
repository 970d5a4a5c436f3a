package io.waybill.testkit.contract.process;

import io.waybill.process.CommandSender;
import io.waybill.process.store.ProcessStore;
import io.waybill.store.Transactions;
import io.waybill.testkit.ManualClock;
import java.util.Optional;

/**
 * A fresh, empty store of processes for one test.
 *
 * @param commands writes the commands and messages of processes to the tables beside it, where there are any
 */
public record ProcessFixture(
        ProcessStore store,
        Transactions transactions,
        ManualClock clock,
        Optional<CommandSender> commands,
        Runnable closing)
        implements AutoCloseable {

    @Override
    public void close() {
        closing.run();
    }
}

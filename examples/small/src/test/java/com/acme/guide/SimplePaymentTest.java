package com.acme.guide;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.testkit.process.Handlers;
import io.waybill.testkit.process.ProcessTestKit;
import io.waybill.testkit.process.simulation.ProcessSimulator;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** How processes are tested, as docs/processes.md has it. */
final class SimplePaymentTest {

    private final Handlers handlers = Handlers.none();
    private final Map<String, Object> data = Map.of("amount", 30, "requiresFx", false);

    @Test
    void a_payment_without_funds_gives_the_limit_back() {
        var run = ProcessTestKit.run(new SimplePayment(), handlers).start("payment-1", data);
        run.whenStep("CreateTransaction").fails("InsufficientFunds");
        run.toTheEnd();
        assertThat(run).isCompensated().ran("BookLimits", "CreateTransaction", "ReverseLimits");
    }

    @Test
    void survives_everything() {
        ProcessSimulator.of(new SimplePayment(), handlers).checkAllPaths();
    }
}

package io.waybill.server.demo.payments;

import io.waybill.process.definition.ProcessConfiguration;
import io.waybill.process.graph.ProcessGraph;
import io.waybill.server.demo.payments.PaymentCommands.BookFxCommand;
import io.waybill.server.demo.payments.PaymentCommands.BookLimitsCommand;
import io.waybill.server.demo.payments.PaymentCommands.CreatePaymentCommand;
import io.waybill.server.demo.payments.PaymentCommands.CreateTransactionCommand;
import io.waybill.server.demo.payments.PaymentCommands.ReverseLimitsCommand;
import io.waybill.server.demo.payments.PaymentCommands.ReverseTransactionCommand;
import io.waybill.server.demo.payments.PaymentCommands.UnwindFxCommand;
import java.time.Duration;

/** The steps of a payment, and what compensates them. */
final class PaymentProcess implements ProcessConfiguration {

    static final String TYPE = "Payment";

    @Override
    public String getProcessType() {
        return TYPE;
    }

    @Override
    public ProcessGraph defineProcess() {
        return process()
                .startWith(BookLimitsCommand.class)
                .withCompensation(ReverseLimitsCommand.class)
                .thenIf(data -> data.flag("requiresFx"))
                .whenTrue(BookFxCommand.class)
                .withCompensation(UnwindFxCommand.class)
                .then(CreateTransactionCommand.class)
                .withTimeout(Duration.ofSeconds(30))
                // So few that nobody has to wait long for one that is blocked.
                .withCompensation(ReverseTransactionCommand.class, undo -> undo.maxRetries(1))
                .then(CreatePaymentCommand.class)
                .end();
    }

    /** A rate that came too late may come in time; a payment that is refused stays refused. */
    @Override
    public boolean isRetryable(String step, String error) {
        return error.contains("timeout");
    }
}

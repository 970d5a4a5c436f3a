package com.acme.guide;

import static java.time.Duration.ofSeconds;

import com.acme.guide.PaymentTypes.BookFxCommand;
import com.acme.guide.PaymentTypes.BookLimitsCommand;
import com.acme.guide.PaymentTypes.CreatePaymentCommand;
import com.acme.guide.PaymentTypes.CreateTransactionCommand;
import com.acme.guide.PaymentTypes.ReverseLimitsCommand;
import com.acme.guide.PaymentTypes.ReverseTransactionCommand;
import com.acme.guide.PaymentTypes.UnwindFxCommand;
import io.waybill.process.definition.ProcessConfiguration;
import io.waybill.process.graph.ProcessGraph;

/** README.md and docs/processes.md. */
public class SimplePayment implements ProcessConfiguration {

    @Override
    public String getProcessType() {
        return "SimplePayment";
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
                .withTimeout(ofSeconds(30))
                .withCompensation(ReverseTransactionCommand.class, undo -> undo.maxRetries(8))
                .then(CreatePaymentCommand.class)
                .end();
    }

    @Override
    public boolean isRetryable(String step, String error) {
        return error.contains("timeout");
    }
}

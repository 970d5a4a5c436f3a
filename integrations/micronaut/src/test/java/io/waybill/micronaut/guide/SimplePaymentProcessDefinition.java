package io.waybill.micronaut.guide;

import io.waybill.micronaut.guide.PaymentCommands.BookFxCommand;
import io.waybill.micronaut.guide.PaymentCommands.BookLimitsCommand;
import io.waybill.micronaut.guide.PaymentCommands.CreatePaymentCommand;
import io.waybill.micronaut.guide.PaymentCommands.CreateTransactionCommand;
import io.waybill.micronaut.guide.PaymentCommands.ReverseLimitsCommand;
import io.waybill.micronaut.guide.PaymentCommands.ReverseTransactionCommand;
import io.waybill.micronaut.guide.PaymentCommands.UnwindFxCommand;
import io.waybill.process.definition.ProcessConfiguration;
import io.waybill.process.graph.ProcessGraph;
import jakarta.inject.Singleton;

/** Sections 2.3 and 5.5. */
@Singleton
public class SimplePaymentProcessDefinition implements ProcessConfiguration {

    @Override
    public String getProcessType() {
        return "SimplePayment";
    }

    @Override
    public ProcessGraph defineProcess() {
        return process()
                .startWith(BookLimitsCommand.class)
                .withCompensation(ReverseLimitsCommand.class)
                .thenIf(data -> (Boolean) data.get("requiresFx"))
                .whenTrue(BookFxCommand.class)
                .withCompensation(UnwindFxCommand.class)
                .then(CreateTransactionCommand.class)
                .withCompensation(ReverseTransactionCommand.class)
                .then(CreatePaymentCommand.class)
                .end();
    }

    @Override
    public boolean isRetryable(String step, String error) {
        if (error != null && error.contains("InsufficientFunds")) {
            return false; // Don't retry, go straight to compensation
        }
        // Transient errors - retry
        return error != null
                && (error.contains("timeout")
                        || error.contains("connection")
                        || error.contains("temporary")
                        || error.contains("deadlock"));
    }

    @Override
    public int getMaxRetries(String step) {
        // Allow 3 retry attempts
        return 3;
    }

    @Override
    public long getRetryDelay(String step, int attempt) {
        // Exponential backoff: 1s, 2s, 4s
        long baseDelay = 1000L;
        return baseDelay * (1L << attempt); // 2^attempt seconds
    }
}

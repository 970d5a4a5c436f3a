package com.acme.payments.orchestration;

import io.waybill.process.definition.ProcessConfiguration;
import java.util.List;
import java.util.Locale;

/**
 * Which failures of a payment's steps are tried again, how often and when: those that may go away by themselves. A violated rule of the
 * business, such as insufficient funds, is undone at once.
 */
interface PaymentRetries extends ProcessConfiguration {

    List<String> TRANSIENT = List.of("timeout", "connection", "temporary", "deadlock");

    @Override
    default boolean isRetryable(String step, String error) {
        String lower = error.toLowerCase(Locale.ROOT);
        return TRANSIENT.stream().anyMatch(lower::contains);
    }

    /** The market is away more often than our own database. */
    @Override
    default int getMaxRetries(String step) {
        return step.equals("BookFx") ? 5 : 3;
    }

    /** Half a second, one, two, four, at most eight. */
    @Override
    default long getRetryDelay(String step, int attempt) {
        return 500L << Math.min(attempt, 4);
    }
}

package com.acme.guide;

import io.waybill.command.DomainCommand;
import io.waybill.process.ProcessManager;
import java.math.BigDecimal;
import java.util.Map;
import java.util.UUID;

/** What a payment is made of. */
final class PaymentTypes {

    private PaymentTypes() {}

    @SuppressWarnings("unused")
    static void start(ProcessManager processManager, Payment payment) {
        var data = Map.<String, Object>of("amount", payment.amount(), "requiresFx", true);
        UUID id = processManager.startProcess("SimplePayment", payment.id(), data);
    }

    record Payment(String id, BigDecimal amount) {}

    record BookLimitsCommand(BigDecimal amount) implements DomainCommand {}

    record ReverseLimitsCommand(BigDecimal amount) implements DomainCommand {}

    record BookFxCommand(BigDecimal amount) implements DomainCommand {}

    record UnwindFxCommand(BigDecimal amount) implements DomainCommand {}

    record CreateTransactionCommand(BigDecimal amount) implements DomainCommand {}

    record ReverseTransactionCommand(BigDecimal amount) implements DomainCommand {}

    record CreatePaymentCommand(BigDecimal amount) implements DomainCommand {}
}

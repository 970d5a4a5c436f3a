package io.waybill.server.demo.payments;

import io.waybill.command.DomainCommand;
import java.math.BigDecimal;

/** What the steps of a payment and their compensations ask for. Each is built from the data of its process, by the names of its components. */
final class PaymentCommands {

    private PaymentCommands() {}

    record BookLimitsCommand(String paymentId, String account, BigDecimal amount) implements DomainCommand {}

    record ReverseLimitsCommand(String paymentId) implements DomainCommand {}

    record BookFxCommand(String paymentId, String currency, BigDecimal amount) implements DomainCommand {}

    record UnwindFxCommand(String paymentId) implements DomainCommand {}

    record CreateTransactionCommand(String paymentId, String account, BigDecimal amount) implements DomainCommand {}

    record ReverseTransactionCommand(String paymentId) implements DomainCommand {}

    record CreatePaymentCommand(String paymentId, String account, BigDecimal amount, String beneficiary)
            implements DomainCommand {}
}

package io.waybill.micronaut.guide;

import io.waybill.command.DomainCommand;
import java.util.UUID;

/** The commands of the payment of section 2.3; those of limits name their booking, as section 9.1 says. */
interface PaymentCommands {

    record BookLimitsCommand(UUID debitAccountId, double amount, String bookingId) implements DomainCommand {}

    record ReverseLimitsCommand(UUID limitId, String bookingId) implements DomainCommand {}

    record BookFxCommand(UUID debitAccountId, double amount) implements DomainCommand {}

    record UnwindFxCommand(String fxContractId) implements DomainCommand {}

    record CreateTransactionCommand(UUID debitAccountId, double amount, String limitId) implements DomainCommand {}

    record ReverseTransactionCommand(UUID debitAccountId, double amount) implements DomainCommand {}

    record CreatePaymentCommand(UUID debitAccountId, double amount) implements DomainCommand {
        public CreatePaymentCommand {
            if (debitAccountId == null) {
                throw new IllegalArgumentException("accountId is required");
            }
            if (amount <= 0) {
                throw new IllegalArgumentException("amount must be positive");
            }
        }
    }
}

package com.acme.payments.application.command;

import io.waybill.command.DomainCommand;
import java.math.BigDecimal;
import java.util.UUID;

/** Pays the beneficiary with what was debited. */
public record CreatePaymentCommand(
        UUID paymentId, UUID accountId, UUID transactionId, String beneficiary, BigDecimal amount, String currency)
        implements DomainCommand {
    public CreatePaymentCommand {
        Amounts.check(amount);
    }
}

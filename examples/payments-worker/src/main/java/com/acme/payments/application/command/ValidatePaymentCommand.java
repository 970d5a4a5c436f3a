package com.acme.payments.application.command;

import io.waybill.command.DomainCommand;
import java.math.BigDecimal;
import java.util.UUID;

/** Looks whether the account can make such a payment at all. */
public record ValidatePaymentCommand(UUID accountId, BigDecimal amount, String currency) implements DomainCommand {
    public ValidatePaymentCommand {
        Amounts.check(amount);
    }
}

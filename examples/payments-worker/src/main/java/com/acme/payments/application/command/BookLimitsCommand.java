package com.acme.payments.application.command;

import io.waybill.command.DomainCommand;
import java.math.BigDecimal;
import java.util.UUID;

/** Books a payment against the limits of its account. */
public record BookLimitsCommand(UUID paymentId, UUID accountId, BigDecimal amount, String currency)
        implements DomainCommand {
    public BookLimitsCommand {
        Amounts.check(amount);
    }
}

package com.acme.payments.application.command;

import io.waybill.command.DomainCommand;
import java.math.BigDecimal;
import java.util.UUID;

/** Debits the account. */
public record CreateTransactionCommand(UUID paymentId, UUID accountId, BigDecimal amount, String currency)
        implements DomainCommand {
    public CreateTransactionCommand {
        Amounts.check(amount);
    }
}

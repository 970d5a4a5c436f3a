package com.acme.payments.application.command;

import com.acme.payments.domain.model.Money;
import io.waybill.command.DomainCommand;
import java.util.UUID;

/** Debits the account. */
public record CreateTransactionCommand(UUID paymentId, UUID debitAccountId, Money debitAmount)
        implements DomainCommand {

    public CreateTransactionCommand {
        Amounts.check(debitAmount);
    }
}

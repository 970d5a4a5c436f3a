package com.acme.payments.application.command;

import com.acme.payments.domain.model.Money;
import io.waybill.command.DomainCommand;
import java.util.UUID;

/** Looks whether the account can make such a payment at all. */
public record ValidatePaymentCommand(UUID debitAccountId, Money debitAmount) implements DomainCommand {

    public ValidatePaymentCommand {
        Amounts.check(debitAmount);
    }
}

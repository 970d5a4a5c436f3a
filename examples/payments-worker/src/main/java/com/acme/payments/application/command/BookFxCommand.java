package com.acme.payments.application.command;

import com.acme.payments.domain.model.Money;
import io.waybill.command.DomainCommand;
import java.util.UUID;

/** Buys the currency that the beneficiary gets. */
public record BookFxCommand(UUID paymentId, Money debitAmount, String creditCurrency) implements DomainCommand {

    public BookFxCommand {
        Amounts.check(debitAmount);
    }
}

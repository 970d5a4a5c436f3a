package com.acme.payments.application.command;

import io.waybill.command.DomainCommand;
import java.math.BigDecimal;
import java.util.UUID;

/** Buys the currency that the beneficiary gets. */
public record BookFxCommand(UUID paymentId, BigDecimal amount, String currency, String targetCurrency)
        implements DomainCommand {
    public BookFxCommand {
        Amounts.check(amount);
    }
}

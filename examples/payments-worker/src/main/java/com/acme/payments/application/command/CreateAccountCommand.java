package com.acme.payments.application.command;

import io.waybill.command.DomainCommand;
import java.math.BigDecimal;
import java.util.UUID;

/** Opens an account, not yet active, with what is paid in at first. */
public record CreateAccountCommand(
        UUID accountId,
        UUID customerId,
        String accountNumber,
        String currency,
        boolean limitBased,
        BigDecimal openingBalance)
        implements DomainCommand {

    public CreateAccountCommand {
        if (openingBalance.signum() < 0) {
            throw new IllegalArgumentException(
                    "The opening balance is " + openingBalance + ", but cannot be negative.");
        }
    }
}

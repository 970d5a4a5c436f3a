package com.acme.payments.application.command.account;

import com.acme.payments.domain.model.AccountType;
import com.acme.payments.domain.model.Money;
import io.waybill.command.DomainCommand;
import java.util.UUID;

/** Opens an account, not yet active, with what is paid in at first. */
public record CreateAccountCommand(
        UUID accountId,
        UUID customerId,
        String accountNumber,
        AccountType accountType,
        String transitNumber,
        boolean limitBased,
        Money openingBalance)
        implements DomainCommand {

    public CreateAccountCommand {
        if (customerId == null) {
            throw new IllegalArgumentException("customerId is required");
        }
        if (openingBalance.isNegative()) {
            throw new IllegalArgumentException(
                    "The opening balance is " + openingBalance + ", but cannot be negative.");
        }
    }
}

package com.acme.payments.application.command.account;

import com.acme.payments.domain.model.AccountLimit.Period;
import com.acme.payments.domain.model.Money;
import com.acme.payments.domain.model.TransactionType;

/** A limit that an account is to have. */
public record AccountLimitDefinition(Period period, TransactionType transactionType, Money limit) {

    public AccountLimitDefinition {
        if (!limit.isPositive()) {
            throw new IllegalArgumentException("A limit is more than zero, not " + limit + ".");
        }
    }
}

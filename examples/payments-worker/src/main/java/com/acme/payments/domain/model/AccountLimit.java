package com.acme.payments.domain.model;

import java.util.UUID;

/** How much may leave an account, and how much of it is used. */
public record AccountLimit(UUID accountId, Money limit, Money utilized) {

    public boolean canAccommodate(Money amount) {
        return !limit.subtract(utilized).subtract(amount).isNegative();
    }

    public AccountLimit book(Money amount) {
        if (!canAccommodate(amount)) {
            throw new LimitExceededException(this, amount);
        }
        return new AccountLimit(accountId, limit, utilized.add(amount));
    }

    public AccountLimit reverse(Money amount) {
        return new AccountLimit(accountId, limit, utilized.subtract(amount));
    }
}

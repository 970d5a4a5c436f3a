package com.acme.payments.application.command;

import com.acme.payments.domain.model.Money;

/** A command checks itself: what is wrong with it is said before it is sent. */
public final class Amounts {

    private Amounts() {}

    public static void check(Money amount) {
        if (amount == null || !amount.isPositive()) {
            throw new IllegalArgumentException("The amount is " + amount + ", but must be more than zero.");
        }
    }
}

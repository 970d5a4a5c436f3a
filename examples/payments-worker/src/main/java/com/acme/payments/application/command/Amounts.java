package com.acme.payments.application.command;

import java.math.BigDecimal;

/** A command checks itself: what is wrong with it is said before it is sent. */
final class Amounts {

    private Amounts() {}

    static void check(BigDecimal amount) {
        if (amount.signum() <= 0 || amount.stripTrailingZeros().scale() > 2) {
            throw new IllegalArgumentException(
                    "The amount is " + amount + ", but must be more than zero and in whole cents.");
        }
    }
}

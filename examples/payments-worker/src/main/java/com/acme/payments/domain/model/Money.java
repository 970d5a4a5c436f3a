package com.acme.payments.domain.model;

import java.math.BigDecimal;
import java.math.RoundingMode;

/** An amount of one currency, in whole cents. */
public record Money(BigDecimal amount, String currencyCode) {

    /** More digits before the point than any account has. */
    private static final int MAX_DIGITS = 17;

    public Money {
        if (!currencyCode.matches("[A-Z]{3}")) {
            throw new IllegalArgumentException("'" + currencyCode + "' is not a currency. Give three letters: EUR.");
        }
        // Before anything is computed: 1E+999999999 is short to write and a gigabyte to hold.
        if ((long) amount.precision() - amount.scale() > MAX_DIGITS) {
            throw new IllegalArgumentException("The amount has more than " + MAX_DIGITS + " digits before the point.");
        }
        if (amount.stripTrailingZeros().scale() > 2) {
            throw new IllegalArgumentException(amount + " " + currencyCode + " is not in whole cents.");
        }
        amount = amount.setScale(2, RoundingMode.UNNECESSARY);
    }

    public static Money of(String amount, String currencyCode) {
        return new Money(new BigDecimal(amount), currencyCode);
    }

    public static Money of(double amount, String currencyCode) {
        return new Money(BigDecimal.valueOf(amount), currencyCode);
    }

    public static Money zero(String currencyCode) {
        return new Money(BigDecimal.ZERO, currencyCode);
    }

    public Money add(Money other) {
        return new Money(amount.add(same(other).amount), currencyCode);
    }

    public Money subtract(Money other) {
        return new Money(amount.subtract(same(other).amount), currencyCode);
    }

    /** What this is worth in another currency, rounded to the cent. */
    public Money exchange(BigDecimal rate, String target) {
        return new Money(amount.multiply(rate).setScale(2, RoundingMode.HALF_EVEN), target);
    }

    public boolean isNegative() {
        return amount.signum() < 0;
    }

    public boolean isPositive() {
        return amount.signum() > 0;
    }

    private Money same(Money other) {
        if (!currencyCode.equals(other.currencyCode)) {
            throw new IllegalArgumentException(
                    "Currency mismatch: " + this + " and " + other + " cannot be added or subtracted.");
        }
        return other;
    }

    @Override
    public String toString() {
        return amount.toPlainString() + " " + currencyCode;
    }
}

package com.acme.payments.domain.model;

import java.time.LocalDate;
import java.util.UUID;

/**
 * How much may move within a period by transactions of a type, and how much of it is used.
 *
 * @param utilized what is used in the period that began at {@code periodStart}
 */
public record AccountLimit(
        UUID limitId,
        UUID accountId,
        Period period,
        TransactionType transactionType,
        Money limit,
        Money utilized,
        LocalDate periodStart) {

    /** How long a limit counts before it begins anew. */
    public enum Period {
        DAILY,
        MONTHLY;

        public LocalDate startOf(LocalDate day) {
            return this == DAILY ? day : day.withDayOfMonth(1);
        }
    }

    /** A limit of which nothing is used. */
    public static AccountLimit unused(
            UUID accountId, Period period, TransactionType transactionType, Money limit, LocalDate day) {
        return new AccountLimit(
                UUID.randomUUID(),
                accountId,
                period,
                transactionType,
                limit,
                Money.zero(limit.currencyCode()),
                period.startOf(day));
    }

    /** The limit as it is on this day: in a later period nothing is used yet. */
    public AccountLimit on(LocalDate day) {
        LocalDate start = period.startOf(day);
        return start.isAfter(periodStart) ? with(Money.zero(limit.currencyCode()), start) : this;
    }

    public boolean appliesTo(TransactionType type) {
        return type == transactionType;
    }

    /** Whether there is room for it; a limit of other transactions has room for everything. */
    public boolean canAccommodate(Money amount, TransactionType type) {
        return !appliesTo(type) || !limit.subtract(utilized).subtract(amount).isNegative();
    }

    public AccountLimit book(Money amount) {
        if (!canAccommodate(amount, transactionType)) {
            throw new LimitExceededException(this, amount);
        }
        return with(utilized.add(amount), periodStart);
    }

    /** Gives back what was booked; what was booked in an earlier period is not part of this one. */
    public AccountLimit release(LimitBooking booking) {
        return booking.periodStart().equals(periodStart)
                ? with(utilized.subtract(booking.amount()), periodStart)
                : this;
    }

    private AccountLimit with(Money used, LocalDate start) {
        return new AccountLimit(limitId, accountId, period, transactionType, limit, used, start);
    }
}

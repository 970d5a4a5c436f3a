package com.acme.payments.domain.model;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.UUID;

/**
 * Money that goes to a beneficiary: the other side of a debit.
 *
 * @param debitAmount what left the account
 * @param creditAmount what the beneficiary gets, in another currency perhaps
 * @param exchangeRate from one to the other; 1 without an exchange
 */
public record Payment(
        UUID paymentId,
        UUID debitAccountId,
        UUID transactionId,
        Money debitAmount,
        Money creditAmount,
        BigDecimal exchangeRate,
        LocalDate valueDate,
        Beneficiary beneficiary,
        Status status) {

    /** How far a payment is. */
    public enum Status {
        SUBMITTED,
        COMPLETED,
        CANCELLED
    }

    public Payment complete() {
        return with(Status.COMPLETED);
    }

    public Payment cancel() {
        return with(Status.CANCELLED);
    }

    private Payment with(Status next) {
        return new Payment(
                paymentId,
                debitAccountId,
                transactionId,
                debitAmount,
                creditAmount,
                exchangeRate,
                valueDate,
                beneficiary,
                next);
    }
}

package com.acme.payments.domain.model;

/** In which direction money moved. */
public enum TransactionType {
    /** Paid in. */
    CREDIT,
    /** Left the account for a payment. */
    DEBIT,
    /** Came back, because its payment was not made. */
    REVERSAL;

    public boolean isDebit() {
        return this == DEBIT;
    }
}

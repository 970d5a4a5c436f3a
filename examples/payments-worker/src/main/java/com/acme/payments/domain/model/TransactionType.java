package com.acme.payments.domain.model;

/** In which direction money moved, and why. */
public enum TransactionType {
    /** Paid in, or received from another account. */
    CREDIT,
    /** Left the account for a payment. */
    DEBIT,
    /** Came back, because its payment was not made. */
    REVERSAL,
    /** A credit was taken back, because its payment was not made. */
    RECALL,
    /** Takes off what is there when an account is closed. */
    VOID;

    public boolean isDebit() {
        return this == DEBIT || this == RECALL || this == VOID;
    }
}

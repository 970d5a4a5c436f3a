package io.waybill.micronaut.guide;

/** Section 6.1. */
public enum TransactionType {
    DEBIT,
    CREDIT;

    public boolean isDebit() {
        return this == DEBIT;
    }
}

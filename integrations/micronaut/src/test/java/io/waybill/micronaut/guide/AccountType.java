package io.waybill.micronaut.guide;

/** What an account is for. */
public enum AccountType {
    CHECKING,
    SAVINGS
}

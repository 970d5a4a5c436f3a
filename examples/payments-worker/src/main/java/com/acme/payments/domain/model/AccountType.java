package com.acme.payments.domain.model;

/** What an account is for. */
public enum AccountType {
    CHECKING,
    SAVINGS
}

package com.acme.payments.domain.model;

import java.util.UUID;

/**
 * An entry of an account. Entries are never changed: a mistake gets a second one.
 *
 * @param bookingId what it was booked for, a payment for example; a booking has at most one entry of a type
 */
public record Transaction(
        UUID transactionId,
        UUID bookingId,
        TransactionType transactionType,
        Money amount,
        Money balanceAfter,
        String description) {}

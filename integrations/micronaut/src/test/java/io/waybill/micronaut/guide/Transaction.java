package io.waybill.micronaut.guide;

import java.time.Instant;
import java.util.UUID;

/** A child entity of an account. */
public record Transaction(
        UUID transactionId,
        UUID accountId,
        Instant transactionTime,
        TransactionType transactionType,
        Money amount,
        String description,
        Money balanceAfter) {}

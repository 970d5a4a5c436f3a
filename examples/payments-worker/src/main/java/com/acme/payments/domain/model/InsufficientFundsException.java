package com.acme.payments.domain.model;

import io.waybill.command.Permanent;
import java.util.UUID;

/** A debit would leave less than nothing. */
public final class InsufficientFundsException extends RuntimeException implements Permanent {

    public InsufficientFundsException(UUID accountId, Money available, Money wanted) {
        super("Account " + accountId + " has " + available + ", and " + wanted + " are wanted.");
    }
}

package io.waybill.micronaut.guide;

import java.util.UUID;

/** Section 5.5.3: a violated rule of the business, which no retry mends. */
public class InsufficientFundsException extends RuntimeException {

    public InsufficientFundsException(UUID accountId, Money available, Money wanted) {
        super("account " + accountId + " has " + available + ", " + wanted + " are wanted");
    }
}

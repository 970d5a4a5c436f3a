package com.acme.payments.domain.model;

import io.waybill.command.Permanent;
import java.util.UUID;

/** There is no such account. */
public final class AccountNotFoundException extends RuntimeException implements Permanent {

    public AccountNotFoundException(UUID accountId) {
        super("There is no account " + accountId + ".");
    }
}

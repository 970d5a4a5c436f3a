package com.acme.payments.domain.model;

import io.waybill.command.Permanent;
import java.util.UUID;

/** The account is not open yet. */
public final class AccountNotActiveException extends RuntimeException implements Permanent {

    public AccountNotActiveException(UUID accountId) {
        super("Account " + accountId + " is not active.");
    }
}

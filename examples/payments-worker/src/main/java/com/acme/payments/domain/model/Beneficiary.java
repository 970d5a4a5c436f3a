package com.acme.payments.domain.model;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Who is paid.
 *
 * @param accountId the account that is credited, if it is one of this bank
 */
public record Beneficiary(String name, @Nullable UUID accountId) {

    public Beneficiary {
        if (name == null || name.isBlank() || name.length() > 100) {
            throw new IllegalArgumentException("A beneficiary has a name of 1 to 100 characters.");
        }
    }
}

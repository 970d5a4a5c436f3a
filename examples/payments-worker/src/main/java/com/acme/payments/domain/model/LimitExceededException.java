package com.acme.payments.domain.model;

import io.waybill.command.Permanent;

/** More than the limit would leave the account. */
public final class LimitExceededException extends RuntimeException implements Permanent {

    public LimitExceededException(AccountLimit limit, Money wanted) {
        super("Of the " + limit.period() + " limit of " + limit.limit() + " " + limit.utilized()
                + " are used: there is no room for " + wanted + ".");
    }
}

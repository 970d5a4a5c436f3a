package com.acme.payments.domain.model;

import io.waybill.command.Permanent;

/** Nobody exchanges these currencies. */
public final class FxRateUnavailableException extends RuntimeException implements Permanent {

    public FxRateUnavailableException(String from, String to) {
        super("There is no rate from " + from + " to " + to + ".");
    }
}

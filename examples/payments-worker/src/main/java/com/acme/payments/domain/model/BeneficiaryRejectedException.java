package com.acme.payments.domain.model;

import io.waybill.command.Permanent;

/** This beneficiary is not paid. */
public final class BeneficiaryRejectedException extends RuntimeException implements Permanent {

    public BeneficiaryRejectedException(String beneficiary) {
        super("The beneficiary " + beneficiary + " is rejected.");
    }
}

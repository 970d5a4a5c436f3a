package com.acme.payments.application.command;

import com.acme.payments.domain.model.Beneficiary;
import io.waybill.command.DomainCommand;

/** Looks whether somebody may be paid. */
public record CheckBeneficiaryCommand(Beneficiary beneficiary) implements DomainCommand {}

package com.acme.payments.application.command;

import io.waybill.command.DomainCommand;

/** Looks whether somebody may be paid. */
public record CheckBeneficiaryCommand(String beneficiary) implements DomainCommand {}

package com.acme.payments.application.command;

import com.acme.payments.domain.model.Beneficiary;
import io.waybill.command.DomainCommand;
import java.util.UUID;

/** Takes back what a beneficiary was credited with. */
public record RecallCreditCommand(UUID paymentId, Beneficiary beneficiary) implements DomainCommand {}

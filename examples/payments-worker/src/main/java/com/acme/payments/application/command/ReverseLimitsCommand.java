package com.acme.payments.application.command;

import io.waybill.command.DomainCommand;
import java.util.UUID;

/** Gives back what was booked for a payment. */
public record ReverseLimitsCommand(UUID paymentId, UUID debitAccountId) implements DomainCommand {}

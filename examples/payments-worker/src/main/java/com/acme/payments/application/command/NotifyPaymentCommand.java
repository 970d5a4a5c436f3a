package com.acme.payments.application.command;

import io.waybill.command.DomainCommand;
import java.util.UUID;

/** The payment is complete, and others hear of it. */
public record NotifyPaymentCommand(UUID paymentId) implements DomainCommand {}

package com.acme.payments.application.command;

import io.waybill.command.DomainCommand;
import java.util.UUID;

/** Takes a payment back. */
public record CancelPaymentCommand(UUID paymentId) implements DomainCommand {}

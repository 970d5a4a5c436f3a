package com.acme.payments.application.command;

import io.waybill.command.DomainCommand;
import java.util.UUID;

/** Credits the account with what a payment had debited. */
public record ReverseTransactionCommand(UUID paymentId, UUID accountId) implements DomainCommand {}

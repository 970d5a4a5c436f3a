package com.acme.payments.application.command;

import io.waybill.command.DomainCommand;
import java.util.UUID;

/** Gives the account back what a payment had debited. */
public record ReverseTransactionCommand(UUID paymentId, UUID debitAccountId) implements DomainCommand {}

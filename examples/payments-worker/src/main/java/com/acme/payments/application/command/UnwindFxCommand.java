package com.acme.payments.application.command;

import io.waybill.command.DomainCommand;
import java.util.UUID;

/** Gives a contract for foreign exchange back. */
public record UnwindFxCommand(UUID paymentId) implements DomainCommand {}

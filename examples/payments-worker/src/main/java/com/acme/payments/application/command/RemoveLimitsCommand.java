package com.acme.payments.application.command;

import io.waybill.command.DomainCommand;
import java.util.UUID;

/** Takes the limits of an account back. */
public record RemoveLimitsCommand(UUID accountId) implements DomainCommand {}

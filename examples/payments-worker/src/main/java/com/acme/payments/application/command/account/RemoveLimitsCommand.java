package com.acme.payments.application.command.account;

import io.waybill.command.DomainCommand;
import java.util.UUID;

/** Takes the limits of an account back. */
public record RemoveLimitsCommand(UUID accountId) implements DomainCommand {}

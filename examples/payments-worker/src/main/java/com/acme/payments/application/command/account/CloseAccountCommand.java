package com.acme.payments.application.command.account;

import io.waybill.command.DomainCommand;
import java.util.UUID;

/** Takes an account back that is not active yet. */
public record CloseAccountCommand(UUID accountId) implements DomainCommand {}

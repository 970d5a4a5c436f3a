package com.acme.payments.application.command.account;

import io.waybill.command.DomainCommand;
import java.util.UUID;

/** The account may be used from now on. */
public record ActivateAccountCommand(UUID accountId) implements DomainCommand {}

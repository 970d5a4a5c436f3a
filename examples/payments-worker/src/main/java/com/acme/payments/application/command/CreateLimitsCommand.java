package com.acme.payments.application.command;

import io.waybill.command.DomainCommand;
import java.math.BigDecimal;
import java.util.UUID;

/** Sets how much may leave an account. */
public record CreateLimitsCommand(UUID accountId, BigDecimal limit, String currency) implements DomainCommand {}

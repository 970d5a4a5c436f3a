package com.acme.payments.application.command.account;

import io.waybill.command.DomainCommand;
import java.time.LocalDate;
import java.util.List;
import java.util.UUID;

/**
 * Sets how much may leave an account.
 *
 * @param openingDate the first day on which they count
 */
public record CreateLimitsCommand(UUID accountId, LocalDate openingDate, List<AccountLimitDefinition> limits)
        implements DomainCommand {}

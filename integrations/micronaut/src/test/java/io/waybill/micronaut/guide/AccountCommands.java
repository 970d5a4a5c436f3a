package io.waybill.micronaut.guide;

import io.waybill.command.DomainCommand;
import java.util.List;
import java.util.UUID;

/** Sections 2.1 and 5.6. */
interface AccountCommands {

    record CreateAccountCommand(
            UUID customerId,
            String currencyCode,
            AccountType accountType,
            String transitNumber,
            boolean limitBased,
            List<AccountLimitDefinition> limits)
            implements DomainCommand {
        // Validation in compact constructor if needed
        public CreateAccountCommand {
            if (customerId == null) {
                throw new IllegalArgumentException("customerId is required");
            }
        }
    }

    record AccountLimitDefinition(double amount) {}

    record CreateLimitsCommand(UUID accountId, List<AccountLimitDefinition> limits) implements DomainCommand {}

    record CompleteAccountCreationCommand(UUID accountId) implements DomainCommand {}
}

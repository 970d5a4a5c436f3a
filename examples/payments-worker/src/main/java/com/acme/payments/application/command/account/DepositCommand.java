package com.acme.payments.application.command.account;

import com.acme.payments.application.command.Amounts;
import com.acme.payments.domain.model.Money;
import io.waybill.command.DomainCommand;
import java.util.UUID;

/**
 * Pays in.
 *
 * @param depositId chosen by the client
 */
public record DepositCommand(UUID depositId, UUID accountId, Money amount) implements DomainCommand {

    public DepositCommand {
        Amounts.check(amount);
    }
}

package com.acme.payments.application.command;

import com.acme.payments.domain.model.Beneficiary;
import com.acme.payments.domain.model.Money;
import io.waybill.command.DomainCommand;
import java.util.UUID;

/** Credits the account of a beneficiary, where it is one of this bank. */
public record CreditBeneficiaryCommand(UUID paymentId, Beneficiary beneficiary, Money creditAmount)
        implements DomainCommand {

    public CreditBeneficiaryCommand {
        Amounts.check(creditAmount);
    }
}

package com.acme.payments.application.command;

import com.acme.payments.domain.model.Beneficiary;
import com.acme.payments.domain.model.Money;
import io.waybill.command.DomainCommand;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.UUID;

/** Makes the payment of what was debited: all that it needs to know is in it. */
public record CreatePaymentCommand(
        UUID paymentId,
        UUID debitAccountId,
        UUID transactionId,
        Money debitAmount,
        Money creditAmount,
        BigDecimal exchangeRate,
        LocalDate valueDate,
        Beneficiary beneficiary)
        implements DomainCommand {

    public CreatePaymentCommand {
        Amounts.check(debitAmount);
        Amounts.check(creditAmount);
    }
}

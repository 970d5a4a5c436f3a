package com.acme.payments.application.command;

import com.acme.payments.domain.model.Money;
import com.acme.payments.domain.model.TransactionType;
import io.waybill.command.DomainCommand;
import java.time.LocalDate;
import java.util.UUID;

/** Books a payment against the limits of its account. */
public record BookLimitsCommand(
        UUID paymentId, UUID debitAccountId, Money debitAmount, TransactionType transactionType, LocalDate valueDate)
        implements DomainCommand {

    public BookLimitsCommand {
        Amounts.check(debitAmount);
    }
}

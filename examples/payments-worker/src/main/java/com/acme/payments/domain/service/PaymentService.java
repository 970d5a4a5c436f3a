package com.acme.payments.domain.service;

import com.acme.payments.HandlesCommands;
import com.acme.payments.application.command.CancelPaymentCommand;
import com.acme.payments.application.command.CheckBeneficiaryCommand;
import com.acme.payments.application.command.CreatePaymentCommand;
import com.acme.payments.application.command.ValidatePaymentCommand;
import com.acme.payments.domain.model.Account;
import com.acme.payments.domain.model.AccountNotActiveException;
import com.acme.payments.domain.model.AccountNotFoundException;
import com.acme.payments.domain.model.BeneficiaryRejectedException;
import com.acme.payments.domain.model.Money;
import com.acme.payments.domain.model.Payment;
import com.acme.payments.domain.repository.AccountRepository;
import com.acme.payments.domain.repository.PaymentRepository;
import jakarta.inject.Singleton;
import jakarta.transaction.Transactional;

/** Pays, and looks before that whether it may. */
@Singleton
@HandlesCommands
public class PaymentService {

    private final PaymentRepository payments;
    private final AccountRepository accounts;

    PaymentService(PaymentRepository payments, AccountRepository accounts) {
        this.payments = payments;
        this.accounts = accounts;
    }

    @Transactional
    public void validatePayment(ValidatePaymentCommand command) {
        Account account = accounts.findById(command.accountId())
                .orElseThrow(() -> new AccountNotFoundException(command.accountId()));
        if (!account.active()) {
            throw new AccountNotActiveException(command.accountId());
        }
        String currency = account.availableBalance().currencyCode();
        if (!currency.equals(command.currency())) {
            throw new IllegalArgumentException(
                    "The account is in " + currency + ", and the payment in " + command.currency() + ".");
        }
    }

    @Transactional
    public void checkBeneficiary(CheckBeneficiaryCommand command) {
        check(command.beneficiary());
    }

    @Transactional
    public void createPayment(CreatePaymentCommand command) {
        check(command.beneficiary());
        if (payments.findById(command.paymentId()).isEmpty()) {
            payments.save(new Payment(
                    command.paymentId(),
                    command.accountId(),
                    command.transactionId(),
                    command.beneficiary(),
                    new Money(command.amount(), command.currency())));
        }
    }

    @Transactional
    public void cancelPayment(CancelPaymentCommand command) {
        payments.delete(command.paymentId());
    }

    private void check(String beneficiary) {
        if (payments.isBlocked(beneficiary)) {
            throw new BeneficiaryRejectedException(beneficiary);
        }
    }
}

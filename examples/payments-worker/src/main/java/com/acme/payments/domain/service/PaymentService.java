package com.acme.payments.domain.service;

import com.acme.payments.HandlesCommands;
import com.acme.payments.application.command.CancelPaymentCommand;
import com.acme.payments.application.command.CheckBeneficiaryCommand;
import com.acme.payments.application.command.CreatePaymentCommand;
import com.acme.payments.application.command.NotifyPaymentCommand;
import com.acme.payments.application.command.ValidatePaymentCommand;
import com.acme.payments.application.event.PaymentCompleted;
import com.acme.payments.domain.model.Account;
import com.acme.payments.domain.model.AccountNotActiveException;
import com.acme.payments.domain.model.AccountNotFoundException;
import com.acme.payments.domain.model.Beneficiary;
import com.acme.payments.domain.model.BeneficiaryRejectedException;
import com.acme.payments.domain.model.Payment;
import com.acme.payments.domain.repository.AccountRepository;
import com.acme.payments.domain.repository.PaymentRepository;
import io.waybill.outbox.Outbox;
import jakarta.inject.Singleton;
import jakarta.transaction.Transactional;

/** Pays, looks before that whether it may, and tells others when it has. */
@Singleton
@HandlesCommands
public class PaymentService {

    private final PaymentRepository payments;
    private final AccountRepository accounts;
    private final Outbox outbox;

    PaymentService(PaymentRepository payments, AccountRepository accounts, Outbox outbox) {
        this.payments = payments;
        this.accounts = accounts;
        this.outbox = outbox;
    }

    @Transactional
    public void validatePayment(ValidatePaymentCommand command) {
        Account account = accounts.findById(command.debitAccountId())
                .orElseThrow(() -> new AccountNotFoundException(command.debitAccountId()));
        if (!account.active()) {
            throw new AccountNotActiveException(command.debitAccountId());
        }
        String currency = account.availableBalance().currencyCode();
        if (!currency.equals(command.debitAmount().currencyCode())) {
            throw new IllegalArgumentException("The account is in " + currency + ", and the payment in "
                    + command.debitAmount().currencyCode() + ".");
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
                    command.debitAccountId(),
                    command.transactionId(),
                    command.debitAmount(),
                    command.creditAmount(),
                    command.exchangeRate(),
                    command.valueDate(),
                    command.beneficiary(),
                    Payment.Status.SUBMITTED));
        }
    }

    @Transactional
    public void cancelPayment(CancelPaymentCommand command) {
        payments.findById(command.paymentId()).map(Payment::cancel).ifPresent(payments::save);
    }

    /** The payment, its event and the answer are one commit. */
    @Transactional
    public void notifyPayment(NotifyPaymentCommand command) {
        Payment payment = payments.findById(command.paymentId()).orElseThrow();
        if (payment.status() == Payment.Status.SUBMITTED) {
            payments.save(payment.complete());
            outbox.publish(new PaymentCompleted(
                    payment.paymentId(),
                    payment.debitAccountId(),
                    payment.debitAmount(),
                    payment.creditAmount(),
                    payment.beneficiary().name()));
        }
    }

    private void check(Beneficiary beneficiary) {
        if (payments.isBlocked(beneficiary.name())) {
            throw new BeneficiaryRejectedException(beneficiary.name());
        }
    }
}

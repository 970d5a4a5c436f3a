package com.acme.payments.domain.service;

import static com.acme.payments.domain.service.Memory.account;
import static com.acme.payments.domain.service.Memory.euro;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.acme.payments.application.command.CancelPaymentCommand;
import com.acme.payments.application.command.CheckBeneficiaryCommand;
import com.acme.payments.application.command.CreatePaymentCommand;
import com.acme.payments.application.command.NotifyPaymentCommand;
import com.acme.payments.application.command.ValidatePaymentCommand;
import com.acme.payments.application.event.PaymentCompleted;
import com.acme.payments.domain.model.Account;
import com.acme.payments.domain.model.AccountNotActiveException;
import com.acme.payments.domain.model.Beneficiary;
import com.acme.payments.domain.model.BeneficiaryRejectedException;
import com.acme.payments.domain.model.Money;
import com.acme.payments.domain.model.Payment;
import io.waybill.outbox.Outbox;
import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

final class PaymentServiceTest {

    private static final Beneficiary BOB = new Beneficiary("Bob", null);

    private final Memory.Payments payments = new Memory.Payments();
    private final Memory.Accounts accounts = new Memory.Accounts();
    private final List<Object> published = new ArrayList<>();
    private final PaymentService service = new PaymentService(payments, accounts, outbox());

    @Test
    void a_payment_has_what_was_exchanged() {
        CreatePaymentCommand command = newPayment(BOB);

        service.createPayment(command);
        service.createPayment(command);

        Payment payment = payments.findById(command.paymentId()).orElseThrow();
        assertThat(payment.debitAmount()).isEqualTo(euro("10.00"));
        assertThat(payment.creditAmount()).isEqualTo(Money.of("10.85", "USD"));
        assertThat(payment.exchangeRate()).isEqualTo("1.0850");
        assertThat(payment.valueDate()).isEqualTo("2026-03-10");
        assertThat(payment.status()).isEqualTo(Payment.Status.SUBMITTED);
        assertThat(payments.findByAccountId(command.debitAccountId())).containsExactly(payment);
    }

    @Test
    void a_payment_that_is_complete_is_told_once() {
        CreatePaymentCommand command = newPayment(BOB);
        service.createPayment(command);

        service.notifyPayment(new NotifyPaymentCommand(command.paymentId()));
        service.notifyPayment(new NotifyPaymentCommand(command.paymentId()));

        assertThat(payments.findById(command.paymentId()).orElseThrow().status())
                .isEqualTo(Payment.Status.COMPLETED);
        assertThat(published)
                .containsExactly(new PaymentCompleted(
                        command.paymentId(), command.debitAccountId(), euro("10.00"), Money.of("10.85", "USD"), "Bob"));
    }

    @Test
    void a_payment_that_is_cancelled_stays() {
        CreatePaymentCommand command = newPayment(BOB);
        service.createPayment(command);

        service.cancelPayment(new CancelPaymentCommand(command.paymentId()));
        service.cancelPayment(new CancelPaymentCommand(UUID.randomUUID()));

        assertThat(payments.findById(command.paymentId()).orElseThrow().status())
                .isEqualTo(Payment.Status.CANCELLED);
    }

    @Test
    void who_is_blocked_is_not_paid() {
        payments.block("Mallory", "known for it");
        var mallory = new Beneficiary("Mallory", null);

        assertThatThrownBy(() -> service.checkBeneficiary(new CheckBeneficiaryCommand(mallory)))
                .isInstanceOf(BeneficiaryRejectedException.class);
        assertThatThrownBy(() -> service.createPayment(newPayment(mallory)))
                .isInstanceOf(BeneficiaryRejectedException.class);
        service.checkBeneficiary(new CheckBeneficiaryCommand(BOB));
    }

    @Test
    void a_payment_needs_an_active_account_of_its_currency() {
        Account account = accounts.with(account("10.00"));

        service.validatePayment(new ValidatePaymentCommand(account.accountId(), euro("1.00")));
        assertThatThrownBy(() -> service.validatePayment(
                        new ValidatePaymentCommand(account.accountId(), Money.of("1.00", "USD"))))
                .hasMessageContaining("The account is in EUR");
        account.close();
        assertThatThrownBy(() -> service.validatePayment(new ValidatePaymentCommand(account.accountId(), euro("1.00"))))
                .isInstanceOf(AccountNotActiveException.class);
    }

    @Test
    void the_subscriber_writes_down_what_the_owner_is_told() {
        UUID paymentId = UUID.randomUUID();

        new PaymentNotifications(payments)
                .tell(new PaymentCompleted(
                        paymentId, UUID.randomUUID(), euro("10.00"), Money.of("10.85", "USD"), "Bob"));

        assertThat(payments.findNotifications(paymentId)).containsExactly("10.00 EUR went to Bob, who gets 10.85 USD");
    }

    private static CreatePaymentCommand newPayment(Beneficiary beneficiary) {
        return new CreatePaymentCommand(
                UUID.randomUUID(),
                UUID.randomUUID(),
                UUID.randomUUID(),
                euro("10.00"),
                Money.of("10.85", "USD"),
                new BigDecimal("1.0850"),
                LocalDate.of(2026, 3, 10),
                beneficiary);
    }

    /** Only what is published matters here; PaymentsContract has the real one. */
    private Outbox outbox() {
        return (Outbox) Proxy.newProxyInstance(
                Outbox.class.getClassLoader(), new Class<?>[] {Outbox.class}, (proxy, method, arguments) -> {
                    published.add(arguments[0]);
                    return null;
                });
    }
}

package com.acme.payments.orchestration;

import static org.assertj.core.api.Assertions.assertThat;

import com.acme.payments.application.command.BookFxCommand;
import com.acme.payments.application.command.CreateTransactionCommand;
import com.acme.payments.application.command.account.AccountLimitDefinition;
import com.acme.payments.domain.model.AccountLimit;
import com.acme.payments.domain.model.AccountType;
import com.acme.payments.domain.model.Beneficiary;
import com.acme.payments.domain.model.Money;
import com.acme.payments.domain.model.TransactionType;
import com.acme.payments.infrastructure.http.PaymentController;
import io.waybill.process.graph.ProcessGraph;
import io.waybill.testkit.process.Handlers;
import io.waybill.testkit.process.ProcessTestKit;
import io.waybill.testkit.process.simulation.ProcessSimulator;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The graphs as they are meant, and everything that can happen to them. */
final class ProcessesTest {

    private static final Map<String, Object> PAYMENT = PaymentController.paymentData(
            UUID.randomUUID(),
            UUID.randomUUID(),
            new Beneficiary("Bob", null),
            Money.of("10.00", "EUR"),
            "USD",
            LocalDate.of(2026, 3, 10));

    private static final Handlers HANDLERS = Handlers.none()
            .on(
                    BookFxCommand.class,
                    command ->
                            Map.of("creditAmount", Money.of("10.85", "USD"), "exchangeRate", new BigDecimal("1.0850")))
            .on(CreateTransactionCommand.class, command -> Map.of("transactionId", UUID.randomUUID()));

    @Test
    void a_payment_exchanges_only_when_it_must() {
        ProcessGraph graph = new SimplePayment().defineProcess();

        assertThat(graph.getInitialStep()).isEqualTo("BookLimits");
        assertThat(graph.getNextStep("BookLimits", Map.of("requiresFx", true))).contains("BookFx");
        assertThat(graph.getNextStep("BookLimits", Map.of("requiresFx", false))).contains("CreateTransaction");
        assertThat(graph.getNextStep("CreateTransaction", Map.of())).contains("CreatePayment");
        assertThat(graph.getSteps())
                .filteredOn(step -> !graph.requiresCompensation(step))
                .as("only the last step is not undone")
                .containsExactly("NotifyPayment");
    }

    @Test
    void an_account_becomes_active_with_limits_and_without() {
        ProcessGraph graph = new CreateAccount().defineProcess();

        assertThat(graph.getNextStep("CreateAccount", Map.of("limitBased", true)))
                .contains("CreateLimits");
        assertThat(graph.getNextStep("CreateLimits", Map.of())).contains("ActivateAccount");
        assertThat(graph.getNextStep("CreateAccount", Map.of("limitBased", false)))
                .contains("ActivateAccount");
    }

    @Test
    void exchange_limits_and_beneficiary_are_looked_after_at_once() {
        ProcessGraph graph = new ParallelPayment().defineProcess();

        assertThat(graph.getNextSteps("ValidatePayment", Map.of()))
                .containsExactlyInAnyOrder("BookFx", "BookLimits", "CheckBeneficiary");
        assertThat(graph.getNextStep("CheckBeneficiary", Map.of())).contains("CreateTransaction");
    }

    @Test
    void a_payment_without_funds_is_undone_in_reverse() {
        var run = ProcessTestKit.run(new SimplePayment(), HANDLERS).start("payment-1", PAYMENT);
        run.whenStep("CreateTransaction").fails("InsufficientFunds");
        run.toTheEnd();

        assertThat(run).isCompensated().ran("BookLimits", "BookFx", "CreateTransaction", "UnwindFx", "ReverseLimits");
    }

    @Test
    void errors_that_may_go_away_are_tried_again_as_often_as_the_step_says() {
        var payment = new SimplePayment();

        assertThat(payment.isRetryable("BookFx", "SocketTimeoutException: read timeout"))
                .isTrue();
        assertThat(payment.isRetryable("BookFx", "PSQLException: deadlock detected"))
                .isTrue();
        assertThat(payment.isRetryable("CreateTransaction", "InsufficientFundsException: 1 EUR are wanted"))
                .isFalse();
        assertThat(payment.getMaxRetries("BookFx")).isEqualTo(5);
        assertThat(payment.getMaxRetries("CreateTransaction")).isEqualTo(3);
        assertThat(payment.getRetryDelay("BookFx", 0)).isEqualTo(500);
        assertThat(payment.getRetryDelay("BookFx", 9)).isEqualTo(8_000);
    }

    @Test
    void a_payment_survives_everything() {
        ProcessSimulator.of(new SimplePayment(), HANDLERS).runs(300, 50).checkAllPaths();
        ProcessSimulator.of(new SimplePayment(), HANDLERS)
                .startingWith(PAYMENT)
                .runs(200, 50)
                .checkAllPaths();
    }

    @Test
    void a_payment_in_another_currency_survives_everything() {
        ProcessSimulator.of(new ParallelPayment(), HANDLERS).runs(300, 50).checkAllPaths();
        ProcessSimulator.of(new ParallelPayment(), HANDLERS)
                .startingWith(PAYMENT)
                .runs(200, 50)
                .checkAllPaths();
    }

    @Test
    void opening_an_account_survives_everything() {
        var data = new HashMap<String, Object>(Map.of(
                "accountId",
                UUID.randomUUID(),
                "customerId",
                UUID.randomUUID(),
                "accountNumber",
                "A-1",
                "accountType",
                AccountType.CHECKING,
                "transitNumber",
                "001",
                "openingBalance",
                Money.of("1.00", "EUR"),
                "openingDate",
                LocalDate.of(2026, 3, 10),
                "limits",
                List.of(new AccountLimitDefinition(
                        AccountLimit.Period.DAILY, TransactionType.DEBIT, Money.of("100.00", "EUR"))),
                "limitBased",
                true));
        ProcessSimulator.of(new CreateAccount(), HANDLERS).runs(300, 50).checkAllPaths();
        ProcessSimulator.of(new CreateAccount(), HANDLERS)
                .startingWith(data)
                .runs(200, 50)
                .checkAllPaths();
    }
}

package com.acme.payments.orchestration;

import static org.assertj.core.api.Assertions.assertThat;

import com.acme.payments.application.command.BookFxCommand;
import com.acme.payments.application.command.CreateTransactionCommand;
import io.waybill.process.graph.ProcessGraph;
import io.waybill.testkit.process.Handlers;
import io.waybill.testkit.process.ProcessTestKit;
import io.waybill.testkit.process.simulation.ProcessSimulator;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The graphs as they are meant, and everything that can happen to them. */
final class ProcessesTest {

    private static final Map<String, Object> PAYMENT = Map.of(
            "paymentId",
            UUID.randomUUID(),
            "accountId",
            UUID.randomUUID(),
            "beneficiary",
            "Bob",
            "amount",
            new BigDecimal("10.00"),
            "currency",
            "EUR",
            "targetCurrency",
            "USD",
            "requiresFx",
            true);

    private static final Handlers HANDLERS = Handlers.none()
            .on(BookFxCommand.class, command -> Map.of("targetAmount", new BigDecimal("10.85")))
            .on(CreateTransactionCommand.class, command -> Map.of("transactionId", UUID.randomUUID()));

    @Test
    void a_payment_exchanges_only_when_it_must() {
        ProcessGraph graph = new SimplePayment().defineProcess();

        assertThat(graph.getInitialStep()).isEqualTo("BookLimits");
        assertThat(graph.getNextStep("BookLimits", Map.of("requiresFx", true))).contains("BookFx");
        assertThat(graph.getNextStep("BookLimits", Map.of("requiresFx", false))).contains("CreateTransaction");
        assertThat(graph.getNextStep("CreateTransaction", Map.of())).contains("CreatePayment");
        assertThat(graph.getSteps()).allMatch(graph::requiresCompensation);
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
                "currency",
                "EUR",
                "openingBalance",
                new BigDecimal("1.00"),
                "limit",
                new BigDecimal("100.00"),
                "limitBased",
                true));
        ProcessSimulator.of(new CreateAccount(), HANDLERS).runs(300, 50).checkAllPaths();
        ProcessSimulator.of(new CreateAccount(), HANDLERS)
                .startingWith(data)
                .runs(200, 50)
                .checkAllPaths();
    }
}

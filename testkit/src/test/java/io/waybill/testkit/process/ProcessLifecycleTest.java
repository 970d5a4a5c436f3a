package io.waybill.testkit.process;

import static io.waybill.testkit.process.Payments.HANDLERS;
import static io.waybill.testkit.process.Payments.process;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.WaybillException;
import io.waybill.process.definition.ProcessConfiguration;
import io.waybill.process.graph.ProcessGraph;
import io.waybill.process.graph.RetryPolicy;
import io.waybill.process.state.ProcessEvent;
import io.waybill.process.state.ProcessStatus;
import io.waybill.process.state.StepEvent;
import io.waybill.testkit.process.Payments.*;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ProcessLifecycleTest {

    private static final Map<String, Object> DATA = Map.of("amount", new BigDecimal("100.00"), "requiresFx", false);
    private static final Map<String, Object> WITH_FX = Map.of("amount", new BigDecimal("100.00"), "requiresFx", true);

    private ProcessRun run = ProcessTestKit.run(new SimplePayment(), HANDLERS).start("payment-1", DATA);

    private ProcessRun start(ProcessConfiguration process, Map<String, Object> data) {
        run = ProcessTestKit.run(process, HANDLERS).start("key-1", data);
        return run;
    }

    @AfterEach
    void every_log_replays_to_the_state_that_is_stored() {
        assertThat(run).hasALogThatReplays();
    }

    @Test
    void a_payment_runs_through_and_knows_what_its_steps_answered() {
        run.toTheEnd();
        assertThat(run)
                .hasSucceeded()
                .ran("BookLimits", "CreateTransaction", "CreatePayment")
                .knows("limitId", "limit-100.00")
                .knows("transactionId", "t-limit-100.00");
        assertThat(run.store().findByProcessId(run.processId()))
                .first()
                .isInstanceOf(ProcessEvent.ProcessStarted.class);
    }

    @Test
    void a_payment_with_foreign_exchange_takes_the_other_way() {
        start(new SimplePayment(), WITH_FX).toTheEnd();
        assertThat(run)
                .hasSucceeded()
                .ran("BookLimits", "BookFx", "CreateTransaction", "CreatePayment")
                .knows("rate", new BigDecimal("1.25"));
    }

    @Test
    void a_payment_without_funds_gives_the_limit_back() {
        run.whenStep("CreateTransaction").fails("InsufficientFunds");
        run.toTheEnd();
        assertThat(run).isCompensated().ran("BookLimits", "CreateTransaction", "ReverseLimits");
    }

    @Test
    void what_was_done_is_undone_in_reverse_order() {
        start(new SimplePayment(), WITH_FX);
        run.whenStep("CreatePayment").fails("InvalidBeneficiary");
        run.toTheEnd();
        assertThat(run)
                .isCompensated()
                .ran(
                        "BookLimits",
                        "BookFx",
                        "CreateTransaction",
                        "CreatePayment",
                        "ReverseTransaction",
                        "UnwindFx",
                        "ReverseLimits");
    }

    @Test
    void a_process_whose_first_step_fails_has_failed_with_nothing_to_undo() {
        run.whenStep("BookLimits").fails("LimitExceeded");
        run.toTheEnd();
        assertThat(run).hasFailed().ran("BookLimits");
    }

    @Test
    void a_step_is_tried_again_after_the_pauses_of_its_rules() {
        run.whenStep("CreateTransaction").fails("temporary trouble");
        run.advance(Duration.ofMillis(999));
        assertThat(run.handled()).containsExactly("BookLimits", "CreateTransaction");
        run.advance(Duration.ofMillis(1));
        assertThat(run.handled()).hasSize(3);
        assertThat(run.instance().retries()).isEqualTo(1);
        run.advance(Duration.ofSeconds(2));
        assertThat(run.handled()).hasSize(4);
        assertThat(run.explain())
                .contains("CreateTransaction is tried again at 12:00:07 (attempt 4 of 4)")
                .contains("temporary trouble");
        run.toTheEnd();
        assertThat(run).isCompensated();
        assertThat(run.handled().stream().filter("CreateTransaction"::equals)).hasSize(4);
    }

    @Test
    void a_step_that_recovers_lets_the_process_succeed() {
        run.whenStep("CreateTransaction").failsTimes(2, "deadlock");
        run.toTheEnd();
        assertThat(run).hasSucceeded();
        assertThat(run.instance().retries()).isZero();
    }

    @Test
    void a_failure_that_its_handler_forbids_to_repeat_is_not_repeated() {
        run.whenStep("CreateTransaction").failsForGood("temporary, as it seems");
        run.toTheEnd();
        assertThat(run).isCompensated().ran("BookLimits", "CreateTransaction", "ReverseLimits");
    }

    private static ProcessConfiguration withTimeout() {
        return process(
                "Timed",
                start -> start.startWith(BookLimitsCommand.class)
                        .withCompensation(ReverseLimitsCommand.class)
                        .then(CreateTransactionCommand.class)
                        .withTimeout(Duration.ofSeconds(30))
                        .withRetries(RetryPolicy.upTo(0))
                        .withCompensation(ReverseTransactionCommand.class)
                        .end());
    }

    @Test
    void a_step_in_doubt_that_was_not_done_is_refused_and_not_undone() {
        start(withTimeout(), DATA);
        run.whenStep("CreateTransaction").isLost();
        run.toTheEnd();
        assertThat(run).isCompensated();
        assertThat(run.handled()).containsExactly("BookLimits", "ReverseLimits");
        assertThat(run.store().findByProcessId(run.processId()))
                .anyMatch(event ->
                        event instanceof StepEvent.StepRefused && event.step().equals("CreateTransaction"));
    }

    @Test
    void a_process_that_takes_too_long_is_undone_with_what_is_on_the_way() {
        run = ProcessTestKit.run(
                        new SimplePayment() {
                            @Override
                            public Optional<Duration> getTimeout() {
                                return Optional.of(Duration.ofMinutes(5));
                            }
                        },
                        HANDLERS)
                .start("key", DATA);
        run.whenStep("CreateTransaction").isLost();
        run.toTheEnd();
        assertThat(run).isCompensated().ran("BookLimits", "ReverseLimits");
        assertThat(run.explain()).contains("took longer than PT5M");
    }

    @Test
    void a_compensation_that_fails_for_the_last_time_blocks_and_an_operator_retries_it() {
        start(new SimplePayment(), WITH_FX);
        run.whenStep("CreatePayment").fails("InvalidBeneficiary");
        run.whenStep("ReverseTransaction").fails("ledger closed");
        run.toTheEnd();
        assertThat(run).isBlockedAt("CreateTransaction");
        assertThat(run.explain())
                .contains("is FAILED")
                .contains("ReverseTransaction failed 3 times: the last attempt failed with \"ledger closed\"")
                .contains("After it UnwindFx, ReverseLimits follow.");
        assertThat(run.handled()).doesNotContain("UnwindFx");

        run.whenStep("ReverseTransaction").works();
        run.manager().retry(run.processId(), "CreateTransaction", "the ledger is open again");
        run.toTheEnd();
        assertThat(run).isCompensated();
        assertThat(run.handled()).endsWith("ReverseTransaction", "UnwindFx", "ReverseLimits");
    }

    @Test
    void an_operator_skips_or_resolves_a_blocked_compensation_with_a_reason() {
        start(new SimplePayment(), WITH_FX);
        run.whenStep("CreatePayment").fails("InvalidBeneficiary");
        run.whenStep("UnwindFx").failsForGood("contract matured");
        run.toTheEnd();
        assertThat(run).isBlockedAt("BookFx");
        run.manager().resolve(run.processId(), "BookFx", "unwound by phone, ticket 17");
        run.toTheEnd();
        assertThat(run).isCompensated();
        assertThat(run.store().findByProcessId(run.processId()))
                .anyMatch(event -> event.toString().contains("resolved=true, reason=unwound by phone, ticket 17"));
    }

    @Test
    void what_is_being_undone_is_explained() {
        start(new SimplePayment(), WITH_FX);
        run.whenStep("CreateTransaction").fails("InsufficientFunds");
        run.whenStep("UnwindFx").fails("rate service timeout");
        run.advance(Duration.ofSeconds(4));
        assertThat(run.explain())
                .startsWith("SimplePayment key-1 is COMPENSATING since 12:00:03.")
                .contains(
                        "BookFx is being compensated (UnwindFx, attempt 4 of 11, next at 12:00:07): the last attempt failed"
                                + " with \"rate service timeout\".")
                .endsWith("After it ReverseLimits follows.");
        run.whenStep("UnwindFx").works();
        run.toTheEnd();
    }

    @Test
    void a_compensation_sees_what_its_step_saw_and_answered() {
        var seen = new ArrayList<String>();
        Handlers handlers = Handlers.none()
                .on(BookLimitsCommand.class, command -> Map.of("limitId", "first"))
                .on(CreateTransactionCommand.class, command -> Map.of("limitId", "second", "transactionId", "t"))
                .doing(ReverseLimitsCommand.class, command -> seen.add(command.limitId()));
        run = ProcessTestKit.run(new SimplePayment(), handlers).start("key", DATA);
        run.whenStep("CreatePayment").fails("no");
        run.toTheEnd();
        assertThat(run).isCompensated();
        assertThat(seen).containsExactly("first");
    }

    @Test
    void data_that_cannot_become_a_command_fail_the_step_with_the_missing_name() {
        start(
                process(
                        "Strict",
                        start -> start.startWith(NotifyCommand.class)
                                .then(ReserveCommand.class)
                                .end()),
                Map.of("sku", "a"));
        run.toTheEnd();
        assertThat(run).hasFailed().ran("Notify");
        assertThat(run.explain())
                .contains("The command of the step Reserve cannot be built")
                .contains("The process does not know 'itemIndex' of ReserveCommand");
    }

    @Test
    void code_of_the_definition_that_throws_fails_the_process_with_its_name() {
        start(new SimplePayment(), Map.of("amount", 1));
        run.toTheEnd();
        assertThat(run).isCompensated().ran("BookLimits", "ReverseLimits");
        assertThat(run.explain()).contains("The condition 'if BookFx' could not be decided");

        start(
                process(
                        "Throws",
                        start -> start.startWith(NotifyCommand.class)
                                .then(
                                        CreateTransactionCommand.class,
                                        data -> new CreateTransactionCommand(data.text("nothing")))
                                .end()),
                Map.of());
        run.toTheEnd();
        assertThat(run).hasFailed();
        assertThat(run.explain()).contains("The process has no 'nothing'");
    }

    @Test
    void an_answer_that_is_too_long_leaves_its_step_in_doubt_and_is_undone() {
        Handlers handlers =
                HANDLERS.on(CreateTransactionCommand.class, command -> Map.of("document", "x".repeat(10 << 20)));
        run = ProcessTestKit.run(new SimplePayment(), handlers).start("key", DATA);
        run.toTheEnd();
        assertThat(run).isCompensated().ran("BookLimits", "CreateTransaction", "ReverseTransaction", "ReverseLimits");
        assertThat(run.explain()).contains("a process keeps at most 1048576");
    }

    @Test
    void a_process_is_paused_and_goes_on_when_it_is_resumed() {
        run.manager().pause(run.processId(), "month end");
        run.settle();
        assertThat(run).is(ProcessStatus.PAUSED).ran("BookLimits");
        assertThat(run.explain()).contains("An operator holds it");
        run.advance(Duration.ofDays(1));
        assertThat(run).ran("BookLimits");
        run.manager().resume(run.processId(), "month has ended");
        run.toTheEnd();
        assertThat(run).hasSucceeded();
    }

    @Test
    void a_failure_during_a_pause_is_dealt_with_when_it_is_resumed() {
        run.whenStep("BookLimits").failsTimes(1, "temporary");
        run.manager().pause(run.processId(), "month end");
        run.settle();
        run.advance(Duration.ofDays(1));
        assertThat(run).is(ProcessStatus.PAUSED).ran("BookLimits");
        run.manager().resume(run.processId(), "go");
        run.toTheEnd();
        assertThat(run).hasSucceeded();
    }

    @Test
    void a_process_is_cancelled_with_or_without_compensation() {
        run.whenStep("CreateTransaction").failsTimes(1, "temporary");
        run.settle();
        run.manager().cancel(run.processId(), "customer called");
        run.toTheEnd();
        assertThat(run).isCompensated().ran("BookLimits", "CreateTransaction", "ReverseLimits");
        assertThat(run.explain()).contains("Cancelled: customer called");
        assertThatThrownBy(() -> run.manager().cancel(run.processId(), "again"))
                .hasMessageContaining("cannot be cancelled: it is COMPENSATED");

        start(new SimplePayment(), DATA);
        run.whenStep("CreateTransaction").isLost();
        run.settle();
        run.manager().cancelWithoutCompensation(run.processId(), "test data");
        assertThat(run).is(ProcessStatus.CANCELLED).ran("BookLimits");
        run.settle();
    }

    @Test
    void an_operator_need_not_wait_for_the_next_attempt() {
        run.whenStep("CreateTransaction").failsTimes(1, "temporary");
        run.settle();
        run.manager().retry(run.processId(), "CreateTransaction", "it works again");
        run.settle();
        assertThat(run).hasSucceeded();
        assertThatThrownBy(() -> run.manager().retry(run.processId(), "CreateTransaction", "again"))
                .isInstanceOf(WaybillException.class)
                .hasMessageContaining("CreateTransaction COMPLETED");
    }

    @Test
    void starting_twice_about_the_same_thing_is_starting_once() {
        assertThat(run.manager().startProcess("SimplePayment", "payment-1", DATA))
                .isEqualTo(run.processId());
        assertThat(run.manager().startProcess("SimplePayment", "Payment-1", DATA))
                .isNotEqualTo(run.processId());
    }

    @Test
    void unknown_processes_and_types_are_named() {
        assertThatThrownBy(() -> run.manager().startProcess("Unknown", "k", Map.of()))
                .hasMessageContaining("no process of type 'Unknown'. Known are [SimplePayment]");
        assertThatThrownBy(() -> run.manager().startProcess("SimplePayment", "", Map.of()))
                .hasMessageContaining("needs a business key");
        assertThatThrownBy(() -> run.manager().explain(new UUID(0, 1)))
                .hasMessageContaining("There is no process 00000000");
    }

    @Test
    void a_thousand_steps_run() {
        start(
                process("Long", start -> {
                    var flow = start.startWith(NotifyCommand.class);
                    for (int i = 1; i < 1_000; i++) {
                        flow = flow.then(NotifyCommand.class).named("Notify" + i);
                    }
                    return flow.end();
                }),
                Map.of());
        run.toTheEnd();
        assertThat(run).hasSucceeded();
        assertThat(run.handled()).hasSize(1_000);
    }

    @Test
    void commands_without_a_handler_are_named() {
        assertThat(run.manager().checkHandlers(type -> !type.equals("ReverseTransaction")))
                .containsExactly("SimplePayment sends ReverseTransactionCommand");
        assertThat(run.manager().checkHandlers(type -> true)).isEmpty();
        ProcessGraph graph = new SimplePayment().defineProcess();
        assertThat(graph.getCommandTypes()).contains("UnwindFx");
        assertThat(List.of(run.instance().currentStep())).containsExactly("BookLimits");
    }
}

package io.waybill.testkit.process.simulation;

import static io.waybill.testkit.process.Payments.HANDLERS;
import static io.waybill.testkit.process.Payments.process;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.process.definition.ProcessConfiguration;
import io.waybill.process.engine.PlantedBugs;
import io.waybill.process.engine.ProcessEngine;
import io.waybill.process.graph.RetryPolicy;
import io.waybill.process.message.ProcessMessage;
import io.waybill.testkit.process.Handlers;
import io.waybill.testkit.process.Payments.*;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class ProcessSimulatorTest {

    private static final Handlers PLAIN = Handlers.none();

    private static final ProcessConfiguration FORKED = process(
            "Forked",
            start -> start.startWith(BookFxCommand.class)
                    .withTimeout(Duration.ofSeconds(10))
                    .withCompensation(UnwindFxCommand.class)
                    .thenParallel()
                    .branch(BookLimitsCommand.class)
                    .withCompensation(ReverseLimitsCommand.class)
                    .branch(CreateTransactionCommand.class)
                    .withTimeout(Duration.ofSeconds(10))
                    .withCompensation(ReverseTransactionCommand.class, undo -> undo.timeout(Duration.ofSeconds(5)))
                    .thenIf(data -> data.flag("notify"))
                    .whenTrue(NotifyCommand.class)
                    .joinAt(CreatePaymentCommand.class)
                    .end());

    private static final ProcessConfiguration IMPATIENT = process(
            "Impatient",
            start -> start.startWith(BookLimitsCommand.class)
                    .withCompensation(ReverseLimitsCommand.class)
                    .then(CreatePaymentCommand.class)
                    .withTimeout(Duration.ofSeconds(3))
                    .withRetries(RetryPolicy.upTo(0))
                    .end());

    private static final ProcessConfiguration PARENT = process(
            "Parent",
            start -> start.startWith(NotifyCommand.class)
                    .thenProcess("Forked")
                    .then(ReserveCommand.class)
                    .end());

    @Test
    void a_payment_survives_everything() {
        assertThat(ProcessSimulator.of(new SimplePayment(), PLAIN).runs(600, 60).checkAllPaths())
                .isGreaterThan(500);
    }

    @Test
    void a_payment_with_real_data_survives_everything() {
        ProcessSimulator.of(new SimplePayment(), HANDLERS)
                .startingWith(Map.of("amount", new BigDecimal("1.00"), "requiresFx", true))
                .runs(500, 100)
                .checkAllPaths();
    }

    @Test
    void branches_with_timeouts_survive_everything() {
        ProcessSimulator.of(FORKED, PLAIN).runs(600, 60).checkAllPaths();
    }

    @Test
    void lists_delays_signals_and_sub_processes_survive_everything() {
        ProcessConfiguration list = process(
                "List",
                start -> start.startWith(NotifyCommand.class)
                        .thenForEach("items", 2, ReserveCommand.class)
                        .withTimeout(Duration.ofSeconds(5))
                        .withCompensation(ReleaseCommand.class)
                        .thenDelay("Pause", Duration.ofMinutes(1))
                        .thenWaitFor("Approval")
                        .withTimeout(Duration.ofHours(1))
                        .onTimeout(BookLimitsCommand.class)
                        .withCompensation(ReverseLimitsCommand.class)
                        .then(CreatePaymentCommand.class)
                        .end());
        List<?> items = List.of(Map.of("sku", "a"), Map.of("sku", "b"), Map.of("sku", "c"));
        ProcessSimulator.of(list, PLAIN)
                .startingWith(Map.of("items", items, "amount", 1))
                .runs(400, 60)
                .checkAllPaths();

        ProcessSimulator.of(PARENT, PLAIN).with(FORKED).runs(400, 60).checkAllPaths();
    }

    @Test
    void random_processes_survive_everything() {
        for (int seed = 1; seed <= 80; seed++) {
            ProcessSimulator.of(RandomProcess.of(seed), PLAIN)
                    .seed(seed)
                    .runs(12, 12)
                    .checkAllPaths();
        }
    }

    @Test
    void undoing_in_forward_order_is_found() {
        finds(PlantedBugs.undoesInForwardOrder(), "was compensated before");
    }

    @Test
    void a_join_that_loses_a_concurrent_branch_is_found() {
        finds(PlantedBugs.losesAConcurrentBranch(), "");
    }

    @Test
    void a_retry_that_runs_a_completed_step_again_is_found() {
        finds(PlantedBugs.retriesUnderANewId(), "took effect");
    }

    @Test
    void a_reply_that_is_handled_twice_is_found() {
        finds(PlantedBugs.handlesRepliesTwice(), "");
    }

    @Test
    void a_timer_that_fires_after_completion_is_found() {
        finds(PlantedBugs.firesTimersAfterCompletion(), "after it was already completed");
    }

    @Test
    void a_step_that_takes_effect_after_its_process_has_ended_is_found() {
        ProcessSimulator.of(IMPATIENT, PLAIN).runs(300, 50).checkAllPaths();
        assertThat(failure(ProcessSimulator.of(IMPATIENT, PLAIN).withEngine(PlantedBugs.givesUpWithoutEnding())))
                .hasMessageContaining("took effect after its process had ended");
    }

    @Test
    void a_compensation_that_asks_the_wrong_database_is_found() {
        finds(PlantedBugs.asksTheWrongDatabase(), "was done and not compensated");
    }

    @Test
    void a_step_in_doubt_that_nobody_is_asked_about_is_found() {
        assertThat(failure(ProcessSimulator.of(IMPATIENT, PLAIN).withEngine(PlantedBugs.asksNobody())))
                .hasMessageContaining("It is stuck");
    }

    @Test
    void a_reply_that_a_node_without_the_version_loses_is_found() {
        var simulator = ProcessSimulator.of(FORKED, PLAIN).losing(ProcessMessage.HeldReply.class::isInstance);
        assertThat(failure(simulator)).hasMessageContaining("It is stuck");
    }

    @Test
    void a_blocked_element_that_keeps_others_waiting_is_found() {
        ProcessConfiguration list = process(
                "List",
                start -> start.startWith(NotifyCommand.class)
                        .thenForEach("items", 1, ReserveCommand.class)
                        .withCompensation(ReleaseCommand.class, undo -> undo.maxRetries(0))
                        .then(CreatePaymentCommand.class)
                        .end());
        var simulator = ProcessSimulator.of(list, PLAIN)
                .startingWith(Map.of("items", List.of(Map.of("sku", "a"), Map.of("sku", "b")), "amount", 1))
                .runs(1_000, 50);
        simulator.checkAllPaths();
        assertThat(failure(simulator.withEngine(PlantedBugs.blockedElementsTakeRoom())))
                .hasMessageContaining("keeps other elements from being compensated");
    }

    @Test
    void a_retry_of_what_is_paused_is_found() {
        var simulator = ProcessSimulator.of(FORKED, PLAIN).runs(10, 3_000);
        assertThat(failure(simulator.withEngine(PlantedBugs.retriesWhatIsPaused())))
                .hasMessageContaining("was begun while the process was PAUSED");
    }

    @Test
    void a_sub_process_that_replies_with_its_start_data_is_found() {
        findsInParent(PlantedBugs.childrenReplyWithTheirStartData(), "which none of its steps has replied");
    }

    @Test
    void a_sub_process_that_goes_on_when_its_parent_is_cancelled_is_found() {
        findsInParent(PlantedBugs.cancelledParentsLeaveTheirChildren(), "although its parent was cancelled");
    }

    @Test
    void a_sub_process_that_cannot_start_and_says_nothing_is_found() {
        String half = "x".repeat(600_000);
        var simulator = ProcessSimulator.of(PARENT, PLAIN.on(NotifyCommand.class, command -> Map.of("more", half)))
                .with(FORKED)
                .startingWith(Map.of("amount", 1, "notify", true, "text", half))
                .runs(5, 0);
        simulator.checkAllPaths();
        simulator.losing(message -> message instanceof ProcessMessage.ChildReplied answered
                && String.valueOf(answered.reply()).contains("could not be started"));
        assertThat(failure(simulator)).hasMessageContaining("It is stuck");
    }

    @Test
    void a_check_for_stuck_processes_that_believes_what_steps_say_is_found() {
        var simulator = ProcessSimulator.of(FORKED, PLAIN)
                .losing(ProcessMessage.HeldReply.class::isInstance)
                .believing();
        assertThat(failure(simulator)).hasMessageContaining("It is not finished, although nothing is on the way");
    }

    @Test
    void a_process_that_begins_by_the_clock_of_its_node_is_found() {
        finds(PlantedBugs.startsByASlowClock(), "was begun after its time was over");
    }

    @Test
    void a_signal_that_counts_twice_is_found() {
        ProcessConfiguration twice = process(
                "Twice",
                start -> start.startWith(NotifyCommand.class)
                        .thenWaitFor("Approval")
                        .then(ReserveCommand.class)
                        .withCompensation(ReleaseCommand.class)
                        .thenWaitFor("Approval")
                        .named("SecondApproval")
                        .withTimeout(Duration.ofHours(1))
                        .then(CreatePaymentCommand.class)
                        .end());
        var simulator = ProcessSimulator.of(twice, PLAIN).runs(200, 1_000);
        simulator.checkAllPaths();
        assertThat(failure(simulator.withEngine(PlantedBugs.ignoresKeysOfSignals())))
                .hasMessageContaining("went on by a signal that another step had gone on by");
    }

    @Test
    void a_cancelled_sub_process_that_says_nothing_is_found() {
        findsInParent(PlantedBugs.cancelledChildrenSayNothing(), "It is stuck");
    }

    @Test
    void a_process_and_its_sub_process_survive_operators() {
        parent().checkAllPaths();
    }

    private static ProcessSimulator parent() {
        return ProcessSimulator.of(PARENT, PLAIN)
                .with(FORKED)
                .startingWith(Map.of("amount", 1, "notify", true))
                .runs(200, 2_000);
    }

    private static void findsInParent(UnaryOperator<ProcessEngine> bug, String message) {
        var simulator = parent();
        assertThat(failure(simulator.withEngine(bug))).hasMessageContaining(message);
    }

    @Test
    void a_failing_run_is_repeated_by_what_it_prints() {
        var simulator = ProcessSimulator.of(FORKED, PLAIN).withEngine(PlantedBugs.undoesInForwardOrder());
        AssertionError error = failure(simulator);
        assertThat(error).hasMessageContaining("What happened to Forked").hasMessageContaining("fails for good");
        String picks = String.valueOf(error.getMessage()).replaceAll("(?s).*replay\\(\"([0-9.]*)\"\\).*", "$1");
        assertThatThrownBy(() -> simulator.replay(picks)).hasMessage(error.getMessage());
    }

    private static void finds(UnaryOperator<ProcessEngine> bug, String message) {
        assertThat(failure(ProcessSimulator.of(FORKED, PLAIN).withEngine(bug))).hasMessageContaining(message);
    }

    private static AssertionError failure(ProcessSimulator simulator) {
        try {
            simulator.checkAllPaths();
        } catch (AssertionError e) {
            return e;
        }
        throw new AssertionError("The simulator found nothing.");
    }
}

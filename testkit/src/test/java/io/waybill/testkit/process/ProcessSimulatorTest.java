package io.waybill.testkit.process;

import static io.waybill.testkit.process.Payments.HANDLERS;
import static io.waybill.testkit.process.Payments.process;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.process.PlantedBugs;
import io.waybill.process.ProcessConfiguration;
import io.waybill.process.ProcessEngine;
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

        ProcessConfiguration parent = process(
                "Parent",
                start -> start.startWith(NotifyCommand.class)
                        .thenProcess("Forked")
                        .then(ReserveCommand.class)
                        .end());
        ProcessSimulator.of(parent, PLAIN).with(FORKED).runs(400, 60).checkAllPaths();
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
        finds(PlantedBugs.undoesInForwardOrder(), "was undone before");
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
        finds(PlantedBugs.firesTimersAfterCompletion(), "failed after it was already completed");
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

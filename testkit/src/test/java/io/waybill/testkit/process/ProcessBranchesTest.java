package io.waybill.testkit.process;

import static io.waybill.testkit.process.Payments.process;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.command.CommandReply;
import io.waybill.command.ReplyListener.Receipt;
import io.waybill.process.definition.ProcessConfiguration;
import io.waybill.process.state.ProcessEvent;
import io.waybill.process.state.ProcessStatus;
import io.waybill.process.store.ProcessQuery;
import io.waybill.testkit.process.Payments.*;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Branches, lists, signals, delays and sub-processes. */
class ProcessBranchesTest {

    private static final Map<String, Object> AMOUNT = Map.of("amount", 5);

    private final Handlers handlers = Handlers.none()
            .on(BookLimitsCommand.class, command -> Map.of("limitId", "l", "status", "limits booked"))
            .on(BookFxCommand.class, command -> Map.of("fxId", "f", "status", "fx booked"))
            .on(ReserveCommand.class, command -> Map.of("reserved", command.sku()));
    private ProcessRun run = ProcessTestKit.run(forked(), handlers).start("key", AMOUNT);

    private static ProcessConfiguration forked() {
        return process(
                "Forked",
                start -> start.startWith(NotifyCommand.class)
                        .thenParallel()
                        .branch(BookFxCommand.class)
                        .withCompensation(UnwindFxCommand.class)
                        .branch(BookLimitsCommand.class)
                        .withCompensation(ReverseLimitsCommand.class)
                        .then(CreateTransactionCommand.class)
                        .withCompensation(ReverseTransactionCommand.class)
                        .joinAt(CreatePaymentCommand.class)
                        .end());
    }

    @AfterEach
    void every_log_replays_to_the_state_that_is_stored() {
        assertThat(run).hasALogThatReplays();
    }

    @Test
    void branches_run_at_once_and_the_join_runs_once() {
        run.toTheEnd();
        assertThat(run).hasSucceeded().ran("Notify", "BookFx", "BookLimits", "CreateTransaction", "CreatePayment");
    }

    @Test
    void of_different_values_with_one_name_that_of_the_last_defined_branch_counts_whoever_answers_last() {
        run.toTheEnd();
        assertThat(run).knows("status", "limits booked").knows("fxId", "f");

        run = ProcessTestKit.run(forked(), handlers).start("key", AMOUNT);
        run.whenStep("BookFx").failsTimes(1, "temporary");
        run.toTheEnd();
        assertThat(run).hasSucceeded().knows("status", "limits booked");
        assertThat(run.handled()).endsWith("BookFx", "CreatePayment");
        assertThat(run.store().findByProcessId(run.processId()))
                .contains(new ProcessEvent.ValuesDiffered("status", List.of(0, 1), "limits booked"));
    }

    @Test
    void a_branch_does_not_see_what_another_one_answers_before_they_meet() {
        var seen = new ArrayList<String>();
        ProcessConfiguration process = process(
                "Blind",
                start -> start.startWith(NotifyCommand.class)
                        .thenParallel()
                        .branch(BookFxCommand.class)
                        .branch(BookLimitsCommand.class)
                        .then(CreateTransactionCommand.class, data -> {
                            seen.add(String.valueOf(data.get("fxId")));
                            return new CreateTransactionCommand("l");
                        })
                        .joinAt(CreatePaymentCommand.class, data -> {
                            seen.add(String.valueOf(data.get("fxId")));
                            return new CreatePaymentCommand("t");
                        })
                        .end());
        run = ProcessTestKit.run(process, handlers).start("key", AMOUNT);
        run.toTheEnd();
        assertThat(seen).containsExactly("null", "f");
    }

    @Test
    void a_failing_branch_undoes_all_branches_at_once_and_each_in_reverse() {
        run.whenStep("CreatePayment").fails("no");
        run.toTheEnd();
        assertThat(run)
                .isCompensated()
                .ran(
                        "Notify",
                        "BookFx",
                        "BookLimits",
                        "CreateTransaction",
                        "CreatePayment",
                        "UnwindFx",
                        "ReverseTransaction",
                        "ReverseLimits");
    }

    @Test
    void a_step_that_is_on_the_way_when_another_branch_fails_is_waited_for_and_undone() {
        run.whenStep("BookFx").isLost();
        run.whenStep("CreateTransaction").fails("no");
        run.settle();
        assertThat(run).is(ProcessStatus.COMPENSATING);
        assertThat(run.explain()).contains("BookFx waits for its reply since");
        assertThat(run.handled()).endsWith("ReverseLimits");
        run.manager().onReply(1, CommandReply.completed(command(5), run.processId(), Map.of("fxId", "late")));
        run.toTheEnd();
        assertThat(run).isCompensated();
    }

    @Test
    void a_blocked_branch_does_not_keep_the_others_from_being_undone() {
        run.whenStep("CreatePayment").fails("no");
        run.whenStep("UnwindFx").failsForGood("no");
        run.toTheEnd();
        assertThat(run).isBlockedAt("BookFx").ranAmongOthers("ReverseTransaction", "ReverseLimits");
        run.manager().skip(run.processId(), "BookFx", "it may stay");
        run.toTheEnd();
        assertThat(run).isCompensated();
    }

    private UUID command(int execution) {
        return Objects.requireNonNull(run.state().execution(execution).commandId());
    }

    private static ProcessConfiguration list() {
        return process(
                "List",
                start -> start.startWith(NotifyCommand.class)
                        .thenForEach("items", 2, ReserveCommand.class)
                        .withCompensation(ReleaseCommand.class)
                        .then(CreatePaymentCommand.class)
                        .end());
    }

    private static final Map<String, Object> ITEMS =
            Map.of("items", List.of(Map.of("sku", "a"), Map.of("sku", "b"), Map.of("sku", "c"), Map.of("sku", "d")));

    @Test
    void every_element_gets_its_command_so_many_at_once() {
        run = ProcessTestKit.run(list(), handlers).start("key", ITEMS);
        run.whenStep("Reserve#0").isLost();
        run.whenStep("Reserve#1").isLost();
        run.settle();
        assertThat(run.state().executions().stream().filter(step -> step.step().equals("Reserve")))
                .hasSize(5);

        run = ProcessTestKit.run(list(), handlers).start("key", ITEMS);
        run.toTheEnd();
        assertThat(run)
                .hasSucceeded()
                .ran("Notify", "Reserve#0", "Reserve#1", "Reserve#2", "Reserve#3", "CreatePayment")
                .knows(
                        "Reserve",
                        List.of(
                                Map.of("reserved", "a"),
                                Map.of("reserved", "b"),
                                Map.of("reserved", "c"),
                                Map.of("reserved", "d")));
    }

    @Test
    void elements_are_undone_one_by_one() {
        var released = new ArrayList<String>();
        run = ProcessTestKit.run(list(), handlers.doing(ReleaseCommand.class, command -> released.add(command.sku())))
                .start("key", ITEMS);
        run.whenStep("Reserve#2").fails("out of stock");
        run.toTheEnd();
        assertThat(run).isCompensated();
        assertThat(released).containsExactlyInAnyOrder("a", "b", "d");
        assertThat(run.explain()).contains("Reserve#2: out of stock");
    }

    @Test
    void a_list_may_be_empty_and_must_be_a_list() {
        run = ProcessTestKit.run(list(), handlers).start("key", Map.of("items", List.of()));
        run.toTheEnd();
        assertThat(run).hasSucceeded().ran("Notify", "CreatePayment");

        run = ProcessTestKit.run(list(), handlers).start("key", Map.of("items", "none"));
        run.toTheEnd();
        assertThat(run).hasFailed();
        assertThat(run.explain()).contains("'items' of the process is not a list");
    }

    @Test
    void a_list_of_a_thousand_elements_is_done_and_a_longer_one_refused() {
        List<Map<String, Object>> thousand = IntStream.range(0, 1_000)
                .mapToObj(i -> Map.<String, Object>of("sku", "s" + i))
                .toList();
        run = ProcessTestKit.run(list(), handlers).start("key", Map.of("items", thousand));
        run.toTheEnd();
        assertThat(run).hasSucceeded();
        assertThat(run.handled()).hasSize(1_002);

        var more = new ArrayList<>(thousand);
        more.add(Map.of("sku", "one more"));
        run = ProcessTestKit.run(list(), handlers).start("key", Map.of("items", more));
        run.toTheEnd();
        assertThat(run).hasFailed();
        assertThat(run.explain()).contains("'items' has 1001 elements, and a step for each takes at most 1000");
    }

    private static ProcessConfiguration waiting() {
        return process(
                "Waiting",
                start -> start.startWith(NotifyCommand.class)
                        .thenDelay("CoolOff", Duration.ofHours(1))
                        .thenWaitFor("Approval")
                        .withTimeout(Duration.ofDays(2))
                        .onTimeout(BookFxCommand.class)
                        .then(CreatePaymentCommand.class)
                        .end());
    }

    @Test
    void a_delay_passes_and_a_signal_is_waited_for() {
        run = ProcessTestKit.run(waiting(), handlers).start("key", AMOUNT);
        run.settle();
        assertThat(run.explain()).contains("CoolOff lets time pass until 13:00:00");
        run.advance(Duration.ofHours(2));
        assertThat(run.explain()).contains("Approval waits for a signal since 13:00:00 until 2026-01-03 13:00:00");
        run.signal("Approval", Map.of("by", "Ada")).toTheEnd();
        assertThat(run).hasSucceeded().ran("Notify", "CreatePayment").knows("by", "Ada");
    }

    @Test
    void a_signal_that_does_not_come_takes_the_other_way() {
        run = ProcessTestKit.run(waiting(), handlers).start("key", AMOUNT);
        run.toTheEnd();
        assertThat(run).hasSucceeded().ran("Notify", "BookFx", "CreatePayment").knows("ApprovalTimedOut", true);
    }

    @Test
    void a_signal_that_comes_early_is_kept_and_one_that_nobody_knows_is_refused() {
        run = ProcessTestKit.run(waiting(), handlers).start("key", AMOUNT);
        run.manager().signal("Waiting", "key", "Approval", Map.of("by", "Bob"));
        assertThatThrownBy(() -> run.signal("Aproval", Map.of()))
                .hasMessageContaining("waits for the signal 'Aproval'. It waits for [Approval]");
        assertThatThrownBy(() -> run.manager().signal("Waiting", "nobody", "Approval", Map.of()))
                .hasMessageContaining("There is no Waiting about 'nobody'");
        run.toTheEnd();
        assertThat(run).hasSucceeded().ran("Notify", "CreatePayment").knows("by", "Bob");
        run.signal("Approval", Map.of("by", "late"));
        assertThat(run.store().findByProcessId(run.processId()))
                .last()
                .isEqualTo(new ProcessEvent.ReplyIgnored("", "Signal Approval", "The process is SUCCEEDED."));
    }

    private static ProcessConfiguration parent() {
        return process(
                "Parent",
                start -> start.startWith(NotifyCommand.class)
                        .thenProcess("Forked", data -> Map.of("amount", 7))
                        .then(CreatePaymentCommand.class)
                        .named("Pay")
                        .end());
    }

    @Test
    void a_process_may_be_a_step_of_another() {
        run = ProcessTestKit.run(parent(), handlers).with(forked()).start("key", AMOUNT);
        run.toTheEnd();
        assertThat(run).hasSucceeded().knows("fxId", "f").ranAmongOthers("Notify", "BookFx", "CreatePayment", "Pay");
    }

    @Test
    void a_sub_process_that_fails_fails_its_step_when_it_has_undone_itself() {
        run = ProcessTestKit.run(parent(), handlers).with(forked()).start("key", AMOUNT);
        run.whenStep("CreatePayment").fails("no");
        run.toTheEnd();
        assertThat(run).hasFailed().ranAmongOthers("UnwindFx");
        assertThat(run.explain()).contains("The process Forked").contains("ended as COMPENSATED");
    }

    @Test
    void a_sub_process_is_undone_as_one() {
        run = ProcessTestKit.run(parent(), handlers).with(forked()).start("key", AMOUNT);
        run.whenStep("Pay").fails("no");
        run.toTheEnd();
        assertThat(run).isCompensated().ranAmongOthers("Pay", "UnwindFx", "ReverseTransaction", "ReverseLimits");
        assertThat(run.store().search(ProcessQuery.ANY.ofType("Forked")))
                .singleElement()
                .satisfies(child -> assertThat(child.status()).isEqualTo(ProcessStatus.COMPENSATED));
    }

    @Test
    void answers_that_come_twice_late_or_for_nobody_change_nothing_and_are_logged() {
        run.settle();
        assertThat(run).hasSucceeded();
        var again = CommandReply.completed(command(1), run.processId(), Map.of("x", 1));
        run.manager().onReply(1, again);
        run.manager().onReply(1, CommandReply.completed(new UUID(1, 1), run.processId(), Map.of()));
        assertThat(run.manager().onReply(1, CommandReply.completed(new UUID(1, 1), new UUID(2, 2), Map.of())))
                .isEqualTo(Receipt.NOT_MINE);
        assertThat(run.manager().onReply(1, CommandReply.completed(run.processId(), run.processId(), Map.of())))
                .isEqualTo(Receipt.NOT_MINE);
        assertThat(run.instance().data()).doesNotContainKey("x");
        assertThat(run.store().findByProcessId(run.processId()))
                .contains(new ProcessEvent.ReplyIgnored("Notify", "Completed", "The step is already COMPLETED."));
    }
}

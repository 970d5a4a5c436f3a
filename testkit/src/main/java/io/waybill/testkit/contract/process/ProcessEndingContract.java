package io.waybill.testkit.contract.process;

import static io.waybill.command.IdempotencyKey.idempotencyKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.command.CommandReply;
import io.waybill.command.DomainCommand;
import io.waybill.command.execution.Refusal;
import io.waybill.process.definition.ProcessConfiguration;
import io.waybill.process.definition.ProcessDefinitions;
import io.waybill.process.definition.ProcessGraphBuilder;
import io.waybill.process.graph.ProcessGraph;
import io.waybill.process.message.StepCommand;
import io.waybill.process.message.StepCommand.Purpose;
import io.waybill.process.state.ProcessStatus;
import io.waybill.process.state.StepExecution;
import io.waybill.process.state.StepStatus;
import io.waybill.process.store.ProcessQuery;
import io.waybill.process.store.ProcessStore.Active;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** How processes end that have sub-processes, steps in doubt, blocked compensations or an operator: always, and with a reason. */
public abstract class ProcessEndingContract extends ProcessScenario {

    private static final String INNER = "Inner";
    private static final String OUTER = "Outer";

    /** Compensates something that is known by the reply of its step. */
    record UndoByTicketCommand(String ticket) implements DomainCommand {
        UndoByTicketCommand {
            if (ticket == null) {
                throw new IllegalArgumentException("there is no ticket");
            }
        }
    }

    private record Defined(String type, Function<ProcessGraphBuilder, ProcessGraph> definition)
            implements ProcessConfiguration {
        @Override
        public String getProcessType() {
            return type;
        }

        @Override
        public ProcessGraph defineProcess() {
            return definition.apply(process());
        }
    }

    private static Defined inner() {
        return new Defined(
                INNER,
                start -> start.startWith(WorkCommand.class)
                        .named("Do")
                        .withCompensation(UndoCommand.class, undo -> undo.maxRetries(0))
                        .then(EndCommand.class)
                        .named("Check")
                        .end());
    }

    private static Defined outer() {
        return new Defined(
                OUTER,
                start -> start.startWith(WorkCommand.class)
                        .named("Begin")
                        .withCompensation(UndoCommand.class)
                        .thenProcess(INNER)
                        .then(WorkCommand.class)
                        .named("Finish")
                        .end());
    }

    @Test
    void a_process_whose_sub_process_is_not_defined_is_refused_when_it_is_registered() {
        assertThatThrownBy(() -> ProcessDefinitions.of(outer()))
                .hasMessageContaining("The process Outer has the process 'Inner' as a step, but no definition");
    }

    @Test
    void a_sub_process_that_cannot_be_started_fails_its_step() {
        manager = manager(outer(), inner());
        String long1 = "x".repeat(600_000);
        UUID id = manager.startProcess(OUTER, "order-1", Map.of("first", long1));
        StepCommand begin = commands.sent.remove();
        reply(begin, Map.of("second", long1));
        commands.replyToAll(manager, "");

        assertThat(status(id)).isEqualTo(ProcessStatus.COMPENSATED);
        assertThat(manager.explain(id)).contains("The process Inner could not be started", "at most");
        assertThat(manager.search(ProcessQuery.ANY.ofType(INNER))).isEmpty();
    }

    @Test
    void a_sub_process_answers_with_what_it_has_added() {
        manager = manager(
                inner(),
                new Defined(
                        OUTER,
                        start -> start.startWith(WorkCommand.class)
                                .named("Begin")
                                .thenParallel()
                                .branch(WorkCommand.class)
                                .named("Left")
                                .branch(WorkCommand.class)
                                .named("Right")
                                .thenProcess(INNER)
                                .joinAt(EndCommand.class)
                                .end()));
        UUID id = manager.startProcess(OUTER, "order-1", Map.of("state", "old"));
        commands.sent.removeIf(this::answered);
        StepCommand left = commands.replyUpTo(manager, "Left");
        commands.replyToAll(manager, "");
        reply(left, Map.of("state", "new"));
        commands.replyToAll(manager, "");

        assertThat(status(id)).isEqualTo(ProcessStatus.SUCCEEDED);
        assertThat(fixture.store().findById(id).orElseThrow().data())
                .containsEntry("state", "new")
                .containsEntry("Do", 1);
    }

    private boolean answered(StepCommand command) {
        answer(command);
        return true;
    }

    @Test
    void a_blocked_sub_process_that_is_cancelled_fails_its_step() {
        manager = manager(outer(), inner());
        UUID id = manager.startProcess(OUTER, "order-1", DATA);
        StepCommand check = commands.replyUpTo(manager, "Check");
        fail(check);
        fail(commands.sent.remove());
        UUID child = child();
        assertThat(manager.explain(child)).contains("Do is blocked");

        manager.cancelWithoutCompensation(child, "it was done by hand");
        commands.replyToAll(manager, "");

        assertThat(status(child)).isEqualTo(ProcessStatus.CANCELLED);
        assertThat(status(id)).isEqualTo(ProcessStatus.COMPENSATED);
        assertThat(manager.explain(id)).contains("ended as CANCELLED");
    }

    @Test
    void a_sub_process_that_is_cancelled_while_it_is_undone_blocks_its_parent_visibly() {
        manager = manager(outer(), inner());
        UUID id = manager.startProcess(OUTER, "order-1", DATA);
        fail(commands.replyUpTo(manager, "Finish"));
        fail(commands.replyUpTo(manager, "Do"));
        UUID child = child();
        manager.cancelWithoutCompensation(child, "leave it");
        commands.replyToAll(manager, "");

        assertThat(status(id)).isEqualTo(ProcessStatus.FAILED);
        assertThat(manager.explain(id)).contains("Inner is blocked", "What it did was not compensated");
        manager.retry(id, INNER, "look again");
        commands.replyToAll(manager, "");
        assertThat(status(id)).isEqualTo(ProcessStatus.FAILED);
        manager.skip(id, INNER, "that is known");
        commands.replyToAll(manager, "");
        assertThat(status(id)).isEqualTo(ProcessStatus.COMPENSATED);
    }

    @Test
    void a_process_that_is_cancelled_without_compensation_takes_its_sub_process_with_it() {
        manager = manager(outer(), inner());
        UUID id = manager.startProcess(OUTER, "order-1", DATA);
        StepCommand last = commands.replyUpTo(manager, "Do");
        UUID child = child();
        manager.cancelWithoutCompensation(id, "enough");
        commands.replyToAll(manager, "");

        assertThat(status(id)).isEqualTo(ProcessStatus.CANCELLED);
        assertThat(status(child)).isEqualTo(ProcessStatus.CANCELLED);
        assertThat(fixture.store().findByProcessId(child).toString())
                .as("its handler is on another database: it may still be done")
                .contains("inDoubt=[Do]");
        answer(last);
        assertThat(status(child)).isEqualTo(ProcessStatus.CANCELLED);
        assertThat(commands.sent).isEmpty();
    }

    @Test
    void a_sub_process_that_is_held_is_undone_when_it_is_resumed() {
        manager = manager(outer(), inner());
        UUID id = manager.startProcess(OUTER, "order-1", DATA);
        StepCommand check = commands.replyUpTo(manager, "Check");
        UUID child = child();
        manager.pause(child, "wait");
        manager.cancel(id, "no");
        answer(check);
        commands.replyToAll(manager, "");
        assertThat(status(child)).isEqualTo(ProcessStatus.PAUSED);

        manager.resume(child, "go");
        commands.replyToAll(manager, "");
        assertThat(status(child)).isEqualTo(ProcessStatus.COMPENSATED);
        assertThat(status(id)).isEqualTo(ProcessStatus.COMPENSATED);
    }

    @Test
    void an_element_whose_compensation_is_blocked_keeps_no_other_element_waiting() {
        manager = manager(new Defined(
                OUTER,
                start -> start.startWith(WorkCommand.class)
                        .named("Begin")
                        .thenForEach("items", 1, WorkCommand.class)
                        .named("Each")
                        .withCompensation(UndoCommand.class, undo -> undo.maxRetries(0))
                        .then(EndCommand.class)
                        .end()));
        UUID id = manager.startProcess(OUTER, "order-1", Map.of("items", List.of("a", "b", "c")));
        fail(commands.replyUpTo(manager, "End"));
        fail(commands.sent.remove());
        commands.replyToAll(manager, "");

        assertThat(fixture.store().read(id).orElseThrow().executions().stream()
                        .filter(step -> step.position() > 0 && step.commandId() != null)
                        .map(StepExecution::status))
                .containsExactly(StepStatus.COMPENSATION_BLOCKED, StepStatus.COMPENSATED, StepStatus.COMPENSATED);
        assertThat(status(id)).isEqualTo(ProcessStatus.FAILED);
        assertThat(fixture.store().active(10)).containsExactly(new Active(OUTER, ProcessStatus.FAILED, 1));
        manager.resolve(id, "Each#0", "by hand");
        assertThat(status(id)).isEqualTo(ProcessStatus.COMPENSATED);
    }

    @Test
    void a_step_in_doubt_is_asked_for_before_it_is_undone_with_what_it_answered() {
        UUID id = inDoubt();
        StepCommand refusal = commands.sent.remove();
        assertThat(refusal.purpose()).isEqualTo(Purpose.REFUSAL);
        assertThat(refusal.payload()).isEqualTo("{}");
        assertThat(manager.explain(id)).contains("Book is in doubt");

        reply(refusal, Refusal.done(Map.of("ticket", "T-1")));
        StepCommand undo = commands.sent.remove();
        assertThat(undo.type()).isEqualTo("UndoByTicket");
        assertThat(undo.payload()).contains("T-1");
        answer(undo);
        assertThat(status(id)).isEqualTo(ProcessStatus.COMPENSATED);
    }

    @Test
    void a_step_in_doubt_that_was_not_done_is_not_undone() {
        UUID id = inDoubt();
        reply(commands.sent.remove(), Refusal.refused());
        assertThat(commands.sent).isEmpty();
        assertThat(status(id)).isEqualTo(ProcessStatus.FAILED);
        assertThat(fixture.store().read(id).orElseThrow().isBlocked()).isFalse();
        assertThat(fixture.store().active(10)).isEmpty();
    }

    @Test
    void an_operator_asks_again_about_a_step_in_doubt_or_waits_no_longer() {
        UUID id = inDoubt();
        commands.sent.remove();
        manager.retry(id, "Book", "the worker was replaced");
        assertThat(commands.sent.remove().attempt()).isEqualTo(2);
        manager.skip(id, "Book", "there is no such worker any more");
        assertThat(status(id)).isEqualTo(ProcessStatus.COMPENSATED);
        assertThat(commands.sent).isEmpty();
    }

    private UUID inDoubt() {
        manager = manager(new Defined(
                OUTER,
                start -> start.startWith(WorkCommand.class)
                        .named("Book")
                        .withTimeout(Duration.ofMinutes(1))
                        .withCompensation(UndoByTicketCommand.class)
                        .then(EndCommand.class)
                        .end()));
        UUID id = manager.startProcess(OUTER, "order-1", DATA);
        commands.sent.remove();
        fixture.clock().advance(Duration.ofMinutes(2));
        assertThat(manager.runDue(10)).isEqualTo(1);
        return id;
    }

    @Test
    void a_process_that_is_held_is_not_retried() {
        manager = manager(outer(), inner());
        UUID id = manager.startProcess(OUTER, "order-1", DATA);
        StepCommand begin = commands.sent.remove();
        manager.onReply(
                1,
                new CommandReply.Failed(
                        begin.commandId(), begin.processId(), "", "not now", CommandReply.Retry.ALLOWED));
        manager.pause(id, "look first");
        assertThatThrownBy(() -> manager.retry(id, "Begin", "now"))
                .hasMessageContaining("cannot be retried before it is resumed: it is PAUSED");
        assertThat(commands.sent).isEmpty();
    }

    @Test
    void a_signal_that_comes_again_with_its_key_satisfies_no_other_step() {
        manager = manager(new Defined(
                OUTER,
                start -> start.startWith(WorkCommand.class)
                        .thenWaitFor("Approved")
                        .named("First")
                        .thenWaitFor("Approved")
                        .named("Second")
                        .end()));
        UUID id = manager.startProcess(OUTER, "order-1", DATA);
        manager.signal(id, "Approved", idempotencyKey("early"), Map.of("by", "Ada"));
        manager.signal(id, "Approved", idempotencyKey("early"), Map.of("by", "Ada"));
        answer(commands.sent.remove());
        assertThat(fixture.store().findById(id).orElseThrow().currentStep()).isEqualTo("Second");
        manager.signal(OUTER, "order-1", "Approved", idempotencyKey("early"), Map.of("by", "Ada"));
        assertThat(status(id)).isEqualTo(ProcessStatus.RUNNING);
        manager.signal(id, "Approved", idempotencyKey("late"), Map.of("by", "Bob"));
        assertThat(status(id)).isEqualTo(ProcessStatus.SUCCEEDED);
        assertThat(fixture.store().findByProcessId(id).toString()).contains("One with the key 'early' came before");
    }

    private UUID child() {
        return manager.search(ProcessQuery.ANY.ofType(INNER)).get(0).processId();
    }

    private void reply(StepCommand command, Map<String, Object> data) {
        manager.onReply(command.attempt(), CommandReply.completed(command.commandId(), command.processId(), data));
    }

    private void fail(StepCommand command) {
        manager.onReply(
                command.attempt(),
                new CommandReply.Failed(
                        command.commandId(), command.processId(), "", "no", CommandReply.Retry.FORBIDDEN));
    }
}

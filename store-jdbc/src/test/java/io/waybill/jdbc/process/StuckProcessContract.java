package io.waybill.jdbc.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.command.CommandReply;
import io.waybill.command.CommandReply.Retry;
import io.waybill.command.DomainCommand;
import io.waybill.jdbc.JdbcFixture;
import io.waybill.jdbc.sql.Jdbc;
import io.waybill.message.PayloadCodec;
import io.waybill.observe.RelayListener;
import io.waybill.process.BusCommandSender;
import io.waybill.process.ProcessManager;
import io.waybill.process.ProcessManagerParts;
import io.waybill.process.definition.ProcessConfiguration;
import io.waybill.process.definition.ProcessDefinitions;
import io.waybill.process.definition.ProcessGraphBuilder;
import io.waybill.process.graph.ProcessGraph;
import io.waybill.process.graph.RetryPolicy;
import io.waybill.process.state.ProcessStatus;
import io.waybill.process.state.StepExecution;
import io.waybill.process.state.StepKind;
import io.waybill.process.state.StepStatus;
import io.waybill.process.store.StuckProcess;
import io.waybill.process.store.StuckProcess.Missing;
import io.waybill.relay.Relay;
import io.waybill.relay.route.RelayOptions;
import io.waybill.relay.route.Route;
import io.waybill.relay.route.Routes;
import io.waybill.store.outbox.LeaseStore;
import io.waybill.testkit.contract.process.ProcessFixture;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a process waits for exists, or it is reported: every loss is brought about, and every way of waiting is not reported. */
abstract class StuckProcessContract {

    /** Has its handler here. */
    record WorkCommand() implements DomainCommand {}

    /** Has its handler on another database. */
    record AwayCommand() implements DomainCommand {}

    record UndoCommand() implements DomainCommand {}

    /** Not called: the test gives the replies. */
    public static final class Handlers {
        public void work(WorkCommand command) {}

        public void undo(UndoCommand command) {}
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

    private static final ProcessConfiguration[] ALL = {
        new Defined(
                "Two",
                process -> process.startWith(WorkCommand.class)
                        .withCompensation(UndoCommand.class)
                        .then(WorkCommand.class)
                        .named("More")
                        .withRetries(RetryPolicy.upTo(5).onAnyError())
                        .end()),
        new Defined(
                "Fork",
                process -> process.startWith(AwayCommand.class)
                        .thenParallel()
                        .branch(WorkCommand.class)
                        .named("Left")
                        .branch(WorkCommand.class)
                        .named("Right")
                        .joinAt(WorkCommand.class)
                        .end()),
        new Defined("Away", process -> process.startWith(AwayCommand.class).end()),
        new Defined(
                "Later",
                process -> process.startWith(WorkCommand.class)
                        .thenDelay("Pause", Duration.ofDays(1))
                        .end()),
        new Defined(
                "Wait",
                process ->
                        process.startWith(WorkCommand.class).thenWaitFor("Go").end()),
        new Defined(
                "Parent",
                process ->
                        process.startWith(WorkCommand.class).thenProcess("Two").end()),
    };

    private final JdbcFixture tables = open();
    private final ProcessFixture fixture = tables.processes();
    private final BusCommandSender commands = tables.commands(new Handlers());
    private final ProcessManager manager = manager(ALL);

    private int started;

    abstract JdbcFixture open();

    private ProcessManager manager(ProcessConfiguration... definitions) {
        return new ProcessManager(ProcessManagerParts.of(
                ProcessDefinitions.of(definitions),
                fixture.store(),
                commands,
                fixture.transactions(),
                PayloadCodec.found(),
                fixture.clock().time()));
    }

    @AfterEach
    void close() {
        tables.close();
    }

    @Test
    void a_step_whose_message_is_gone_is_stuck() {
        UUID id = start("Two");
        assertNotStuck();
        sql("DELETE FROM outbox");
        assertStuck(id, "Work", Missing.MESSAGE);
        assertThat(manager.stuck(10).get(0).toString()).contains("Two Two-1", "at Work", "message");
    }

    @Test
    void a_later_attempt_whose_message_is_gone_is_stuck() {
        UUID id = start("Two");
        complete(id, "Work");
        reply(id, "More", new CommandReply.Failed(command(id, "More"), id, "", "no", Retry.ALLOWED));
        assertThat(step(id, "More").status()).isEqualTo(StepStatus.WAITING);
        assertNotStuck();
        fixture.clock().advance(Duration.ofMinutes(1));
        assertThat(manager.runDue(10)).isEqualTo(1);
        assertThat(step(id, "More").attempt()).isEqualTo(2);
        assertNotStuck();
        sql("DELETE FROM outbox");
        assertStuck(id, "More", Missing.MESSAGE);
    }

    @Test
    void a_compensation_whose_message_is_gone_is_stuck() {
        UUID id = start("Two");
        complete(id, "Work");
        reply(id, "More", new CommandReply.Failed(command(id, "More"), id, "", "no", Retry.FORBIDDEN));
        assertThat(step(id, "Work").status()).isEqualTo(StepStatus.COMPENSATING);
        assertNotStuck();
        sql("DELETE FROM outbox");
        assertStuck(id, "Work", Missing.MESSAGE);
    }

    @Test
    void one_branch_is_enough() {
        UUID id = start("Fork");
        complete(id, "Away");
        assertNotStuck();
        sql("DELETE FROM outbox WHERE partition_key LIKE '%:Right'");
        assertStuck(id, "Right", Missing.MESSAGE);
    }

    @Test
    void a_message_that_an_operator_gave_up_leaves_its_step_stuck() {
        UUID id = start("Away");
        sql("UPDATE outbox SET status = 'DISCARDED'");
        assertStuck(id, "Away", Missing.MESSAGE);
    }

    @Test
    void a_step_whose_command_is_gone_or_over_is_stuck() {
        UUID gone = start("Away");
        sql("DELETE FROM command");
        UUID over = start("Fork");
        sql("UPDATE command SET status = 'COMPLETED'");
        assertThat(manager.stuck(10))
                .extracting(StuckProcess::processId, StuckProcess::missing)
                .containsExactlyInAnyOrder(Tuple.tuple(gone, Missing.COMMAND), Tuple.tuple(over, Missing.COMMAND));
        assertThat(manager.stuck(1)).hasSize(1);
    }

    @Test
    void a_process_without_an_open_step_is_stuck() {
        UUID id = start("Two");
        sql("DELETE FROM process_step");
        assertStuck(id, "Work", Missing.STEP);
    }

    @Test
    void a_pause_without_an_end_is_stuck() {
        UUID id = start("Later");
        complete(id, "Work");
        assertNotStuck();
        sql("UPDATE process_step SET due_at = NULL");
        assertStuck(id, "Pause", Missing.TIME);
    }

    @Test
    void a_sub_process_that_vanished_leaves_its_parent_stuck() {
        UUID parent = start("Parent");
        complete(parent, "Work");
        assertNotStuck();
        sql("UPDATE outbox SET status = 'HELD'");
        assertNotStuck();
        sql("UPDATE outbox SET status = 'PENDING'");
        deliver();
        UUID child = command(parent, "Two");
        assertThat(fixture.store().findById(child)).isPresent();
        assertNotStuck();
        sql("UPDATE process_instance SET status = 'SUCCEEDED' WHERE process_type = 'Two'");
        assertStuck(parent, "Two", Missing.CHILD);
        sql("DELETE FROM process_instance WHERE process_type = 'Two'");
        assertStuck(parent, "Two", Missing.CHILD);
    }

    @Test
    void a_blocked_or_paused_sub_process_is_waited_for() {
        UUID parent = start("Parent");
        complete(parent, "Work");
        deliver();
        UUID child = command(parent, "Two");
        manager.pause(child, "a moment");
        assertNotStuck();
        manager.resume(child, "go");
        complete(child, "Work");
        reply(child, "More", new CommandReply.Failed(command(child, "More"), child, "", "no", Retry.FORBIDDEN));
        reply(child, "Work", new CommandReply.Failed(undo(child, "Work"), child, "", "no", Retry.FORBIDDEN));
        assertThat(step(child, "Work").status()).isEqualTo(StepStatus.COMPENSATION_BLOCKED);
        assertThat(status(child)).isEqualTo(ProcessStatus.FAILED);
        assertNotStuck();
    }

    @Test
    void what_waits_for_something_is_not_reported() {
        UUID away = start("Away");
        sql("UPDATE outbox SET status = 'DISPATCHED'");
        sql("DELETE FROM outbox");
        assertThat(step(away, "Away").status()).isEqualTo(StepStatus.RUNNING);

        UUID signal = start("Wait");
        complete(signal, "Work");

        UUID paused = start("Two");
        manager.pause(paused, "a moment");
        sql("DELETE FROM outbox");
        sql("DELETE FROM command WHERE correlation_id = '" + paused + "'");

        UUID later = start("Two");
        sql("INSERT INTO outbox_scheduled (outbox_id, destination, due_at)"
                + " SELECT outbox_id, destination, created_at FROM outbox");
        sql("DELETE FROM outbox");
        assertThat(step(later, "Work").status()).isEqualTo(StepStatus.RUNNING);

        UUID held = start("Two");
        UUID command = command(held, "Work");
        sql("DELETE FROM outbox");
        sql("UPDATE command SET status = 'COMPLETED' WHERE command_id = '" + command + "'");
        manager().onReply(1, CommandReply.completed(command, held, Map.of()));
        assertThat(manager.explain(held)).contains("A reply has come");

        assertNotStuck();
    }

    @Test
    void what_is_stuck_is_logged_and_remembered_until_it_is_not() {
        UUID id = start("Away");
        sql("DELETE FROM command");
        assertThat(manager.lastStuck()).isEmpty();
        manager.checkStuck();
        assertThat(manager.lastStuck()).extracting(StuckProcess::processId).containsExactly(id);
        manager.cancelWithoutCompensation(id, "it is lost");
        manager.checkStuck();
        assertThat(manager.lastStuck()).as("within a minute").hasSize(1);
        fixture.clock().advance(Duration.ofMinutes(1));
        manager.checkStuck();
        assertThat(manager.lastStuck()).isEmpty();
    }

    private UUID start(String type) {
        return manager.startProcess(type, type + "-" + ++started, Map.of());
    }

    /** As a handler does: the message, the command and the process in one go. */
    private void complete(UUID id, String step) {
        reply(id, step, CommandReply.completed(command(id, step), id, Map.of()));
    }

    private void reply(UUID id, String step, CommandReply reply) {
        int attempt = step(id, step).attempt();
        sql("DELETE FROM outbox WHERE partition_key = '" + id + ":" + step + "'");
        if (reply instanceof CommandReply.Completed) {
            sql("UPDATE command SET status = 'COMPLETED' WHERE command_id = '" + reply.commandId() + "'");
        }
        manager.onReply(attempt, reply);
    }

    /** Brings processes what they were told. */
    private void deliver() {
        Routes routes =
                Routes.of(commands.routes(fixture.transactions(), manager).toArray(Route[]::new));
        try (var relay = new Relay(
                tables.outboxStore(),
                tables.leaseStore(LeaseStore.DEFAULT_POOL),
                routes,
                RelayOptions.DEFAULT,
                fixture.clock().time(),
                RelayListener.NONE)) {
            relay.drain();
        }
    }

    private UUID command(UUID id, String step) {
        return Objects.requireNonNull(step(id, step).commandId());
    }

    private UUID undo(UUID id, String step) {
        return Objects.requireNonNull(step(id, step).compensationCommandId());
    }

    private StepExecution step(UUID id, String step) {
        return fixture.store().read(id).orElseThrow().executions().stream()
                .filter(execution -> execution.step().equals(step) && execution.kind() != StepKind.BRANCH)
                .findFirst()
                .orElseThrow();
    }

    private ProcessStatus status(UUID id) {
        return fixture.store().findById(id).orElseThrow().status();
    }

    private void assertStuck(UUID id, String step, Missing missing) {
        assertThat(manager.stuck(10))
                .extracting(StuckProcess::processId, StuckProcess::step, StuckProcess::missing)
                .containsExactly(Tuple.tuple(id, step, missing));
    }

    private void assertNotStuck() {
        assertThat(manager.stuck(10)).isEmpty();
    }

    private void sql(String statement) {
        try (Connection connection = tables.dataSource.getConnection()) {
            Jdbc.update(connection, statement, none -> {});
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}

package io.waybill.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.waybill.command.DomainCommand;
import io.waybill.message.PayloadCodec;
import io.waybill.process.definition.ProcessConfiguration;
import io.waybill.process.graph.ProcessGraph;
import io.waybill.process.state.ProcessEvent;
import io.waybill.process.state.ProcessEvent.OperatorAsked;
import io.waybill.process.state.ProcessState;
import io.waybill.process.state.ProcessStatus;
import io.waybill.process.store.ProcessStore;
import io.waybill.runtime.Waybill;
import io.waybill.testkit.services.database.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Processes of an application that runs, operated from the command line, which does not know their definitions. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ProcessCommandsContract {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private volatile boolean crane;
    private TestDatabase database;
    private HikariDataSource pool;
    private Waybill application;
    private String url;

    /** Loads a ship. */
    public record LoadCommand(String ship) implements DomainCommand {}

    /** Unloads it, which needs the crane. */
    public record UnloadCommand(String ship) implements DomainCommand {}

    /** Lets it sail. */
    public record SailCommand(String ship, String captain) implements DomainCommand {}

    /** Load, wait for the captain, sail. */
    static final class Voyage implements ProcessConfiguration {
        @Override
        public String getProcessType() {
            return "Voyage";
        }

        @Override
        public ProcessGraph defineProcess() {
            return process()
                    .startWith(LoadCommand.class)
                    .withCompensation(UnloadCommand.class, undo -> undo.maxRetries(0))
                    .thenWaitFor("Aboard")
                    .then(SailCommand.class)
                    .end();
        }
    }

    /** Where ships are. */
    public final class Harbour {
        public void load(LoadCommand command) {}

        public void unload(UnloadCommand command) {
            if (!crane) {
                throw new IllegalStateException("no crane");
            }
        }

        public void sail(SailCommand command) {
            if (command.captain().isEmpty()) {
                throw new IllegalStateException("no captain");
            }
        }
    }

    @SuppressWarnings("NullAway.Init")
    ProcessCommandsContract() {}

    abstract TestDatabase open();

    @BeforeAll
    void start() {
        database = open();
        url = database.jdbcUrl().substring("jdbc:".length()).replaceFirst("//", "//" + database.user() + "@");
        var config = new HikariConfig();
        config.setDataSource(database.dataSource());
        pool = new HikariDataSource(config);
        application =
                Waybill.on(pool).handlers(new Harbour()).processes(new Voyage()).start();
    }

    @AfterAll
    void stop() {
        application.close();
        pool.close();
        database.close();
    }

    @Test
    void a_compensation_that_is_blocked_is_tried_again() {
        UUID id = blocked("Esmeralda");

        var dry = change("retry", id, "--reason", "the crane is back", "--dry-run");
        var unreasonable = change("retry", id);
        var inVain = change("retry", id, "--reason", "perhaps it is back");
        awaitStatus(id, ProcessStatus.FAILED);
        crane = true;
        var retry = change("retry", id, "--reason", "the crane is back", "--step", "Load", "-o", "json");
        awaitStatus(id, ProcessStatus.COMPENSATED);
        crane = false;

        assertThat(dry.out()).contains("retry Load", "would be asked");
        assertThat(unreasonable.exitCode()).isEqualTo(2);
        assertThat(unreasonable.err()).contains("--reason");
        assertThat(inVain.exitCode()).isZero();
        assertThat(retry.exitCode()).isZero();
        assertThat(retry.out().strip())
                .isEqualTo("[{\"id\":\"" + id + "\",\"what\":\"retry Load\",\"outcome\":\"done\",\"says\":\"\"}]");
        assertThat(log(id))
                .filteredOn(OperatorAsked.class::isInstance)
                .extracting(asked -> ((OperatorAsked) asked).reason())
                .containsExactly("perhaps it is back", "the crane is back");
    }

    @Test
    void one_that_is_skipped_or_resolved_is_over() {
        UUID skipped = blocked("Flora");
        UUID resolved = blocked("Gloria");

        var skip = change("skip", skipped, "--reason", "the ship has sunk");
        var resolve = change("resolve", resolved, "--reason", "unloaded by hand", "--step", "Load");

        assertThat(skip.exitCode()).as(skip.out() + skip.err()).isZero();
        assertThat(resolve.exitCode()).as(resolve.out() + resolve.err()).isZero();
        assertThat(log(skipped).toString()).contains("the ship has sunk");
        assertThat(log(resolved).toString()).contains("unloaded by hand");
        assertThat(store().stuck(Set.of("Load", "Unload", "Sail"), 10)).isEmpty();
        assertThat(Cli.run("process", "list", "--db", url, "--key", "Flora").out())
                .contains("COMPENSATED");
        assertThat(Cli.run("process", "graph", "--db", url, resolved.toString()).out())
                .contains("flowchart TD", "Load<br/>compensation skipped", "Sail<br/>failed");
    }

    @Test
    void what_is_not_possible_is_refused_with_the_reason_and_logged() {
        UUID id = waiting("Helena");

        var resume = change("resume", id);
        var retry = change("retry", id, "--reason", "why not");
        var signal = change("signal", id, "--name", "Ashore");
        var data = change("signal", id, "--name", "Aboard", "--data", "captain");
        var nobody = change("pause", new UUID(1, 1));

        assertThat(resume.exitCode()).isEqualTo(1);
        assertThat(resume.out()).contains("refused", "cannot be resumed: it is RUNNING");
        assertThat(retry.exitCode()).isEqualTo(1);
        assertThat(retry.out()).contains("no step of it waits to be tried again or is blocked");
        assertThat(signal.out()).contains("It waits for [Aboard]");
        assertThat(data.exitCode()).isEqualTo(2);
        assertThat(data.err()).contains("--data must be a JSON object");
        assertThat(nobody.out()).contains("There is no process ");
        assertThat(log(id))
                .filteredOn(OperatorAsked.class::isInstance)
                .hasSize(2)
                .allMatch(asked -> !((OperatorAsked) asked).refusal().isEmpty());
        ProcessState replayed = ProcessState.replayed(id, store().history(id));
        assertThat(replayed.header()).isEqualTo(store().read(id).orElseThrow().header());
    }

    @Test
    void a_process_is_held_told_and_cancelled() {
        UUID told = waiting("Irene");
        UUID cancelled = waiting("Julia");
        crane = true;

        var both =
                Cli.run("process", "pause", "--db", url, told.toString(), cancelled.toString(), "--reason", "a storm");
        assertThat(status(told)).isEqualTo(ProcessStatus.PAUSED);
        var resume = change("resume", told);
        var signal =
                change("signal", told, "--name", "Aboard", "--data", "{\"captain\":\"Ana\"}", "--reason", "she called");
        var cancel = change("cancel", cancelled, "--without-compensation", "--reason", "the harbour is closed");
        awaitStatus(told, ProcessStatus.SUCCEEDED);
        crane = false;

        assertThat(both.out()).as(both.err()).contains(told.toString(), cancelled.toString());
        assertThat(both.exitCode() + resume.exitCode() + signal.exitCode() + cancel.exitCode())
                .isZero();
        assertThat(status(cancelled)).isEqualTo(ProcessStatus.CANCELLED);
        assertThat(Cli.run("process", "explain", "--db", url, cancelled.toString())
                        .out())
                .contains("the harbour is closed");
        assertThat(Cli.run("operation", "list", "--db", url, "-o", "ndjson").out())
                .contains("waybill process signal --name Aboard " + told, "she called", told + ": done")
                .doesNotContain("captain");
    }

    @Test
    void all_processes_that_match_are_asked_at_once() {
        UUID one = blocked("Marta");
        UUID other = blocked("Nora");
        UUID running = waiting("Olga");

        var nothing = retryAll();
        var ambiguous = retryAll("--status", "failed", one.toString());
        var dry = retryAll("--status", "failed", "--type", "Voyage", "--dry-run");
        var noType = retryAll("--status", "failed", "--type", "Flight");
        crane = true;
        var retried = retryAll("--status", "failed,running", "--type", "Voyage");
        awaitStatus(one, ProcessStatus.COMPENSATED);
        awaitStatus(other, ProcessStatus.COMPENSATED);
        crane = false;

        assertThat(nothing.exitCode()).isEqualTo(2);
        assertThat(nothing.err()).contains("Nothing is selected", "--status failed");
        assertThat(ambiguous.exitCode()).isEqualTo(2);
        assertThat(ambiguous.err()).contains("not both");
        assertThat(dry.out()).contains("2 processes would be asked to retry.");
        assertThat(noType.out()).contains("0 processes asked to retry.");
        assertThat(retried.exitCode()).as(retried.err()).isZero();
        assertThat(retried.out()).contains("2 processes asked to retry.");
        assertThat(retried.err()).contains("were left alone: no step of theirs fits");
        assertThat(status(running)).isEqualTo(ProcessStatus.RUNNING);
        assertThat(Cli.run("operation", "list", "--db", url, "-o", "ndjson").out())
                .contains("waybill process retry --status failed,running --type Voyage");
    }

    private Cli retryAll(String... arguments) {
        return Cli.run(Stream.concat(
                        Stream.of("process", "retry", "--db", url, "--reason", "the crane is back"),
                        Stream.of(arguments))
                .toArray(String[]::new));
    }

    @Test
    void what_no_node_has_taken_is_done_when_one_comes() {
        UUID id = waiting("Kate");
        application.stop();

        var pause = change("pause", id, "--wait", "0");
        assertThat(status(id)).isEqualTo(ProcessStatus.RUNNING);
        application.start();
        awaitStatus(id, ProcessStatus.PAUSED);

        assertThat(pause.exitCode()).isEqualTo(4);
        assertThat(pause.out()).contains("not taken yet", "it is done when one does");
    }

    @Test
    void finished_processes_and_their_commands_are_cleaned_up() throws SQLException {
        UUID id = waiting("Lena");
        change("cancel", id, "--without-compensation", "--reason", "old");
        execute("UPDATE process_instance SET created_at = created_at - INTERVAL '31' DAY,"
                + " updated_at = updated_at - INTERVAL '31' DAY WHERE process_id = '" + id + "'");
        execute("UPDATE command SET created_at = created_at - INTERVAL '31' DAY,"
                + " updated_at = updated_at - INTERVAL '31' DAY WHERE correlation_id = '" + id + "'");

        var tooEarly = Cli.run("command", "cleanup", "--db", url, "--days", "30");
        var dry = Cli.run("process", "cleanup", "--db", url, "--days", "30", "--dry-run");
        var processes = Cli.run("process", "cleanup", "--db", url, "--days", "30");
        var commands = Cli.run("command", "cleanup", "--db", url, "-o", "json");

        assertThat(tooEarly.out()).contains("0 commands older than 30 days removed");
        assertThat(dry.out()).contains("1 processes older than 30 days would be removed");
        assertThat(processes.out()).contains("1 processes older than 30 days removed");
        assertThat(commands.out()).contains("\"removed\":1");
        assertThat(store().findById(id)).isEmpty();
    }

    private UUID waiting(String ship) {
        UUID id = application.processManager().startProcess("Voyage", ship, Map.of("ship", ship));
        await().atMost(PATIENCE)
                .until(() -> application.processManager().explain(id).contains("waits for a signal"));
        return id;
    }

    private UUID blocked(String ship) {
        UUID id = waiting(ship);
        application.processManager().signal(id, "Aboard", Map.of("captain", ""));
        awaitStatus(id, ProcessStatus.FAILED);
        return id;
    }

    private Cli change(String verb, UUID id, String... more) {
        String[] arguments = new String[5 + more.length];
        System.arraycopy(new String[] {"process", verb, "--db", url, id.toString()}, 0, arguments, 0, 5);
        System.arraycopy(more, 0, arguments, 5, more.length);
        return Cli.run(arguments);
    }

    private void awaitStatus(UUID id, ProcessStatus status) {
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(status(id)).isEqualTo(status));
    }

    private ProcessStatus status(UUID id) {
        return store().findById(id).orElseThrow().status();
    }

    private List<ProcessEvent> log(UUID id) {
        return store().findByProcessId(id);
    }

    private ProcessStore store() {
        return application.store().processStore(PayloadCodec.found());
    }

    private void execute(String sql) throws SQLException {
        try (var connection = pool.getConnection();
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}

package io.waybill.it.crash;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.jdbc.JdbcStore;
import io.waybill.message.PayloadCodec;
import io.waybill.process.definition.ProcessDefinitions;
import io.waybill.process.state.ProcessInstance;
import io.waybill.process.state.ProcessStatus;
import io.waybill.process.store.ProcessQuery;
import io.waybill.process.store.ProcessStore;
import io.waybill.testkit.process.Effect;
import io.waybill.testkit.process.simulation.Promises;
import io.waybill.testkit.services.database.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What holds for processes that nobody has thought of when the application is killed. */
abstract class ProcessCrashContract {

    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final int KILLS = Integer.getInteger("waybill.process.kills", 2);
    private static final int PROCESSES = Integer.getInteger("waybill.process.graphs", 24);
    private static final String FINISHED =
            "SELECT count(*) FROM process_instance WHERE status IN ('SUCCEEDED', 'COMPENSATED', 'FAILED')";
    private static final String EVENTS = "SELECT count(*) FROM process_log";

    abstract TestDatabase newDatabase();

    abstract String identity();

    @Test
    void random_processes_of_an_application_that_is_killed_again_and_again_end_and_what_they_undid_balances()
            throws Exception {
        var random = new Random(1);
        int eventsBetweenKills = PROCESSES * 25 / (KILLS + 1);
        int killedAtWork = 0;
        try (TestDatabase database = newDatabase()) {
            JdbcStore store = JdbcStore.on(database.dataSource()).initializeSchema();
            execute(
                    database,
                    "CREATE TABLE ledger (id " + identity() + " PRIMARY KEY, about VARCHAR(40) NOT NULL,"
                            + " step VARCHAR(40) NOT NULL, amount INT NOT NULL)");
            for (int kills = 0; kills < KILLS; kills++) {
                try (RelayProcess application = application(database, random.nextBoolean() ? 1 : 10)) {
                    long enough = count(database, EVENTS) + 1 + random.nextInt(eventsBetweenKills);
                    await().atMost(PATIENCE)
                            .pollInterval(Duration.ofMillis(20))
                            .until(() -> count(database, EVENTS) >= enough || count(database, FINISHED) == PROCESSES);
                    killedAtWork += count(database, FINISHED) < PROCESSES ? 1 : 0;
                    application.kill();
                }
                assertNoneIsStuck(store, database);
            }
            try (RelayProcess application = application(database, 10)) {
                await().atMost(PATIENCE).until(() -> count(database, FINISHED) == PROCESSES);
                assertThat(application.isAlive()).isTrue();
            }

            assertThat(killedAtWork).as("killed before all were finished").isGreaterThanOrEqualTo(KILLS / 2);
            assertNoneIsStuck(store, database);
            check(store.processStore(PayloadCodec.found()), database);
        }
    }

    /** All handlers are on this database. */
    private static void assertNoneIsStuck(JdbcStore store, TestDatabase database) throws SQLException {
        var types = new ArrayList<String>();
        try (var connection = database.dataSource().getConnection();
                var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT DISTINCT type FROM command")) {
            while (rows.next()) {
                types.add(rows.getString(1));
            }
        }
        assertThat(store.processStore(PayloadCodec.found()).stuck(types, 10))
                .as("processes that wait for nothing")
                .isEmpty();
    }

    private static void check(ProcessStore store, TestDatabase database) throws SQLException {
        Map<String, ProcessInstance> processes = store.search(ProcessQuery.ANY.atMost(PROCESSES + 1)).stream()
                .collect(Collectors.toMap(ProcessInstance::businessKey, Function.identity()));
        assertThat(processes).hasSize(PROCESSES);
        assertThat(processes.values())
                .extracting(ProcessInstance::status)
                .contains(ProcessStatus.SUCCEEDED, ProcessStatus.COMPENSATED);
        var definitions = ProcessDefinitions.of(ProcessesMain.definitions(PROCESSES));
        Map<UUID, List<Effect>> effects = effects(database, processes);
        processes
                .values()
                .forEach(process -> new Promises(
                                store, definitions, effects.getOrDefault(process.processId(), List.of()))
                        .check(process.processId()));
    }

    /** What the ledger says was done, in order. */
    private static Map<UUID, List<Effect>> effects(TestDatabase database, Map<String, ProcessInstance> processes)
            throws SQLException {
        try (var connection = database.dataSource().getConnection();
                var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT about, step, amount FROM ledger ORDER BY id")) {
            var effects = new ArrayList<Effect>();
            while (rows.next()) {
                UUID process = requireNonNull(processes.get(rows.getString(1))).processId();
                effects.add(new Effect(process, rows.getString(2), rows.getInt(3) < 0));
            }
            return effects.stream().collect(Collectors.groupingBy(Effect::processId));
        }
    }

    private static RelayProcess application(TestDatabase database, int perCommit) throws Exception {
        return RelayProcess.start(ProcessesMain.class, database, String.valueOf(PROCESSES), String.valueOf(perCommit));
    }

    private static void execute(TestDatabase database, String sql) throws SQLException {
        try (var connection = database.dataSource().getConnection();
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static long count(TestDatabase database, String sql) throws SQLException {
        try (var connection = database.dataSource().getConnection();
                var statement = connection.createStatement();
                var row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }
}

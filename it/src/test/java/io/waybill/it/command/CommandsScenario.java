package io.waybill.it.command;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.waybill.Backoff;
import io.waybill.command.CommandNaming;
import io.waybill.command.CommandRetries;
import io.waybill.it.command.Depot.Dispatch;
import io.waybill.it.command.Depot.Labelling;
import io.waybill.it.command.Depot.Tagging;
import io.waybill.runtime.Waybill;
import io.waybill.runtime.WaybillBuilder;
import io.waybill.testkit.services.H2;
import io.waybill.testkit.services.database.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/** A sender and a worker, each on its own database, and a broker between them, or one that is both; for all tests of a class. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class CommandsScenario {

    final CountDownLatch slow = new CountDownLatch(1);
    final CommandNaming naming =
            new CommandNaming("T" + UUID.randomUUID().toString().substring(0, 8), "Q", Map.of());
    private final List<AutoCloseable> opened = new ArrayList<>();
    private HikariDataSource workersDatabase;
    Waybill sender;
    Waybill worker;

    @SuppressWarnings("NullAway.Init")
    CommandsScenario() {}

    /** The broker; empty when there is none. */
    String url() {
        return "";
    }

    void createQueue(String name) {}

    /** How many batches the worker takes from a queue at once. */
    int consumers() {
        return 1;
    }

    TestDatabase newWorkersDatabase() {
        return H2.newDatabase();
    }

    @BeforeAll
    void start() throws SQLException {
        Stream.of("Pack", "Unpack", "Ship", "Label", "Unlabel", "Reply")
                .map(naming::queueOf)
                .forEach(this::createQueue);
        workersDatabase = pool(newWorkersDatabase());
        try (var connection = workersDatabase.getConnection();
                var statement = connection.createStatement()) {
            statement.execute("CREATE TABLE ledger (what VARCHAR(20) NOT NULL, item VARCHAR(60) NOT NULL)");
        }
        if (url().isEmpty()) {
            worker = working()
                    .processes(new Dispatch(), new Labelling(), new Tagging())
                    .start();
            sender = worker;
        } else {
            sender = Waybill.on(pool(H2.newDatabase()))
                    .commandNaming(naming)
                    .processes(new Dispatch(), new Labelling(), new Tagging())
                    .route(naming.prefix() + ".*.Q", url())
                    .repliesFrom(url())
                    .start();
            worker = newWorker();
        }
    }

    void startWorker() {
        worker = newWorker();
    }

    private Waybill newWorker() {
        return working()
                .commandsFrom(url())
                .consumers(consumers())
                .route(naming.replyQueue(), url())
                .start();
    }

    private WaybillBuilder working() {
        return Waybill.on(workersDatabase)
                .commandNaming(naming)
                .commandRetries(
                        CommandRetries.DEFAULT.backoff(new Backoff(Duration.ofMillis(200), Duration.ofMillis(200), 0)))
                .handlers(transactions -> new Depot(transactions, slow));
    }

    /** A worker for labels; its answers are sent by the other one. */
    Waybill startLabels() {
        return Waybill.on(workersDatabase)
                .commandNaming(naming)
                .handlers(Depot.Labels::new)
                .commandsFrom(url())
                .relays(0)
                .start();
    }

    @AfterAll
    void stop() throws Exception {
        slow.countDown();
        sender.close();
        worker.close();
        for (int i = opened.size() - 1; i >= 0; i--) {
            opened.get(i).close();
        }
    }

    private HikariDataSource pool(TestDatabase database) {
        var config = new HikariConfig();
        config.setDataSource(database.dataSource());
        config.setMaximumPoolSize(12);
        var pool = new HikariDataSource(config);
        opened.add(database);
        opened.add(pool);
        return pool;
    }

    /** What was done to an item, in order. */
    List<String> ledger(String item) {
        return lines().stream()
                .filter(line -> line.get(1).equals(item))
                .map(line -> line.get(0))
                .toList();
    }

    /** The items in order, of those that begin so. */
    List<String> itemsOf(String... prefixes) {
        return lines().stream()
                .map(line -> line.get(1))
                .filter(item -> Stream.of(prefixes).anyMatch(item::startsWith))
                .toList();
    }

    private List<List<String>> lines() {
        try (var connection = workersDatabase.getConnection();
                var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT what, item FROM ledger")) {
            var lines = new ArrayList<List<String>>();
            while (rows.next()) {
                lines.add(List.of(rows.getString(1), rows.getString(2)));
            }
            return lines;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}

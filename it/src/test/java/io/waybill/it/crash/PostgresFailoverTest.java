package io.waybill.it.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.waybill.jdbc.JdbcStore;
import io.waybill.message.Envelope;
import io.waybill.message.Message;
import io.waybill.relay.route.RelayOptions;
import io.waybill.runtime.Waybill;
import io.waybill.testkit.memory.MemoryBroker;
import io.waybill.testkit.services.database.Postgres;
import io.waybill.testkit.services.database.TestDatabase;
import io.waybill.testkit.services.host.TcpProxy;
import io.waybill.transport.Outcome;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What holds when a replica takes the place of its primary under load. */
final class PostgresFailoverTest {

    private static final int KEYS = 20;
    private static final int MANY = 200;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final MemoryBroker broker = new MemoryBroker();
    private final AtomicInteger numbers = new AtomicInteger();

    /** What the application was told to be committed. */
    private final Set<Integer> committed = new TreeSet<>();

    /** What the primary had committed, and the replica had not heard of, is gone: its ids are handed out again. */
    @Test
    void a_replica_that_lagged_takes_over_and_nothing_that_it_has_is_lost_or_overtaken() throws Exception {
        try (Postgres primary = Postgres.start()) {
            Set<Integer> kept = failOver(primary, true);
            assertThat(kept).as("what asynchronous replication lost").hasSizeLessThan(committed.size());
        }
    }

    @Test
    void a_replica_that_commits_wait_for_takes_over_and_has_everything_that_was_committed() throws Exception {
        try (Postgres primary = Postgres.start()) {
            Set<Integer> kept = failOver(primary, false);
            assertThat(kept).containsAll(committed);
        }
    }

    /** A batch is with the broker when its primary dies. When the broker answers, its rows are gone and others have their ids. */
    @Test
    void what_was_published_before_is_not_settled_on_messages_that_got_the_same_ids() throws Exception {
        RelayOptions options =
                RelayOptions.DEFAULT.withLeaseTime(Duration.ofMinutes(2)).withSweepInterval(Duration.ofMillis(100));
        try (Postgres primary = Postgres.start()) {
            TestDatabase database = primary.newDatabase();
            JdbcStore.on(database.dataSource()).initializeSchema();
            try (TcpProxy replication = TcpProxy.to(primary.port());
                    Postgres replica = primary.standby(replication.port(), "replica");
                    TcpProxy way = TcpProxy.to(primary.port());
                    HikariDataSource pool = pool(database, primary, way);
                    Waybill waybill =
                            Waybill.on(pool).relay(options).route("**", broker).start()) {
                append(waybill, 1);
                await().atMost(PATIENCE).until(() -> broker.accepted().size() == 1);
                await().atMost(PATIENCE).until(() -> count(replica.database(database), "status = 'DISPATCHED'") == 1);
                replication.refuse();
                var answering = new CountDownLatch(1);
                var asked = new CountDownLatch(1);
                broker.answers(message -> {
                    asked.countDown();
                    awaitQuietly(answering);
                    return new Outcome.Accepted();
                });
                appendMany(waybill, 2);
                awaitQuietly(asked);
                way.refuse();
                primary.crash();
                replica.promote();
                way.leadTo(replica.port());
                way.restore();
                await().atMost(PATIENCE).ignoreExceptions().until(() -> {
                    appendMany(waybill, 1_000);
                    return true;
                });
                broker.answers(message -> new Outcome.Accepted());
                answering.countDown();

                await().atMost(PATIENCE).until(() -> count(replica.database(database), "status <> 'DISPATCHED'") == 0);
                assertThat(broker.accepted().stream()
                                .map(message ->
                                        Integer.parseInt(message.payload().asText()))
                                .filter(number -> number >= 1_000)
                                .distinct())
                        .hasSize(MANY);
            }
        }
    }

    private static void append(Waybill waybill, int number) {
        waybill.transactions().inTransaction(transaction -> waybill.outbox().append(List.of(numbered(number))));
    }

    /** More than a sequence may run ahead on a replica. */
    private static void appendMany(Waybill waybill, int from) {
        List<Message> messages = IntStream.range(from, from + MANY)
                .mapToObj(PostgresFailoverTest::numbered)
                .toList();
        waybill.transactions().inTransaction(transaction -> waybill.outbox().append(messages));
    }

    private static Message numbered(int number) {
        return Message.event("Numbered", String.valueOf(number)).to("numbers").inOrderOf("key-" + number % KEYS);
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns which messages the promoted replica has. */
    private Set<Integer> failOver(Postgres primary, boolean lagging) throws Exception {
        TestDatabase database = primary.newDatabase();
        JdbcStore.on(database.dataSource()).initializeSchema();
        try (TcpProxy replication = TcpProxy.to(primary.port());
                Postgres replica = primary.standby(replication.port(), "replica");
                TcpProxy way = TcpProxy.to(primary.port());
                HikariDataSource pool = pool(database, primary, way)) {
            if (!lagging) {
                execute(database, "ALTER SYSTEM SET synchronous_standby_names = 'replica'");
                execute(database, "SELECT pg_reload_conf()");
            }
            RelayOptions options =
                    RelayOptions.DEFAULT.withLeaseTime(Duration.ofSeconds(2)).withSweepInterval(Duration.ofMillis(100));
            try (Waybill waybill = Waybill.on(pool)
                    .relays(2)
                    .relay(options)
                    .route("**", broker)
                    .start()) {
                var writing = new AtomicBoolean(true);
                var writer = new Thread(() -> write(waybill, writing));
                writer.start();
                await().atMost(PATIENCE).until(() -> broker.accepted().size() > 1_000);
                if (lagging) {
                    replication.refuse();
                    int before = broker.accepted().size();
                    await().atMost(PATIENCE).until(() -> broker.accepted().size() > before + 1_000);
                }
                way.refuse();
                primary.crash();
                replica.promote();
                way.leadTo(replica.port());
                way.restore();

                int after = numbers.get();
                TestDatabase promoted = replica.database(database);
                await().atMost(PATIENCE).until(() -> numbers.get() > after + 2_000);
                writing.set(false);
                writer.join();
                await().atMost(PATIENCE).until(() -> count(promoted, "status <> 'DISPATCHED'") == 0);
                return check(promoted);
            }
        }
    }

    /** Every message that is there has been published, and each key in its order. */
    private Set<Integer> check(TestDatabase promoted) throws SQLException {
        Set<Integer> kept = new TreeSet<>();
        try (Connection connection = promoted.dataSource().getConnection();
                ResultSet rows = connection.createStatement().executeQuery("SELECT payload FROM outbox")) {
            while (rows.next()) {
                kept.add(Integer.parseInt(rows.getString(1)));
            }
        }
        Set<Integer> published = new TreeSet<>();
        Map<String, Integer> last = new HashMap<>();
        for (Envelope message : broker.accepted()) {
            int number = Integer.parseInt(message.payload().asText());
            if (published.add(number)) {
                assertThat(number)
                        .as("of key %s", message.partitionKey())
                        .isGreaterThan(last.getOrDefault(message.partitionKey(), 0));
                last.put(message.partitionKey(), number);
            }
        }
        assertThat(published).as("what was settled has been published").containsAll(kept);
        return kept;
    }

    private void write(Waybill waybill, AtomicBoolean writing) {
        while (writing.get()) {
            int number = numbers.incrementAndGet();
            try {
                append(waybill, number);
                committed.add(number);
            } catch (RuntimeException e) {
                // Perhaps it is committed, perhaps not: it is not repeated.
            }
        }
    }

    private static HikariDataSource pool(TestDatabase database, Postgres primary, TcpProxy way) {
        var config = new HikariConfig();
        config.setJdbcUrl(database.jdbcUrl().replace(":" + primary.port() + "/", ":" + way.port() + "/"));
        config.setUsername(database.user());
        config.setPassword(database.password());
        config.setMaximumPoolSize(12);
        config.setConnectionTimeout(2_000);
        return new HikariDataSource(config);
    }

    private static void execute(TestDatabase database, String sql) throws SQLException {
        try (Connection connection = database.dataSource().getConnection()) {
            connection.createStatement().execute(sql);
        }
    }

    private static long count(TestDatabase database, String condition) throws SQLException {
        try (Connection connection = database.dataSource().getConnection();
                ResultSet row =
                        connection.createStatement().executeQuery("SELECT count(*) FROM outbox WHERE " + condition)) {
            row.next();
            return row.getLong(1);
        }
    }
}

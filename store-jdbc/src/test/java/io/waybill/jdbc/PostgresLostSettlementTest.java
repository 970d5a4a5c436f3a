package io.waybill.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.Time;
import io.waybill.message.Envelope;
import io.waybill.message.Message;
import io.waybill.observe.RelayListener;
import io.waybill.relay.Relay;
import io.waybill.relay.RelayLoop;
import io.waybill.relay.RelayOptions;
import io.waybill.relay.Route;
import io.waybill.relay.Routes;
import io.waybill.testkit.MemoryBroker;
import io.waybill.testkit.OrderCheck;
import io.waybill.testkit.services.Postgres;
import io.waybill.testkit.services.TestDatabase;
import io.waybill.transport.Outcome;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Small batches are settled without waiting for the disk: what becomes of them when the server dies before it has written. */
final class PostgresLostSettlementTest {

    private static final RelayOptions SMALL_BATCHES = RelayOptions.DEFAULT.withBatchSize(200);
    private static final int MESSAGES = 12_000;
    private static final int KEYS = 20;

    /** Of the settlements that were not written, and the batch that was under way. */
    private static final int MOST_REPEATED = 500 + 250;

    private static final String UNWRITTEN =
            "SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), pg_current_wal_flush_lsn())";

    private final MemoryBroker broker = new MemoryBroker();

    /** Who has it keeps the broker waiting. */
    private final Semaphore gate = new Semaphore(1, true);

    private Postgres server;
    private TestDatabase database;

    @SuppressWarnings("NullAway.Init")
    PostgresLostSettlementTest() {}

    @BeforeEach
    void startServerThatWritesLate() throws SQLException {
        server = Postgres.start();
        database = server.newDatabase();
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("ALTER SYSTEM SET wal_writer_delay = '10s'");
            statement.execute("SELECT pg_reload_conf()");
        }
    }

    @AfterEach
    void close() {
        database.close();
        server.close();
    }

    @Test
    void they_are_sent_again_although_the_relay_has_stepped_over_them_and_never_rests() throws SQLException {
        broker.answers(this::takeTime);
        JdbcStore store = JdbcStore.on(database.dataSource()).initializeSchema();
        append(store);
        try (var loop = RelayLoop.start(relay(store), SMALL_BATCHES)) {
            await().until(() -> broker.accepted().size() > MESSAGES / 10);
            crashBeforeEverythingIsWritten();
            Set<UUID> sent =
                    new HashSet<>(broker.accepted().stream().map(Envelope::id).toList());
            server.restart();
            loop.wake();
            await().pollInterval(Duration.ofMillis(100))
                    .until(() -> pending().stream().noneMatch(sent::contains));
            assertThat(pending()).isNotEmpty();
            broker.recovers();
            await().until(() -> pending().isEmpty());
        }

        OrderCheck check = OrderCheck.of(broker.accepted(), MESSAGES, PostgresLostSettlementTest::number);
        assertThat(check.lost()).isZero();
        assertThat(check.violations()).isEmpty();
        assertThat(check.repeated()).isBetween(1, MOST_REPEATED);
    }

    /** While the broker takes nothing, nothing is settled, and nobody writes what was. */
    private void crashBeforeEverythingIsWritten() {
        await().pollInterval(Duration.ofMillis(20)).until(() -> {
            gate.acquireUninterruptibly();
            try {
                LockSupport.parkNanos(100_000_000); // What the broker has just taken is being settled.
                boolean isAllWritten = isAllWritten();
                if (!isAllWritten) {
                    server.crash();
                }
                return !isAllWritten;
            } finally {
                gate.release();
            }
        });
    }

    private boolean isAllWritten() throws SQLException {
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(UNWRITTEN)) {
            row.next();
            return row.getLong(1) == 0;
        }
    }

    /** So that a relay is busy for some seconds. */
    private Outcome takeTime(Envelope message) {
        gate.acquireUninterruptibly();
        gate.release();
        LockSupport.parkNanos(100_000);
        return new Outcome.Accepted();
    }

    private Relay relay(JdbcStore store) {
        return new Relay(
                store.outboxStore(),
                store.leaseStore(),
                Routes.of(Route.of("**", broker)),
                SMALL_BATCHES,
                Time.system(),
                new RelayListener() {});
    }

    private static void append(JdbcStore store) {
        List<Message> messages = IntStream.range(0, MESSAGES)
                .mapToObj(number -> Message.event("Counted", "{\"n\":" + number + "}")
                        .to("numbers")
                        .inOrderOf("key-" + number % KEYS))
                .toList();
        store.transactions().inTransaction(transaction -> store.outbox().append(messages));
    }

    private Set<UUID> pending() throws SQLException {
        Set<UUID> pending = new HashSet<>();
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT outbox_id FROM outbox WHERE status = 'PENDING'")) {
            while (rows.next()) {
                pending.add(rows.getObject(1, UUID.class));
            }
        }
        return pending;
    }

    private static long number(Envelope message) {
        return Long.parseLong(message.payload().asText().replaceAll("\\D", ""));
    }
}

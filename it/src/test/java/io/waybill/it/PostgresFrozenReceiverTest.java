package io.waybill.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.it.crash.DeliveryServer;
import io.waybill.it.crash.ReceiverMain;
import io.waybill.it.crash.RelayProcess;
import io.waybill.jdbc.JdbcStore;
import io.waybill.testkit.services.database.Postgres;
import io.waybill.testkit.services.database.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A process that is stopped in the middle of its transaction holds its messages no longer than the idle time-out. */
class PostgresFrozenReceiverTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String IDLE_SECONDS = "2";
    private static final int BATCH = 20;

    @Test
    void another_receiver_handles_what_a_stopped_process_holds() throws Exception {
        try (TestDatabase database = Postgres.shared().newDatabase();
                var broker = new DeliveryServer(BATCH, new Random(1))) {
            JdbcStore.on(database.dataSource()).initializeSchema();
            query(database, "CREATE TABLE effect (number INT NOT NULL)");
            try (RelayProcess frozen = stoppedInItsTransaction(database, broker)) {
                receive(database, broker, BATCH);
                frozen.thaw();
                await().atMost(PATIENCE).until(() -> broker.redelivered() == BATCH);
                receive(database, broker, 0);
            }
            assertThat(query(database, "SELECT count(*) FROM effect")).isEqualTo(BATCH);
            assertThat(query(database, "SELECT count(DISTINCT number) FROM effect"))
                    .isEqualTo(BATCH);
        }
    }

    /** Runs a receiver until so many messages are left. */
    private static void receive(TestDatabase database, DeliveryServer broker, int left) throws Exception {
        try (RelayProcess receiver = receiver(database, broker)) {
            await().atMost(PATIENCE).until(() -> broker.left() == left);
        }
    }

    /** Its handler waits for a table that the test has locked, so it is known where it is when it is stopped. */
    private static RelayProcess stoppedInItsTransaction(TestDatabase database, DeliveryServer broker) throws Exception {
        try (var connection = database.dataSource().getConnection();
                var statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("LOCK TABLE effect IN EXCLUSIVE MODE");
            RelayProcess receiver = receiver(database, broker);
            await().atMost(PATIENCE)
                    .until(() -> query(
                                    database,
                                    "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
                                            + " AND query LIKE 'INSERT INTO effect%' AND datname = current_database()")
                            == 1);
            receiver.freeze();
            connection.rollback();
            return receiver;
        }
    }

    private static RelayProcess receiver(TestDatabase database, DeliveryServer broker) throws Exception {
        return RelayProcess.start(ReceiverMain.class, database, String.valueOf(broker.port()), IDLE_SECONDS);
    }

    private static int query(TestDatabase database, String sql) throws SQLException {
        try (var connection = database.dataSource().getConnection();
                var statement = connection.createStatement()) {
            if (!statement.execute(sql)) {
                return 0;
            }
            try (var row = statement.getResultSet()) {
                row.next();
                return row.getInt(1);
            }
        }
    }
}

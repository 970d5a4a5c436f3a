package io.waybill.it.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.jdbc.JdbcStore;
import io.waybill.testkit.services.database.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What holds when the process of a receiver is killed. */
abstract class ReceiverCrashContract {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int KILLS = Integer.getInteger("waybill.it.kills", 4) / 2;
    private static final int MESSAGES = 2_000 * KILLS;

    abstract TestDatabase newDatabase();

    @Test
    void receivers_that_are_killed_again_and_again_let_every_message_take_effect_once() throws Exception {
        var random = new Random(1);
        var receivers = new ArrayDeque<RelayProcess>();
        try (TestDatabase database = newDatabase();
                var broker = new DeliveryServer(MESSAGES, random)) {
            JdbcStore.on(database.dataSource()).initializeSchema();
            execute(database, "CREATE TABLE effect (number INT NOT NULL)");
            try {
                receivers.add(receiver(database, broker));
                for (int kills = 0; kills < KILLS; kills++) {
                    receivers.add(receiver(database, broker));
                    int before = broker.left();
                    int some = 1 + random.nextInt(MESSAGES / KILLS);
                    await().atMost(PATIENCE).until(() -> broker.left() <= Math.max(0, before - some));
                    receivers.poll().kill();
                }
                receivers.add(receiver(database, broker));
                await().atMost(PATIENCE).until(() -> broker.left() == 0);
            } finally {
                receivers.forEach(RelayProcess::close);
            }

            assertThat(broker.redelivered())
                    .as("killed in the middle of a batch")
                    .isPositive();
            assertThat(count(database, "count(*)")).isEqualTo(MESSAGES);
            assertThat(count(database, "count(DISTINCT number)")).isEqualTo(MESSAGES);
        }
    }

    private static RelayProcess receiver(TestDatabase database, DeliveryServer broker) throws Exception {
        return RelayProcess.start(ReceiverMain.class, database, String.valueOf(broker.port()));
    }

    private static void execute(TestDatabase database, String sql) throws SQLException {
        try (var connection = database.dataSource().getConnection();
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static int count(TestDatabase database, String what) throws SQLException {
        try (var connection = database.dataSource().getConnection();
                var statement = connection.createStatement();
                var row = statement.executeQuery("SELECT " + what + " FROM effect")) {
            row.next();
            return row.getInt(1);
        }
    }
}

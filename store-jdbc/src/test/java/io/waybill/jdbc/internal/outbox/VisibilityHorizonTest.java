package io.waybill.jdbc.internal.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.Time;
import io.waybill.jdbc.JdbcStore;
import io.waybill.jdbc.PostgresWithSchema;
import io.waybill.testkit.services.database.Postgres;
import io.waybill.testkit.services.database.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Ids are handed out before commit: as long as somebody may still commit a smaller one, nothing is certain. */
class VisibilityHorizonTest {

    @Test
    void nothing_is_certain_as_long_as_an_open_transaction_holds_an_id() throws SQLException {
        try (TestDatabase database = PostgresWithSchema.newDatabase();
                Connection open = database.dataSource().getConnection()) {
            execute(database, insert(), insert());
            open.setAutoCommit(false);
            open.createStatement().execute(insert());
            execute(database, insert());
            assertThat(certain(database)).as("before the third").isLessThan(3);

            open.commit();
            assertThat(certain(database)).isGreaterThanOrEqualTo(4);
        }
    }

    /** It may commit long after, and has another name after the server was restarted. */
    @Test
    void nothing_is_certain_as_long_as_a_prepared_transaction_holds_an_id() throws SQLException {
        try (Postgres server = Postgres.start(Map.of("max_prepared_transactions", "5"))) {
            TestDatabase database = server.newDatabase();
            JdbcStore.on(database.dataSource()).initializeSchema();
            execute(database, insert(), insert());
            try (Connection connection = database.dataSource().getConnection()) {
                connection.setAutoCommit(false);
                connection.createStatement().execute(insert());
                connection.createStatement().execute("PREPARE TRANSACTION 'late'");
            }
            execute(database, insert());
            assertThat(certain(database)).as("before the third").isLessThan(3);

            server.crash();
            server.restart();
            TestDatabase again = server.database(database);
            assertThat(certain(again)).as("after a restart").isLessThan(3);

            execute(again, "COMMIT PREPARED 'late'");
            assertThat(certain(again)).isGreaterThanOrEqualTo(4);
        }
    }

    /** What a relay comes to know, however often it looks. */
    private static long certain(TestDatabase database) throws SQLException {
        var horizon = new VisibilityHorizon("0", "", Time.system());
        try (Connection connection = database.dataSource().getConnection()) {
            for (int i = 0; i < 5; i++) {
                horizon.look(connection);
            }
        }
        return horizon.certain().id();
    }

    private static String insert() {
        return "INSERT INTO outbox (destination, payload) VALUES ('orders', '{}')";
    }

    private static void execute(TestDatabase database, String... statements) throws SQLException {
        try (Connection connection = database.dataSource().getConnection()) {
            for (String sql : statements) {
                connection.createStatement().execute(sql);
            }
        }
    }
}

package io.waybill.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.testkit.services.database.MariaDb;
import io.waybill.testkit.services.database.Postgres;
import io.waybill.testkit.services.database.TestDatabase;
import java.sql.SQLException;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class DoctorTest {

    @Nested
    class OnPostgres extends DoctorContract {
        @Override
        TestDatabase open() {
            return Postgres.shared().newDatabase();
        }

        @Test
        void dead_rows_and_an_index_that_was_not_finished_are_noticed() throws SQLException {
            Cli.run("schema", "apply", "--db", url);
            execute("ALTER TABLE outbox SET (autovacuum_enabled = false)");
            execute("INSERT INTO outbox (destination, payload) SELECT 'orders', '' FROM generate_series(1, 100001)");
            execute("DELETE FROM outbox");
            execute("UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'outbox_due'::regclass");

            Eventually.is(() -> assertThat(Cli.run("doctor", "--db", url).out())
                    .contains("warn bloat", "-> VACUUM outbox", "The building of outbox_due was interrupted"));
        }

        private void execute(String sql) throws SQLException {
            database.execute(sql);
        }
    }

    @Nested
    class OnMariaDb extends DoctorContract {
        @Override
        TestDatabase open() {
            return MariaDb.shared().newDatabase();
        }
    }
}

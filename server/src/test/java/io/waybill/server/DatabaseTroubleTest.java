package io.waybill.server;

import io.waybill.testkit.services.MariaDb;
import io.waybill.testkit.services.Postgres;
import io.waybill.testkit.services.TestDatabase;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

class DatabaseTroubleTest {

    @Nested
    class OnPostgres extends DatabaseTroubleContract {

        @SuppressWarnings("NullAway.Init")
        private static Postgres server;

        /** Its users need no password, except some. */
        @BeforeAll
        static void start() throws SQLException {
            server = Postgres.start();
            try (TestDatabase database = server.newDatabase()) {
                RelayServiceContract.executeIn(database, """
                        DO $$ BEGIN EXECUTE format('COPY (VALUES (%L), (%L), (%L)) TO %L',
                            'host all /^guarded all scram-sha-256', 'host all all all trust', 'local all all trust',
                            current_setting('hba_file')); END $$
                        """);
                RelayServiceContract.executeIn(database, "SELECT pg_reload_conf()");
            }
        }

        @AfterAll
        static void stop() {
            server.close();
        }

        @Override
        TestDatabase open() {
            return server.newDatabase();
        }

        @Override
        void crash() {
            server.crash();
        }

        @Override
        void restart() {
            server.restart();
        }
    }

    @Nested
    class OnMariaDb extends DatabaseTroubleContract {

        @SuppressWarnings("NullAway.Init")
        private static MariaDb server;

        @BeforeAll
        static void start() {
            server = MariaDb.start();
        }

        @AfterAll
        static void stop() {
            server.close();
        }

        @Override
        TestDatabase open() {
            return server.newDatabase();
        }

        @Override
        void crash() {
            server.crash();
        }

        @Override
        void restart() {
            server.restart();
        }
    }
}

package io.waybill.server.database;

import io.waybill.server.OwnServer;
import io.waybill.testkit.services.database.TestDatabase;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

class DatabaseTroubleTest {

    @Nested
    class OnPostgres extends DatabaseTroubleContract {

        private static final OwnServer SERVER = OwnServer.postgres();

        /** Its users need no password, except some. */
        @BeforeAll
        static void guard() throws SQLException {
            try (TestDatabase database = SERVER.databases().get()) {
                database.execute("""
                        DO $$ BEGIN EXECUTE format('COPY (VALUES (%L), (%L), (%L)) TO %L',
                            'host all /^guarded all scram-sha-256', 'host all all all trust', 'local all all trust',
                            current_setting('hba_file')); END $$
                        """);
                database.execute("SELECT pg_reload_conf()");
            }
        }

        @AfterAll
        static void stop() {
            SERVER.close();
        }

        @Override
        OwnServer server() {
            return SERVER;
        }
    }

    @Nested
    class OnMariaDb extends DatabaseTroubleContract {

        private static final OwnServer SERVER = OwnServer.mariaDb();

        @AfterAll
        static void stop() {
            SERVER.close();
        }

        @Override
        OwnServer server() {
            return SERVER;
        }
    }
}

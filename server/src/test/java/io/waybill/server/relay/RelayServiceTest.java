package io.waybill.server.relay;

import io.waybill.testkit.services.database.MariaDb;
import io.waybill.testkit.services.database.Postgres;
import io.waybill.testkit.services.database.TestDatabase;
import org.junit.jupiter.api.Nested;

class RelayServiceTest {

    @Nested
    class OnPostgres extends RelayServiceContract {
        @Override
        public TestDatabase open() {
            return Postgres.shared().newDatabase();
        }

        @Override
        public String lock(String table) {
            return "LOCK TABLE " + table + " IN ACCESS EXCLUSIVE MODE";
        }

        @Override
        public String unlock() {
            return "SELECT 1";
        }

        @Override
        public String cutOthers() {
            return "SELECT pg_terminate_backend(pid)::text FROM pg_stat_activity"
                    + " WHERE datname = current_database() AND pid <> pg_backend_pid()";
        }
    }

    @Nested
    class OnMariaDb extends RelayServiceContract {
        @Override
        public TestDatabase open() {
            return MariaDb.shared().newDatabase();
        }

        @Override
        public String lock(String table) {
            return "LOCK TABLES " + table + " WRITE";
        }

        @Override
        public String unlock() {
            return "UNLOCK TABLES";
        }

        @Override
        public String cutOthers() {
            return "SELECT concat('KILL ', id) FROM information_schema.processlist"
                    + " WHERE db = database() AND id <> connection_id()";
        }
    }
}

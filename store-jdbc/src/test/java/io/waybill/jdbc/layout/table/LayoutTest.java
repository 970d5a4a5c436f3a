package io.waybill.jdbc.layout.table;

import io.waybill.jdbc.layout.LayoutContract;
import io.waybill.testkit.services.H2;
import io.waybill.testkit.services.database.MariaDb;
import io.waybill.testkit.services.database.Postgres;
import io.waybill.testkit.services.database.TestDatabase;
import org.junit.jupiter.api.Nested;

class LayoutTest {

    @Nested
    class OnPostgres extends LayoutContract {
        @Override
        public TestDatabase newDatabase() {
            return Postgres.shared().newDatabase();
        }

        @Override
        public String keyColumn() {
            return "key";
        }

        @Override
        public String minutesAgo(int minutes) {
            return "now() - interval '" + minutes + " minutes'";
        }
    }

    @Nested
    class OnMariaDb extends LayoutContract {
        @Override
        public TestDatabase newDatabase() {
            return MariaDb.shared().newDatabase();
        }

        @Override
        public String keyColumn() {
            return "`key`";
        }

        @Override
        public String minutesAgo(int minutes) {
            return "UTC_TIMESTAMP(6) - INTERVAL " + minutes + " MINUTE";
        }
    }

    @Nested
    class OnH2 extends LayoutContract {
        @Override
        public TestDatabase newDatabase() {
            return H2.newDatabase();
        }

        @Override
        public String keyColumn() {
            return "\"KEY\"";
        }

        @Override
        public String minutesAgo(int minutes) {
            return "DATEADD(MINUTE, -" + minutes + ", CURRENT_TIMESTAMP)";
        }
    }
}

package io.waybill.jdbc.layout;

import io.waybill.testkit.services.H2;
import io.waybill.testkit.services.MariaDb;
import io.waybill.testkit.services.Postgres;
import io.waybill.testkit.services.TestDatabase;
import org.junit.jupiter.api.Nested;

class LayoutTest {

    @Nested
    class OnPostgres extends LayoutContract {
        @Override
        TestDatabase newDatabase() {
            return Postgres.shared().newDatabase();
        }

        @Override
        String keyColumn() {
            return "key";
        }

        @Override
        String minutesAgo(int minutes) {
            return "now() - interval '" + minutes + " minutes'";
        }
    }

    @Nested
    class OnMariaDb extends LayoutContract {
        @Override
        TestDatabase newDatabase() {
            return MariaDb.shared().newDatabase();
        }

        @Override
        String keyColumn() {
            return "`key`";
        }

        @Override
        String minutesAgo(int minutes) {
            return "UTC_TIMESTAMP(6) - INTERVAL " + minutes + " MINUTE";
        }
    }

    @Nested
    class OnH2 extends LayoutContract {
        @Override
        TestDatabase newDatabase() {
            return H2.newDatabase();
        }

        @Override
        String keyColumn() {
            return "\"KEY\"";
        }

        @Override
        String minutesAgo(int minutes) {
            return "DATEADD(MINUTE, -" + minutes + ", CURRENT_TIMESTAMP)";
        }
    }
}

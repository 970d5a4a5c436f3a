package io.waybill.jdbc.layout;

import io.waybill.testkit.services.MariaDb;
import io.waybill.testkit.services.Postgres;
import io.waybill.testkit.services.TestDatabase;
import org.junit.jupiter.api.Nested;

class MessengerTest {

    @Nested
    class OnPostgres extends MessengerContract {
        @Override
        TestDatabase newDatabase() {
            return Postgres.shared().newDatabase();
        }

        @Override
        String utc(int seconds) {
            return "(date_trunc('second', now() AT TIME ZONE 'UTC') + interval '" + seconds + " seconds')";
        }

        @Override
        String php(String json) {
            return json;
        }
    }

    @Nested
    class OnMariaDb extends MessengerContract {
        @Override
        TestDatabase newDatabase() {
            return MariaDb.shared().newDatabase();
        }

        @Override
        String utc(int seconds) {
            return "(UTC_TIMESTAMP() + INTERVAL " + seconds + " SECOND)";
        }

        @Override
        String php(String json) {
            return json.replace("\\", "\\\\");
        }
    }
}

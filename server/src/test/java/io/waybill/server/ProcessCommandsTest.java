package io.waybill.server;

import io.waybill.testkit.services.database.MariaDb;
import io.waybill.testkit.services.database.Postgres;
import io.waybill.testkit.services.database.TestDatabase;
import org.junit.jupiter.api.Nested;

class ProcessCommandsTest {

    @Nested
    class OnPostgres extends ProcessCommandsContract {
        @Override
        TestDatabase open() {
            return Postgres.shared().newDatabase();
        }
    }

    @Nested
    class OnMariaDb extends ProcessCommandsContract {
        @Override
        TestDatabase open() {
            return MariaDb.shared().newDatabase();
        }
    }
}

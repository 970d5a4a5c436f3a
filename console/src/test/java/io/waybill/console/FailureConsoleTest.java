package io.waybill.console;

import io.waybill.testkit.services.H2;
import io.waybill.testkit.services.database.MariaDb;
import io.waybill.testkit.services.database.Postgres;
import io.waybill.testkit.services.database.TestDatabase;
import org.junit.jupiter.api.Nested;

class FailureConsoleTest {

    @Nested
    class OnH2 extends FailureContract {
        @Override
        protected TestDatabase open() {
            return H2.newDatabase();
        }
    }

    @Nested
    class OnPostgres extends FailureContract {
        @Override
        protected TestDatabase open() {
            return Postgres.shared().newDatabase();
        }
    }

    @Nested
    class OnMariaDb extends FailureContract {
        @Override
        protected TestDatabase open() {
            return MariaDb.shared().newDatabase();
        }
    }
}

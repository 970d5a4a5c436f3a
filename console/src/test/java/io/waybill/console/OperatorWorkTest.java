package io.waybill.console;

import io.waybill.testkit.services.H2;
import io.waybill.testkit.services.database.MariaDb;
import io.waybill.testkit.services.database.Postgres;
import io.waybill.testkit.services.database.TestDatabase;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class OperatorWorkTest {

    @Nested
    class OnH2 extends OperatorWorkContract {
        @Override
        protected TestDatabase open() {
            return H2.newDatabase();
        }

        @Test
        void a_start_that_nobody_takes_waits_for_an_instance_with_the_definition() {
            aStartThatNobodyTakesWaitsForAnInstanceWithTheDefinition();
        }
    }

    @Nested
    class OnPostgres extends OperatorWorkContract {
        @Override
        protected TestDatabase open() {
            return Postgres.shared().newDatabase();
        }
    }

    @Nested
    class OnMariaDb extends OperatorWorkContract {
        @Override
        protected TestDatabase open() {
            return MariaDb.shared().newDatabase();
        }
    }
}

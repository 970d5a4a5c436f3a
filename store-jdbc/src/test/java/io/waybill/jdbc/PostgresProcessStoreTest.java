package io.waybill.jdbc;

import io.waybill.testkit.contract.ProcessFixture;
import io.waybill.testkit.contract.ProcessRemovalContract;
import io.waybill.testkit.contract.ProcessStoreContract;
import io.waybill.testkit.contract.ProcessVersionContract;
import org.junit.jupiter.api.Nested;

class PostgresProcessStoreTest {

    @Nested
    class Keeping extends ProcessStoreContract {
        @Override
        protected ProcessFixture open() {
            return processes();
        }
    }

    @Nested
    class Versions extends ProcessVersionContract {
        @Override
        protected ProcessFixture open() {
            return processes();
        }
    }

    @Nested
    class Removal extends ProcessRemovalContract {
        @Override
        protected ProcessFixture open() {
            return processes();
        }
    }

    private static ProcessFixture processes() {
        return JdbcFixture.in(PostgresWithSchema.newDatabase()).processes();
    }
}

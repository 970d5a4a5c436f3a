package io.waybill.jdbc.internal.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.Time;
import io.waybill.WaybillException;
import io.waybill.jdbc.JdbcStore;
import io.waybill.jdbc.schema.JdbcStoreOptions;
import io.waybill.testkit.services.database.MariaDb;
import io.waybill.testkit.services.database.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class InsertionOrderTest {

    @Test
    void a_database_that_counts_in_steps_is_refused_unless_order_is_given_up() throws SQLException {
        try (MariaDb server = MariaDb.start()) {
            TestDatabase database = server.newDatabase();
            try (Connection connection = database.dataSource().getConnection()) {
                connection.createStatement().execute("SET GLOBAL auto_increment_increment = 3");
            }

            assertThatThrownBy(() -> JdbcStore.on(database.dataSource()))
                    .isInstanceOf(WaybillException.class)
                    .hasMessageContainingAll("steps of 3", "Galera", "acceptUnorderedIds");
            JdbcStoreOptions accepting = JdbcStoreOptions.DEFAULT.acceptingUnorderedIds();
            assertThat(JdbcStore.on(database.dataSource(), accepting, Time.system()))
                    .isNotNull();
        }
    }

    @Test
    void databases_that_speak_postgresqls_protocol_are_told_from_it() {
        assertThat(InsertionOrder.ofVersion("CockroachDB CCL v25.2.1 (x86_64-pc-linux-gnu)"))
                .isPresent();
        assertThat(InsertionOrder.ofVersion("PostgreSQL 15.12-YB-2025.1.0.0-b0 on x86_64-pc-linux-gnu"))
                .isPresent();
        assertThat(InsertionOrder.ofVersion("PostgreSQL 18.6 on x86_64-pc-linux-gnu"))
                .isEmpty();
    }
}

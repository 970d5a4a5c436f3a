package io.waybill.jdbc.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.jdbc.JdbcStore;
import io.waybill.jdbc.Rows;
import io.waybill.testkit.services.database.Postgres;
import io.waybill.testkit.services.database.TestDatabase;
import org.junit.jupiter.api.Test;

class PostgresAdoptionTest extends AdoptionContract {

    @Override
    TestDatabase newDatabase() {
        return Postgres.shared().newDatabase();
    }

    @Override
    String guideOutbox() {
        return "CREATE TABLE outbox (outbox_id UUID PRIMARY KEY, category VARCHAR(20) NOT NULL, destination VARCHAR(200)"
                + " NOT NULL, payload TEXT NOT NULL, status VARCHAR(20) NOT NULL, retry_count INT,"
                + " created_at TIMESTAMP NOT NULL)";
    }

    @Test
    void a_process_that_has_not_ended_leaves_all_tables_as_they_are() throws Exception {
        migrate("V1__baseline", "V2__process_manager", "V4__rows_of_the_application");
        Rows.execute(database, "UPDATE process_instance SET status = 'RUNNING' WHERE business_key = 'a-1'");
        var before = Snapshot.of(database.dataSource());

        assertThatThrownBy(() -> JdbcStore.on(database.dataSource()).initializeSchema())
                .hasMessageContaining("There is a table process_instance that Waybill cannot take over")
                .hasMessageContaining(
                        "1 of its rows have a status other than SUCCEEDED, FAILED, COMPENSATED and CANCELLED");
        assertThat(Snapshot.of(database.dataSource())).isEqualTo(before);

        Rows.execute(database, "UPDATE process_instance SET status = 'FAILED' WHERE business_key = 'a-1'");
        assertThat(JdbcStore.on(database.dataSource())
                        .initializeSchema()
                        .schemaStatus()
                        .isCurrent())
                .isTrue();
        assertThat(Rows.in(database, "SELECT event_no, event_type FROM process_log ORDER BY event_no"))
                .containsExactly("-1 ProcessStarted", "0 StepCompleted");
    }

    @Override
    String secondsAgo(int seconds) {
        return "now() - interval '" + seconds + " seconds'";
    }
}

package io.waybill.jdbc.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.jdbc.JdbcStore;
import io.waybill.jdbc.Rows;
import io.waybill.testkit.memory.MemoryBroker;
import io.waybill.testkit.services.database.MariaDb;
import io.waybill.testkit.services.database.TestDatabase;
import org.junit.jupiter.api.Test;

class MariaDbAdoptionTest extends OutboxAdoptionContract {

    @Override
    TestDatabase newDatabase() {
        return MariaDb.shared().newDatabase();
    }

    @Override
    String guideOutbox() {
        return "CREATE TABLE outbox (outbox_id UUID PRIMARY KEY, category VARCHAR(20) NOT NULL, destination VARCHAR(200)"
                + " NOT NULL, payload TEXT NOT NULL, status VARCHAR(20) NOT NULL, retry_count INT,"
                + " created_at TIMESTAMP NOT NULL)";
    }

    @Override
    String secondsAgo(int seconds) {
        return "NOW() - INTERVAL " + seconds + " SECOND";
    }

    /** Between its statements nothing is locked: DDL commits. */
    @Test
    void a_row_that_comes_in_the_middle_of_the_adoption_is_delivered_too() {
        fill(database);
        var watched = WatchedDataSource.of(database.dataSource(), (sql, connection) -> {
            if (sql.contains("UPDATE outbox o")) {
                insert(database, "PENDING", ROWS + 1);
            }
        });

        JdbcStore.on(watched).initializeSchema();

        assertThat(Rows.in(database, "SELECT COUNT(*) FROM outbox WHERE id IS NULL OR id = 0"))
                .containsExactly("0");
        var broker = new MemoryBroker();
        Relays.drain(JdbcStore.on(database.dataSource()), broker);
        assertThat(broker.payloads()).hasSize(ROWS / 3 + 1).endsWith("{\"number\":" + (ROWS + 1) + "}");
    }
}

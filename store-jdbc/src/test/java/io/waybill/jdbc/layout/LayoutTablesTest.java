package io.waybill.jdbc.layout;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.jdbc.layout.table.ColumnMeaning;
import io.waybill.jdbc.layout.table.Layout;
import io.waybill.jdbc.layout.table.Layouts;
import io.waybill.jdbc.sql.Dialect;
import io.waybill.testkit.services.H2;
import io.waybill.testkit.services.database.MariaDb;
import io.waybill.testkit.services.database.Postgres;
import io.waybill.testkit.services.database.TestDatabase;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class LayoutTablesTest {

    @Nested
    class OnPostgres extends LayoutTablesContract {
        @Override
        public TestDatabase newDatabase() {
            return Postgres.shared().newDatabase();
        }

        @Override
        Dialect dialect() {
            return Dialect.POSTGRESQL;
        }

        @Override
        String bool() {
            return "BOOLEAN";
        }

        @Override
        String inAnHour() {
            return "now() + interval '1 hour'";
        }
    }

    @Nested
    class OnMariaDb extends LayoutTablesContract {
        @Override
        public TestDatabase newDatabase() {
            return MariaDb.shared().newDatabase();
        }

        @Override
        Dialect dialect() {
            return Dialect.MARIADB;
        }

        @Override
        String bool() {
            return "BOOLEAN";
        }

        @Override
        String inAnHour() {
            return "NOW() + INTERVAL 1 HOUR";
        }
    }

    @Nested
    class OnH2 extends LayoutTablesContract {
        @Override
        public TestDatabase newDatabase() {
            return H2.newDatabase();
        }

        @Override
        Dialect dialect() {
            return Dialect.H2;
        }

        @Override
        String bool() {
            return "BOOLEAN";
        }

        @Override
        String inAnHour() {
            return "DATEADD(HOUR, 1, CURRENT_TIMESTAMP)";
        }
    }

    @Test
    void a_layout_that_would_send_its_rows_for_ever_is_refused() {
        assertThatThrownBy(() -> new Layout(
                        "mapping",
                        "events",
                        java.util.Map.of(ColumnMeaning.ID, "id", ColumnMeaning.PAYLOAD, "body"),
                        java.util.Set.of(),
                        "shop",
                        java.util.Map.of("state", "NEW"),
                        java.util.Map.of("sent_at", Layout.NOW),
                        java.util.Map.of(),
                        java.util.Optional.empty(),
                        Layout.Reading.PLAIN))
                .hasMessageContaining("again and again");
        assertThatThrownBy(() -> Layouts.KAFKA_OUTBOX.withTable("x; DROP TABLE y"))
                .hasMessageContaining("not the name");
        assertThatThrownBy(() -> Layouts.named("pigeon")).hasMessageContaining("kafka-outbox");
    }
}

package io.waybill.jdbc.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.waybill.jdbc.JdbcStore;
import io.waybill.jdbc.Rows;
import io.waybill.testkit.services.H2;
import io.waybill.testkit.services.database.MariaDb;
import io.waybill.testkit.services.database.Postgres;
import io.waybill.testkit.services.database.TestDatabase;
import java.sql.SQLException;
import java.util.Map;
import java.util.function.Supplier;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.junit.jupiter.api.Test;

/** The schema files are Flyway migrations as they are. */
class FlywayTest {

    @Test
    void on_postgresql_flyway_makes_the_same_tables() throws SQLException {
        flywayMakesTheSame(Postgres.shared()::newDatabase, "postgresql", Map.of("prefix", ""));
    }

    @Test
    void on_mariadb_flyway_makes_the_same_tables() throws SQLException {
        flywayMakesTheSame(
                MariaDb.shared()::newDatabase, "mysql", Map.of("prefix", "", "collation", "utf8mb4_nopad_bin"));
    }

    @Test
    void on_h2_flyway_makes_the_same_tables() throws SQLException {
        flywayMakesTheSame(H2::newDatabase, "h2", Map.of("prefix", ""));
    }

    /** Versions are counted per history table: the application and Waybill have one each, and both begin with 1. */
    @Test
    void the_migrations_of_the_application_are_counted_apart() {
        try (var database = Postgres.shared().newDatabase()) {
            Rows.execute(database, "CREATE TABLE account (account_id UUID PRIMARY KEY)");
            flyway(database, "postgresql", Map.of("prefix", "wb_"))
                    .table("flyway_waybill_history")
                    .baselineOnMigrate(true)
                    .baselineVersion("0")
                    .load()
                    .migrate();

            assertThat(Rows.in(database, "SELECT shard FROM wb_relay_lease")).hasSize(64);
        }
    }

    private static void flywayMakesTheSame(
            Supplier<TestDatabase> databases, String folder, Map<String, String> placeholders) throws SQLException {
        try (var ours = databases.get();
                var theirs = databases.get()) {
            JdbcStore.on(ours.dataSource()).initializeSchema();
            flyway(theirs, folder, placeholders).load().migrate();

            assertThat(Snapshot.of(theirs.dataSource())).isEqualTo(Snapshot.of(ours.dataSource()));
            var store = JdbcStore.on(theirs.dataSource());
            assertThatCode(() -> store.initializeSchema(InitializeSchema.NEVER)).doesNotThrowAnyException();
            store.initializeSchema(InitializeSchema.ALWAYS);
            assertThat(Snapshot.of(theirs.dataSource())).isEqualTo(Snapshot.of(ours.dataSource()));
        }
    }

    private static FluentConfiguration flyway(TestDatabase database, String folder, Map<String, String> placeholders) {
        return Flyway.configure()
                .dataSource(database.dataSource())
                .locations("classpath:io/waybill/schema/" + folder)
                .placeholders(placeholders);
    }
}

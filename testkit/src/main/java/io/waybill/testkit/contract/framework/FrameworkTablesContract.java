package io.waybill.testkit.contract.framework;

import static io.waybill.command.IdempotencyKey.idempotencyKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.command.CommandBus;
import io.waybill.process.ProcessManager;
import io.waybill.testkit.contract.framework.FrameworkFixture.FileCommand;
import io.waybill.testkit.services.database.Postgres;
import io.waybill.testkit.services.database.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * The migrations of an application are its own, as the guide numbers them, and Waybill's tables come after them. Every integration passes it,
 * with Flyway on PostgreSQL, and one of them with Liquibase.
 */
public abstract class FrameworkTablesContract {

    private static final Duration SOON = Duration.ofSeconds(20);

    /** What the migrations of the application write, in the columns that the guide has. */
    private static final List<String> ROWS = List.of(
            "SELECT command_id, type, idempotency_key, payload, status FROM command WHERE type LIKE '%Account' ORDER BY 1",
            "SELECT message_id, handler FROM inbox WHERE handler = 'AccountListener'",
            "SELECT outbox_id, category, destination, payload FROM outbox WHERE destination LIKE 'accounts.%' ORDER BY 1",
            "SELECT process_id, process_type, business_key, status, retries FROM process_instance"
                    + " WHERE process_type = 'AccountCreation' ORDER BY 1",
            "SELECT log_id, process_id, event_type FROM process_log WHERE process_id::text LIKE '%0021' ORDER BY created_at");

    private final TestDatabase database = Postgres.shared().newDatabase();

    /** An application that runs. */
    public interface Application extends AutoCloseable {
        CommandBus commandBus();

        ProcessManager processManager();

        @Override
        void close();
    }

    /**
     * Starts an application that migrates this database by the files of {@code classpath:io/waybill/testkit/guide}, sends {@code accounts.*} to
     * {@code stdout:}, and has the beans {@link FrameworkFixture.Clerk} and {@link FrameworkFixture.Filing}.
     */
    protected abstract Application start(TestDatabase database);

    /** The numbers of the application's migrations and what they are recognised by, as they were applied. */
    protected String history() {
        return "SELECT version, checksum FROM flyway_schema_history ORDER BY installed_rank";
    }

    @AfterEach
    void closeDatabase() {
        database.close();
    }

    @Test
    void tables_that_the_guides_own_migrations_made_are_adopted_with_their_rows() throws Exception {
        try (Application application = start(database)) {
            assertThat(rows(history()).stream().map(row -> row.split(" ", 2)[0]))
                    .containsExactly("1", "2", "3", "4");
            assertThat(ROWS.stream().map(this::count)).containsExactly(2, 1, 2, 2, 2);
            await().atMost(SOON)
                    .untilAsserted(() -> assertThat(
                                    rows("SELECT DISTINCT status FROM outbox WHERE destination LIKE 'accounts.%'"))
                            .containsExactly("DISPATCHED"));

            application
                    .commandBus()
                    .send(new FileCommand("a letter"), idempotencyKey("letter"))
                    .await(SOON);
            UUID process = application.processManager().startProcess("Filing", "f-1", Map.of("what", "a form"));

            await().atMost(SOON)
                    .untilAsserted(() -> assertThat(
                                    rows("SELECT status FROM process_instance WHERE process_id = '" + process + "'"))
                            .containsExactly("SUCCEEDED"));
            assertThat(application.processManager().explain(UUID.fromString("00000000-0000-0000-0000-000000000021")))
                    .contains("a-1");
        }
    }

    @Test
    void an_upgrade_of_waybill_touches_no_number_of_the_application() throws Exception {
        start(database).close();
        List<String> before = rows(history());
        // What an upgrade finds: the script of the new version has not run yet.
        execute("DROP TABLE operation_log");
        execute("DELETE FROM waybill_schema WHERE version LIKE 'V011%'");

        start(database).close();

        assertThat(rows(history())).isEqualTo(before);
        assertThat(rows("SELECT count(*) FROM operation_log")).containsExactly("0");
        assertThat(rows("SELECT version FROM waybill_schema WHERE version LIKE 'V011%'"))
                .hasSize(1);
    }

    private int count(String sql) {
        try {
            return rows(sql).size();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private List<String> rows(String sql) throws SQLException {
        return database.rows(sql);
    }

    private void execute(String sql) throws SQLException {
        database.execute(sql);
    }
}

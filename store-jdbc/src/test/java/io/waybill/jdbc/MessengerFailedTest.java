package io.waybill.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.Time;
import io.waybill.jdbc.schema.FailedTable;
import io.waybill.jdbc.schema.JdbcStoreOptions;
import io.waybill.message.Payload;
import io.waybill.ops.FailedMessages;
import io.waybill.store.failed.FailedSelection;
import io.waybill.testkit.services.database.MariaDb;
import io.waybill.testkit.services.database.Postgres;
import io.waybill.testkit.services.database.TestDatabase;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What failed in PHP, retried and edited by Waybill. */
class MessengerFailedTest {

    abstract static class Contract {

        private TestDatabase database;
        private FailedMessages failed;

        @SuppressWarnings("NullAway.Init")
        Contract() {}

        abstract TestDatabase open();

        @BeforeEach
        void openDatabase() {
            database = open();
            failed = JdbcStore.on(
                            database.dataSource(),
                            JdbcStoreOptions.DEFAULT.withFailedTable(FailedTable.MESSENGER_MESSAGES),
                            Time.system())
                    .initializeSchema()
                    .failedMessages();
        }

        @AfterEach
        void closeDatabase() {
            database.close();
        }

        @ParameterizedTest
        @ValueSource(strings = {"json", "php", "binary"})
        void a_retry_puts_a_row_of_php_back_into_its_queue_byte_for_byte(String format) throws Exception {
            long id = insert(format, "failed");

            assertThatThrownBy(() -> failed.retry(all(), FailedMessages.Target.HANDLER, "ink", done -> {}))
                    .hasMessageContaining("'async'")
                    .hasMessageContaining("--queue NAME");
            assertThat(queueOf(id)).isEqualTo("failed");

            assertThat(failed.giveBack(all(), "default", "ink", done -> {})).isEqualTo(1);
            assertThat(queueOf(id)).isEqualTo("default");
            assertThat(row("body", id)).isEqualTo(Symfony.recorded(format + ".body"));
            assertThat(row("headers", id)).isEqualTo(headers(format));
            assertThat(row("delivered_at", id)).isNull();
            assertThat(Rows.in(database, "SELECT destination FROM outbox")).isEmpty();
        }

        @Test
        void the_queue_of_a_transport_is_known_by_rows_that_have_its_name() throws Exception {
            long id = insert("json", "failed");
            insert("json", "async");

            assertThat(failed.retry(all(), FailedMessages.Target.HANDLER, "ink", done -> {}))
                    .isEqualTo(new FailedMessages.Retried(1, 0));

            assertThat(queueOf(id)).isEqualTo("async");
        }

        @Test
        void a_row_of_php_that_goes_to_its_broker_keeps_its_type_and_loses_the_stamps_of_its_failure()
                throws Exception {
            insert("json", "failed");

            failed.retry(all(), FailedMessages.Target.QUEUE, "ink", done -> {});

            assertThat(Rows.in(database, "SELECT destination FROM outbox")).containsExactly("async");
            assertThat(Rows.in(database, "SELECT headers FROM outbox").get(0))
                    .contains("\"type\"", "OrderPlaced", "BusNameStamp")
                    .doesNotContain("SentToFailureTransportStamp");
        }

        @Test
        void what_php_has_serialized_is_never_edited() throws Exception {
            long id = insert("php", "failed");

            assertThatThrownBy(() -> failed.edit(id, Optional.of(Payload.text("{}")), Map.of(), "typo"))
                    .hasMessageContaining("PHP's own serialization");

            assertThat(row("body", id)).isEqualTo(Symfony.recorded("php.body"));
        }

        @Test
        void an_edited_row_of_php_keeps_everything_else_as_symfony_wrote_it() throws Exception {
            long id = insert("json", "failed");

            failed.edit(id, Optional.of(Payload.text("{\"orderId\":\"o-2\"}")), Map.of(), "typo");
            assertThat(row("headers", id)).isEqualTo(headers("json"));
            assertThat(row("body", id)).isEqualTo("{\"orderId\":\"o-2\"}");

            failed.edit(id, Optional.empty(), Map.of("Content-Type", "text/plain", "by", "hand"), "typo");
            assertThat(row("headers", id))
                    .contains("SentToFailureTransportStamp", "\"by\":\"hand\"")
                    .doesNotContain("X-Waybill");
        }

        @Test
        void what_a_worker_on_mariadb_has_acknowledged_is_no_failed_message() throws Exception {
            long id = insert("json", "failed");
            Rows.execute(
                    database, "UPDATE messenger_messages SET delivered_at = '9999-12-31 23:59:59' WHERE id = " + id);

            assertThat(failed.count(all())).isZero();
        }

        @ParameterizedTest
        @ValueSource(strings = {"json", "php"})
        void symfony_takes_what_was_retried(String format) throws Exception {
            var symfony = Symfony.on(database);
            symfony.run("fail", "messenger_messages", "failed", format, "America/New_York");

            assertThat(failed.list(all(), 0, 10)).singleElement().satisfies(message -> {
                assertThat(message.message().type()).isEqualTo("App\\Message\\OrderPlaced");
                assertThat(message.cause().error()).isEqualTo("no ink");
                assertThat(message.source()).isEqualTo("async");
            });
            failed.giveBack(all(), "default", "ink", done -> {});

            assertThat(symfony.run("take", "messenger_messages", "default", format, "America/New_York"))
                    .isEqualTo("App\\Message\\OrderPlaced o-1 async\n");
        }

        private long insert(String format, String queue) throws Exception {
            try (var connection = database.dataSource().getConnection();
                    var insert = connection.prepareStatement(
                            "INSERT INTO messenger_messages (body, headers, queue_name, created_at, available_at)"
                                    + " VALUES (?, ?, ?, '2026-11-16 10:00:00', '2026-11-16 10:00:00')")) {
                insert.setString(1, Symfony.recorded(format + ".body"));
                insert.setString(2, headers(format));
                insert.setString(3, queue);
                insert.executeUpdate();
            }
            return Long.parseLong(
                    Rows.in(database, "SELECT max(id) FROM messenger_messages").get(0));
        }

        private static String headers(String format) {
            return Symfony.recorded((format.equals("json") ? "json" : "php") + ".headers");
        }

        private String queueOf(long id) throws SQLException {
            return String.valueOf(row("queue_name", id));
        }

        private String row(String column, long id) throws SQLException {
            try (var connection = database.dataSource().getConnection();
                    var statement = connection.createStatement();
                    var row =
                            statement.executeQuery("SELECT " + column + " FROM messenger_messages WHERE id = " + id)) {
                row.next();
                return row.getString(1);
            }
        }

        private static FailedSelection all() {
            return FailedSelection.all();
        }
    }

    @Nested
    class OnPostgres extends Contract {
        @Override
        TestDatabase open() {
            return Postgres.shared().newDatabase();
        }
    }

    @Nested
    class OnMariaDb extends Contract {
        @Override
        TestDatabase open() {
            return MariaDb.shared().newDatabase();
        }
    }
}

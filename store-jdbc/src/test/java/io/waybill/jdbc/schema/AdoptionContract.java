package io.waybill.jdbc.schema;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.Time;
import io.waybill.WaybillException;
import io.waybill.inbox.Inbox;
import io.waybill.inbox.Subscriber;
import io.waybill.jdbc.JdbcStore;
import io.waybill.jdbc.Rows;
import io.waybill.jdbc.sql.Dialect;
import io.waybill.message.Envelope;
import io.waybill.message.Message;
import io.waybill.ops.OutboxOperations;
import io.waybill.store.admin.Selection;
import io.waybill.testkit.memory.MemoryBroker;
import io.waybill.testkit.services.database.Postgres;
import io.waybill.testkit.services.database.TestDatabase;
import java.io.IOException;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An application had an outbox as in the guide, and gets Waybill. */
abstract class AdoptionContract {

    static final int ROWS = 300;

    /** As an application inserts that knows the old columns only. */
    private static final String INSERT =
            "INSERT INTO outbox (outbox_id, category, destination, payload, status, retry_count, created_at) VALUES ";

    TestDatabase database;

    abstract TestDatabase newDatabase();

    /** The guide's outbox in the words of this database. */
    abstract String guideOutbox();

    /** An expression for a time so many seconds ago. */
    abstract String secondsAgo(int seconds);

    @BeforeEach
    void open() {
        database = newDatabase();
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void every_row_is_kept_and_what_is_pending_is_delivered_in_its_old_order() {
        fill(database);
        List<String> before = oldColumns(database);

        var store = JdbcStore.on(database.dataSource()).initializeSchema();

        assertThat(oldColumns(database)).isEqualTo(before);
        assertThat(ids(database))
                .isEqualTo(IntStream.rangeClosed(1, ROWS).boxed().toList());
        var broker = new MemoryBroker();
        assertThat(Relays.drain(store, broker)).isEqualTo(ROWS / 3);
        assertThat(broker.payloads()).isEqualTo(pendingPayloads());
        assertThat(Relays.drain(store, broker)).isZero();
    }

    @Test
    void what_failed_can_be_replayed_and_what_was_dispatched_is_cleaned_up() {
        fill(database);
        var store = JdbcStore.on(database.dataSource()).initializeSchema();

        assertThat(new OutboxOperations(store.admin()).replay(Selection.failed(), done -> {}))
                .isEqualTo(ROWS / 3);
        assertThat(store.cleanup().countDispatched(Duration.ZERO)).isEqualTo(ROWS / 3);
    }

    @Test
    void old_and_new_code_write_side_by_side() {
        fill(database);
        var store = JdbcStore.on(database.dataSource()).initializeSchema();
        Relays.drain(store, new MemoryBroker());

        insert(database, "PENDING", ROWS + 1);
        store.transactions()
                .inTransaction(transaction -> store.outbox()
                        .append(Message.event("OrderPlaced", "\"new\"")
                                .to("orders")
                                .inOrderOf("a")));
        insert(database, "PENDING", ROWS + 2);

        assertThat(ids(database)).hasSize(ROWS + 3).doesNotHaveDuplicates().contains(ROWS + 1, ROWS + 2, ROWS + 3);
        var broker = new MemoryBroker();
        assertThat(Relays.drain(store, broker)).isEqualTo(3);
        assertThat(broker.payloads()).containsExactly(payload(ROWS + 1), "\"new\"", payload(ROWS + 2));
    }

    @Test
    void an_adoption_that_is_interrupted_anywhere_is_finished_by_the_next_start() {
        int survived = 1;
        while (!isAdoptedWithin(survived)) {
            survived += WatchedDataSource.KILLED_EVERY;
        }
        assertThat(survived).isGreaterThan(20);
    }

    private boolean isAdoptedWithin(int statements) {
        try (var fresh = newDatabase()) {
            fill(fresh);
            List<String> before = oldColumns(fresh);
            boolean finished;
            try {
                JdbcStore.on(WatchedDataSource.crashingAfter(statements, fresh.dataSource()))
                        .initializeSchema();
                finished = true;
            } catch (WaybillException e) {
                assertThat(e).hasMessageContaining("the process was killed");
                finished = false;
            }
            var store = JdbcStore.on(fresh.dataSource()).initializeSchema();
            assertThat(store.schema().status(fresh.dataSource()).isCurrent()).isTrue();
            assertThat(oldColumns(fresh))
                    .as("after a kill behind statement " + statements)
                    .isEqualTo(before);
            assertThat(ids(fresh)).hasSize(ROWS).doesNotHaveDuplicates().isSorted();
            assertThat(Relays.drain(store, new MemoryBroker())).isEqualTo(ROWS / 3);
            return finished;
        }
    }

    @Test
    void the_plan_says_beforehand_what_will_be_run_and_who_will_wait() {
        fill(database);
        var schema = JdbcStore.on(database.dataSource()).schema();

        List<SchemaStatement> plan = schema.plan(database.dataSource());

        assertThat(plan).extracting(SchemaStatement::sql).anyMatch(sql -> sql.contains("ADD COLUMN"));
        assertThat(plan).extracting(SchemaStatement::sql).noneMatch(sql -> sql.contains("CREATE TABLE outbox ("));
        assertThat(plan)
                .filteredOn(statement -> statement.sql().contains("ALTER TABLE outbox"))
                .extracting(SchemaStatement::lock)
                .anyMatch(lock -> lock.contains("rewrites the table") || lock.contains("copies the table"));
        assertThat(plan).extracting(SchemaStatement::sql).noneMatch(sql -> sql.contains("DROP"));
        assertThat(oldColumns(database)).hasSize(ROWS);
        assertThatThrownBy(() -> schema.validate(database.dataSource()))
                .hasMessageContaining("table outbox has no")
                .hasMessageContaining("partition_key");
    }

    @Test
    void a_table_that_cannot_be_taken_over_is_not_touched() throws SQLException {
        execute("CREATE TABLE outbox (outbox_id INT PRIMARY KEY, category VARCHAR(16), destination VARCHAR(255),"
                + " payload VARCHAR(1000), status VARCHAR(16), headers VARCHAR(100), tenant INT NOT NULL)");
        var before = Snapshot.of(database.dataSource());

        assertThatThrownBy(() -> JdbcStore.on(database.dataSource()).initializeSchema())
                .isInstanceOf(WaybillException.class)
                .hasMessageContaining("the type of column outbox_id is int")
                .hasMessageContaining("it has no column retry_count")
                .hasMessageContaining("it has no column created_at")
                .hasMessageContaining("its column headers means something else to Waybill")
                .hasMessageContaining("its column tenant needs a value that Waybill does not know")
                .hasMessageContaining("Nothing was changed");
        assertThat(Snapshot.of(database.dataSource())).isEqualTo(before);
    }

    @Test
    void rows_that_would_be_lost_are_named() {
        fill(database);
        insert(database, "CLAIMED", ROWS + 1);

        assertThatThrownBy(() -> JdbcStore.on(database.dataSource()).initializeSchema())
                .hasMessageContaining("1 of its rows have a status other than PENDING, DISPATCHED and FAILED");
    }

    @Test
    void a_constraint_that_would_stop_waybill_is_named() {
        execute(guideOutbox().replaceFirst("\\)$", ", CONSTRAINT known CHECK (status IN ('PENDING', 'FAILED')))"));

        assertThatThrownBy(() -> JdbcStore.on(database.dataSource()).initializeSchema())
                .hasMessageContainingAll("its constraint", "limits the column status");
    }

    @Test
    void the_inbox_of_the_guide_still_knows_what_was_handled() {
        execute("CREATE TABLE inbox (message_id VARCHAR(255) NOT NULL, handler VARCHAR(255) NOT NULL,"
                + " processed_at TIMESTAMP NOT NULL, PRIMARY KEY (message_id, handler))");
        Envelope handled = Message.event("OrderPlaced", "1").to("orders").seal(UUID::randomUUID);
        execute("INSERT INTO inbox VALUES ('" + handled.id() + "', 'billing', " + secondsAgo(3600) + ")");

        var store = JdbcStore.on(database.dataSource()).initializeSchema();

        var inbox = new Inbox(store.inboxStore(), store.transactions(), store.outbox());
        assertThat(inbox.receive(handled, Subscriber.ofText("billing", received -> {})))
                .isFalse();
        assertThat(inbox.receive(handled, Subscriber.ofText("shipping", received -> {})))
                .isTrue();
        assertThat(store.cleanup().countHandled(Duration.ofMinutes(50))).isEqualTo(1);
        assertThat(store.cleanup().countHandled(Duration.ofMinutes(70))).isZero();
    }

    @Test
    void a_deduplication_table_made_elsewhere_is_used_as_it_is() {
        boolean bytes = JdbcStore.on(database.dataSource()).dialect() == Dialect.MARIADB;
        execute("CREATE TABLE message_broker_deduplication (message_id " + (bytes ? "BINARY(16)" : "UUID")
                + " NOT NULL PRIMARY KEY, message_name VARCHAR(255) NOT NULL, processed_at TIMESTAMP NOT NULL)");
        execute("CREATE INDEX idx_dedup_processed_at ON message_broker_deduplication (processed_at)");
        Envelope handled = Message.event("OrderPlaced", "1").to("orders").seal(UUID::randomUUID);
        Envelope fresh = Message.event("OrderPlaced", "2").to("orders").seal(UUID::randomUUID);
        String id = bytes ? "UNHEX('" + handled.id().toString().replace("-", "") + "')" : "'" + handled.id() + "'";
        execute("INSERT INTO message_broker_deduplication VALUES (" + id + ", 'App.Message.OrderPlaced', "
                + secondsAgo(3600) + ")");

        var store = JdbcStore.on(
                        database.dataSource(),
                        JdbcStoreOptions.DEFAULT.withInboxTable(InboxTable.DEDUPLICATION),
                        Time.system())
                .initializeSchema();

        var inbox = new Inbox(store.inboxStore(), store.transactions(), store.outbox());
        var billing = Subscriber.ofText("billing", received -> {});
        assertThat(inbox.receive(handled, billing)).isFalse();
        assertThat(inbox.receive(fresh, billing)).isTrue();
        assertThat(inbox.receive(fresh, billing)).isFalse();
        assertThat(Rows.in(database, "SELECT message_name FROM message_broker_deduplication"))
                .containsExactlyInAnyOrder("App.Message.OrderPlaced", "billing");
    }

    @Test
    void a_row_inserted_by_hand_with_destination_and_payload_alone_is_delivered() {
        var store = JdbcStore.on(database.dataSource()).initializeSchema(InitializeSchema.ALWAYS);
        execute("INSERT INTO outbox (destination, payload) VALUES ('orders', 'by hand')");

        var broker = new MemoryBroker();
        assertThat(Relays.drain(store, broker)).isEqualTo(1);
        assertThat(broker.payloads()).containsExactly("by hand");
    }

    /** As many pending, dispatched and failed messages, the oldest last in the table. */
    void fill(TestDatabase into) {
        var statuses = List.of("PENDING", "DISPATCHED", "FAILED");
        Rows.execute(into, guideOutbox());
        Rows.execute(
                into,
                INSERT
                        + IntStream.rangeClosed(1, ROWS)
                                .map(i -> ROWS + 1 - i)
                                .mapToObj(number -> row(statuses.get(number % 3), number))
                                .collect(joining(", ")));
    }

    static void insert(TestDatabase into, String status, int number) {
        Rows.execute(into, INSERT + row(status, number));
    }

    private static String row(String status, int number) {
        var createdAt = LocalDateTime.of(2026, 1, 1, 0, 0).plusSeconds(number);
        return "('" + UUID.randomUUID() + "', 'event', 'orders', '" + payload(number) + "', '" + status + "', 0, '"
                + Timestamp.valueOf(createdAt) + "')";
    }

    private static String payload(int number) {
        return "{\"number\":" + number + "}";
    }

    private static List<String> pendingPayloads() {
        return IntStream.rangeClosed(1, ROWS)
                .filter(number -> number % 3 == 0)
                .mapToObj(AdoptionContract::payload)
                .toList();
    }

    private static List<String> oldColumns(TestDatabase in) {
        return Rows.in(
                in,
                "SELECT outbox_id, category, destination, payload, status, retry_count FROM outbox ORDER BY created_at");
    }

    private static List<Integer> ids(TestDatabase in) {
        return Rows.in(in, "SELECT id FROM outbox ORDER BY created_at").stream()
                .map(Integer::valueOf)
                .toList();
    }

    /** Runs migrations as the guide has them. */
    void migrate(String... migrations) throws IOException {
        for (String migration : migrations) {
            try (var file = Postgres.class.getResourceAsStream("/io/waybill/testkit/guide/" + migration + ".sql")) {
                String text = new String(Objects.requireNonNull(file).readAllBytes(), UTF_8);
                for (String statement : text.replaceAll("(?m)^--.*$", "").split(";", -1)) {
                    if (!statement.isBlank()) {
                        execute(statement);
                    }
                }
            }
        }
    }

    private void execute(String sql) {
        Rows.execute(database, sql);
    }
}

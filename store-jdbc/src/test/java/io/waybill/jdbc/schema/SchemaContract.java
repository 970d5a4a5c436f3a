package io.waybill.jdbc.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.waybill.Time;
import io.waybill.WaybillException;
import io.waybill.inbox.Inbox;
import io.waybill.inbox.Subscriber;
import io.waybill.jdbc.JdbcStore;
import io.waybill.jdbc.Rows;
import io.waybill.message.Message;
import io.waybill.ops.Cleanup;
import io.waybill.ops.OutboxOperations;
import io.waybill.store.admin.Selection;
import io.waybill.testkit.memory.MemoryBroker;
import io.waybill.testkit.services.database.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What can be relied on when an application starts: the tables are there, or it says what is missing. */
abstract class SchemaContract {

    TestDatabase database;

    abstract TestDatabase newDatabase();

    @BeforeEach
    void open() {
        database = newDatabase();
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void many_instances_may_start_at_once() throws Exception {
        int instances = 8;
        var together = new CyclicBarrier(instances);
        var starts = new ArrayList<Callable<Boolean>>();
        for (int i = 0; i < instances; i++) {
            starts.add(() -> {
                try (var pool = pool()) {
                    JdbcStore store = JdbcStore.on(pool);
                    together.await();
                    store.initializeSchema();
                    return store.schema().status(pool).isCurrent();
                }
            });
        }
        var threads = Executors.newFixedThreadPool(instances);
        try {
            for (var start : threads.invokeAll(starts)) {
                assertThat(start.get()).isTrue();
            }
        } finally {
            threads.shutdownNow();
        }

        assertThat(Rows.in(database, "SELECT version FROM waybill_schema")).doesNotHaveDuplicates();
        assertThat(Rows.in(database, "SELECT shard FROM relay_lease")).hasSize(64);
    }

    @Test
    void whenever_a_start_is_interrupted_the_next_one_finishes_it() throws SQLException {
        JdbcStore.on(database.dataSource()).initializeSchema();
        var complete = Snapshot.of(database.dataSource());

        int survived = 1;
        while (!isFinishedWithin(survived, complete)) {
            survived += WatchedDataSource.KILLED_EVERY;
        }
        assertThat(survived).isGreaterThan(20);
    }

    /** Starts on a fresh database, is killed after so many statements, and starts again. */
    private boolean isFinishedWithin(int statements, Iterable<String> complete) throws SQLException {
        try (var fresh = newDatabase()) {
            boolean finished;
            try {
                JdbcStore.on(WatchedDataSource.crashingAfter(statements, fresh.dataSource()))
                        .initializeSchema();
                finished = true;
            } catch (WaybillException e) {
                assertThat(e).hasMessageContaining("the process was killed");
                finished = false;
            }
            JdbcStore.on(fresh.dataSource()).initializeSchema();
            assertThat(Snapshot.of(fresh.dataSource()))
                    .as("after a kill behind statement " + statements)
                    .containsExactlyElementsOf(complete);
            assertThat(Rows.in(fresh, "SELECT shard FROM relay_lease")).hasSize(64);
            return finished;
        }
    }

    @Test
    void a_pool_without_auto_commit_gets_its_tables_too() {
        try (var pool = pool(false)) {
            JdbcStore.on(pool).initializeSchema();
        }
        assertThat(Rows.in(database, "SELECT version FROM waybill_schema")).hasSizeGreaterThan(4);
        assertThat(Rows.in(database, "SELECT shard FROM relay_lease")).hasSize(64);
    }

    @Test
    void without_the_right_to_create_everything_that_is_missing_is_named_at_once() {
        JdbcStore.on(database.dataSource()).initializeSchema();
        execute("DROP TABLE inbox");
        execute("DROP TABLE outbox_archive");
        execute("ALTER TABLE relay_lease DROP COLUMN rewind");

        assertThatThrownBy(() -> JdbcStore.on(database.dataSource()).initializeSchema(InitializeSchema.NEVER))
                .isInstanceOf(WaybillException.class)
                .hasMessageContaining("table inbox is missing (V001__outbox_and_inbox)")
                .hasMessageContaining("table outbox_archive is missing (V002__outbox_archive)")
                .hasMessageContaining("table relay_lease has no rewind (V001__outbox_and_inbox)")
                .hasMessageContaining("waybill schema apply")
                .hasMessageContaining("waybill schema print")
                .hasMessageContaining("classpath:io/waybill/schema/");
    }

    @Test
    void an_empty_database_has_nothing_and_a_current_one_needs_nothing() {
        var schema = JdbcStore.on(database.dataSource()).schema();

        var before = schema.status(database.dataSource());
        assertThat(before.applied()).isEmpty();
        assertThat(before.missing())
                .startsWith("V001__outbox_and_inbox", "V002__outbox_archive", "V003__failed_message", "V004__command");
        assertThat(schema.plan(database.dataSource())).hasSizeGreaterThan(9);

        schema.apply(database.dataSource());
        assertThat(schema.status(database.dataSource()).isCurrent()).isTrue();
        assertThat(schema.plan(database.dataSource())).isEmpty();
        assertThatCode(() -> schema.validate(database.dataSource())).doesNotThrowAnyException();
    }

    @Test
    void what_was_made_by_hand_is_as_good() throws SQLException {
        var schema = JdbcStore.on(database.dataSource()).schema();
        for (String statement : schema.print().split(";\\s*\\n", -1)) {
            if (!statement.isBlank()) {
                execute(statement);
            }
        }
        var byHand = Snapshot.of(database.dataSource());

        assertThatCode(() -> JdbcStore.on(database.dataSource()).initializeSchema(InitializeSchema.NEVER))
                .doesNotThrowAnyException();
        assertThat(schema.plan(database.dataSource()))
                .extracting(SchemaStatement::sql)
                .noneMatch(sql -> sql.contains("CREATE"));
        JdbcStore.on(database.dataSource()).initializeSchema();
        assertThat(Snapshot.of(database.dataSource())).isEqualTo(byHand);
    }

    @Test
    void tables_of_somebody_else_are_named_before_anything_is_made() throws SQLException {
        execute("CREATE TABLE inbox (mail VARCHAR(100))");
        execute("CREATE TABLE operation_log (line VARCHAR(100))");
        var before = Snapshot.of(database.dataSource());

        var store = JdbcStore.on(database.dataSource());
        assertThatThrownBy(store::initializeSchema)
                .isInstanceOf(WaybillException.class)
                .hasMessageContaining("- inbox has no handler, message_id")
                .hasMessageContaining("- operation_log has no ")
                .hasMessageContaining("Nothing was changed.")
                .hasMessageContaining("table prefix");
        assertThatThrownBy(() -> store.schema().plan(database.dataSource()))
                .hasMessageContaining("- inbox has no handler, message_id");
        assertThat(Snapshot.of(database.dataSource())).isEqualTo(before);
    }

    /** What relays wrote before they said what they serve. */
    @Test
    void relays_with_leases_of_an_earlier_form_and_of_this_one_refuse_each_other_at_start() {
        JdbcStore store = JdbcStore.on(database.dataSource()).initializeSchema();
        assertThatThrownBy(
                        () -> Rows.execute(
                                database,
                                "INSERT INTO relay_node (relay, pool, expires_at) VALUES ('old', 'default', CURRENT_TIMESTAMP)"))
                .as("a relay of the earlier form")
                .rootCause()
                .hasMessageMatching("(?is).*kind.*");
        assertThat(Rows.in(database, "SELECT relay FROM relay_node")).isEmpty();

        Rows.execute(database, "ALTER TABLE relay_node DROP COLUMN kind");
        Rows.execute(database, "ALTER TABLE relay_node DROP COLUMN serves");
        for (InitializeSchema mode : List.of(InitializeSchema.ALWAYS, InitializeSchema.NEVER)) {
            assertThatThrownBy(() -> store.initializeSchema(mode))
                    .isInstanceOf(WaybillException.class)
                    .hasMessageContaining("relay_node has no kind, serves");
        }
    }

    @Test
    void with_a_prefix_everything_works_beside_the_tables_of_others() throws SQLException {
        execute("CREATE TABLE inbox (mail VARCHAR(100))");
        execute("CREATE TABLE outbox (mail VARCHAR(100))");
        var options = JdbcStoreOptions.DEFAULT.withPrefix("wb_");
        var store = JdbcStore.on(database.dataSource(), options, Time.system()).initializeSchema();

        sendsAndReceives(store);

        try (var connection = database.dataSource().getConnection()) {
            assertThat(Snapshot.tables(connection))
                    .extracting(table -> table.toLowerCase(Locale.ROOT))
                    .allMatch(table -> table.startsWith("wb_") || table.equals("inbox") || table.equals("outbox"));
        }
        store.initializeSchema(InitializeSchema.NEVER);
    }

    @Test
    void two_prefixes_live_in_one_database() {
        for (String prefix : List.of("a_", "b_")) {
            var options = JdbcStoreOptions.DEFAULT.withPrefix(prefix);
            sendsAndReceives(
                    JdbcStore.on(database.dataSource(), options, Time.system()).initializeSchema());
        }
    }

    private static void sendsAndReceives(JdbcStore store) {
        var message = Message.event("OrderPlaced", "1").to("orders").inOrderOf("a");
        store.transactions().inTransaction(transaction -> store.outbox().append(List.of(message, message)));
        var broker = new MemoryBroker();

        assertThat(Relays.drain(store, broker)).isEqualTo(2);

        assertThat(broker.payloads()).containsExactly("1", "1");
        var inbox = new Inbox(store.inboxStore(), store.transactions(), store.outbox());
        assertThat(inbox.receive(message.seal(UUID::randomUUID), Subscriber.ofText("billing", received -> {})))
                .isTrue();
        var operations = new OutboxOperations(store.admin());
        assertThat(operations.stats()).isEmpty();
        assertThat(operations.list(Selection.all(), 0, 10)).hasSize(2);
        var all = Cleanup.Options.olderThan(Duration.ZERO);
        assertThat(new Cleanup(store.cleanup()).outbox(all, done -> {})).isEqualTo(2);
        assertThat(new Cleanup(store.cleanup()).inbox(all, done -> {})).isEqualTo(1);
    }

    void execute(String sql) {
        Rows.execute(database, sql);
    }

    private HikariDataSource pool() {
        return pool(true);
    }

    private HikariDataSource pool(boolean autoCommit) {
        var config = new HikariConfig();
        DataSource dataSource = database.dataSource();
        config.setDataSource(dataSource);
        config.setMaximumPoolSize(2);
        config.setAutoCommit(autoCommit);
        return new HikariDataSource(config);
    }
}

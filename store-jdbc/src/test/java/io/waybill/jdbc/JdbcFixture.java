package io.waybill.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.waybill.command.CommandNaming;
import io.waybill.command.CommandRetries;
import io.waybill.command.execution.CommandRuntime;
import io.waybill.command.handler.AutoCommandHandlerRegistry;
import io.waybill.command.store.CommandStore;
import io.waybill.jdbc.schema.FailedTable;
import io.waybill.jdbc.schema.InboxTable;
import io.waybill.jdbc.schema.JdbcStoreOptions;
import io.waybill.jdbc.sql.Dialect;
import io.waybill.jdbc.sql.Jdbc;
import io.waybill.jdbc.sql.JdbcTransaction;
import io.waybill.message.PayloadCodec;
import io.waybill.outbox.Outbox;
import io.waybill.process.BusCommandSender;
import io.waybill.store.Transaction;
import io.waybill.store.Transactions;
import io.waybill.store.admin.CleanupStore;
import io.waybill.store.admin.OutboxAdmin;
import io.waybill.store.admin.ScheduledAdmin;
import io.waybill.store.failed.FailedStore;
import io.waybill.store.inbox.InboxStore;
import io.waybill.store.inbox.WaitingKeys;
import io.waybill.store.outbox.LeaseStore;
import io.waybill.store.outbox.OutboxStore;
import io.waybill.testkit.ManualClock;
import io.waybill.testkit.contract.process.ProcessFixture;
import io.waybill.testkit.contract.support.StoreFixture;
import io.waybill.testkit.services.database.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** A fresh database with the current schema. */
public final class JdbcFixture implements StoreFixture {

    public final HikariDataSource dataSource;
    private final TestDatabase database;
    private final ManualClock clock = ManualClock.now();
    private final JdbcStore store;
    private final String prefix;

    private JdbcFixture(TestDatabase database, JdbcStoreOptions options) {
        this.database = database;
        this.prefix = options.prefix();
        this.dataSource = pooled(database);
        this.store = JdbcStore.on(dataSource, options, clock.time()).initializeSchema();
    }

    public static JdbcFixture in(TestDatabase database) {
        return new JdbcFixture(database, JdbcStoreOptions.DEFAULT);
    }

    static JdbcFixture with(JdbcStoreOptions options, TestDatabase database) {
        return new JdbcFixture(database, options);
    }

    static JdbcFixture withPrefix(String prefix, TestDatabase database) {
        return new JdbcFixture(database, JdbcStoreOptions.DEFAULT.withPrefix(prefix));
    }

    static JdbcFixture withoutRetention(TestDatabase database) {
        return new JdbcFixture(database, JdbcStoreOptions.DEFAULT.withRetention(Duration.ZERO));
    }

    /** Notes what was handled by the 16 bytes of the message's id. */
    static JdbcFixture withDeduplication(TestDatabase database) {
        return new JdbcFixture(database, JdbcStoreOptions.DEFAULT.withInboxTable(InboxTable.DEDUPLICATION));
    }

    /** Keeps what could not be handled in the failed queue of Symfony Messenger. */
    static JdbcFixture withMessengerFailures(TestDatabase database) {
        return new JdbcFixture(database, JdbcStoreOptions.DEFAULT.withFailedTable(FailedTable.MESSENGER_MESSAGES));
    }

    /** The processes in it. */
    public ProcessFixture processes() {
        return new ProcessFixture(
                store.processStore(PayloadCodec.found()),
                store.transactions(),
                clock,
                Optional.of(commands()),
                this::close);
    }

    /** Sends the commands of processes, with these handlers. */
    public BusCommandSender commands(Object... handlers) {
        PayloadCodec codec = PayloadCodec.found();
        Outbox outbox = Outbox.in(store.outboxStore(), store.transactions());
        var commandRuntime = new CommandRuntime(
                AutoCommandHandlerRegistry.of(handlers),
                store.commandStore(),
                outbox,
                store.transactions(),
                CommandNaming.DEFAULT,
                CommandRetries.DEFAULT,
                codec,
                clock.time());
        return new BusCommandSender(commandRuntime, outbox, codec);
    }

    private static HikariDataSource pooled(TestDatabase database) {
        var config = new HikariConfig();
        config.setDataSource(database.dataSource());
        config.setMaximumPoolSize(20);
        config.setMinimumIdle(0);
        return new HikariDataSource(config);
    }

    @Override
    public OutboxStore outboxStore() {
        return store.outboxStore();
    }

    @Override
    public LeaseStore leaseStore(String pool) {
        return store.leaseStore(pool);
    }

    @Override
    public InboxStore inboxStore() {
        return store.inboxStore();
    }

    @Override
    public CommandStore commandStore() {
        return store.commandStore();
    }

    @Override
    public FailedStore failedStore() {
        return store.failedStore();
    }

    @Override
    public WaitingKeys waitingKeys() {
        return store.waitingKeys();
    }

    @Override
    public ScheduledAdmin scheduledMessages() {
        return store.scheduledMessages();
    }

    @Override
    public OutboxAdmin admin() {
        return store.admin();
    }

    @Override
    public CleanupStore cleanup() {
        return store.cleanup();
    }

    @Override
    public List<UUID> archived() {
        try (var connection = dataSource.getConnection()) {
            return Jdbc.query(
                    connection,
                    "SELECT outbox_id FROM " + prefix + "outbox_archive ORDER BY id",
                    statement -> {},
                    row -> row.getObject(1, UUID.class));
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public Transactions transactions() {
        return store.transactions();
    }

    @Override
    public ManualClock clock() {
        return clock;
    }

    /** What is not dispatched, by status: the contract does not ask whether dispatched rows are kept. */
    @Override
    public Map<String, Long> statuses() {
        var statuses = new HashMap<String, Long>();
        try (var connection = dataSource.getConnection();
                var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT status, count(*) FROM " + prefix
                        + "outbox WHERE status <> 'DISPATCHED' GROUP BY status")) {
            while (rows.next()) {
                statuses.put(rows.getString(1), rows.getLong(2));
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return statuses;
    }

    @Override
    public long rowsRead() {
        try (var connection = dataSource.getConnection()) {
            return switch (Dialect.of(connection)) {
                case POSTGRESQL -> {
                    // What a session has counted is seen by others after a second, or when it is told so.
                    count(connection, "SELECT 1 FROM pg_stat_force_next_flush()");
                    yield count(
                            connection,
                            "SELECT (SELECT sum(seq_tup_read) FROM pg_stat_user_tables)"
                                    + " + (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes)");
                }
                case MARIADB, MYSQL ->
                    count(
                            connection,
                            "SELECT sum(variable_value) FROM information_schema.global_status"
                                    + " WHERE variable_name LIKE 'Handler_read%'");
                case H2 -> 0;
            };
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static long count(Connection connection, String sql) throws SQLException {
        return Jdbc.query(connection, sql, statement -> {}, row -> row.getLong(1))
                .get(0);
    }

    @Override
    public void analyze() {
        try (var connection = dataSource.getConnection();
                var statement = connection.createStatement()) {
            statement.execute(Dialect.of(connection).isMySql() ? "ANALYZE TABLE " + prefix + "outbox" : "ANALYZE");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void cut(Transaction transaction) {
        try {
            transaction.unwrap(Connection.class).abort(Runnable::run);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void damage(UUID id) {
        try (var connection = dataSource.getConnection()) {
            Jdbc.update(
                    connection,
                    "UPDATE " + prefix + "outbox SET headers = '{no json' WHERE outbox_id = ?",
                    statement -> statement.setObject(1, id));
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public OpenTransaction begin() {
        try {
            Connection connection = dataSource.getConnection();
            connection.setAutoCommit(false);
            return new OpenConnection(connection);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        dataSource.close();
        database.close();
    }

    private record OpenConnection(Connection connection) implements OpenTransaction {

        @Override
        public Transaction current() {
            return JdbcTransaction.of(connection);
        }

        @Override
        public void commit() {
            try {
                connection.commit();
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void close() {
            try {
                connection.rollback();
                connection.close();
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}

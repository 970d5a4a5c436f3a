package io.waybill.jdbc;

import io.waybill.Time;
import io.waybill.command.store.CommandStore;
import io.waybill.jdbc.internal.admin.JdbcCleanupStore;
import io.waybill.jdbc.internal.admin.JdbcOutboxAdmin;
import io.waybill.jdbc.internal.admin.JdbcScheduledAdmin;
import io.waybill.jdbc.internal.command.JdbcCommandStore;
import io.waybill.jdbc.internal.failed.JdbcFailedStore;
import io.waybill.jdbc.internal.failed.MessengerFailedStore;
import io.waybill.jdbc.internal.inbox.JdbcInboxStore;
import io.waybill.jdbc.internal.inbox.JdbcWaitingKeys;
import io.waybill.jdbc.internal.lease.JdbcLeaseStore;
import io.waybill.jdbc.internal.outbox.InsertionOrder;
import io.waybill.jdbc.internal.outbox.JdbcOutboxStore;
import io.waybill.jdbc.internal.process.JdbcProcessStore;
import io.waybill.jdbc.internal.sql.RoundTrips;
import io.waybill.jdbc.internal.waiting.JdbcWaitingSource;
import io.waybill.jdbc.ops.CommandAdmin;
import io.waybill.jdbc.ops.MessageSearch;
import io.waybill.jdbc.ops.OperationLog;
import io.waybill.jdbc.ops.OutboxFailures;
import io.waybill.jdbc.ops.ProcessAdmin;
import io.waybill.jdbc.ops.RelayNode;
import io.waybill.jdbc.ops.RelayNodes;
import io.waybill.jdbc.ops.StoredBacklog;
import io.waybill.jdbc.schema.DatabaseRole;
import io.waybill.jdbc.schema.FailedTable;
import io.waybill.jdbc.schema.InitializeSchema;
import io.waybill.jdbc.schema.JdbcStoreOptions;
import io.waybill.jdbc.schema.Schema;
import io.waybill.jdbc.schema.SchemaStatus;
import io.waybill.jdbc.schema.TableRights;
import io.waybill.jdbc.sql.Dialect;
import io.waybill.jdbc.sql.Jdbc;
import io.waybill.jdbc.sql.JdbcTransactions;
import io.waybill.message.PayloadCodec;
import io.waybill.observe.WaitingSource;
import io.waybill.ops.FailedMessages;
import io.waybill.ops.FailedOverview;
import io.waybill.outbox.Outbox;
import io.waybill.process.store.ProcessStore;
import io.waybill.store.Transactions;
import io.waybill.store.admin.CleanupStore;
import io.waybill.store.admin.OutboxAdmin;
import io.waybill.store.admin.ScheduledAdmin;
import io.waybill.store.failed.FailedStore;
import io.waybill.store.inbox.InboxStore;
import io.waybill.store.inbox.WaitingKeys;
import io.waybill.store.outbox.LeaseStore;
import io.waybill.store.outbox.OutboxStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Everything Waybill keeps in one database. Made once per {@link DataSource} and shared. */
public final class JdbcStore {

    private static final Logger log = LoggerFactory.getLogger(JdbcStore.class);

    private final DataSource dataSource;
    private final Dialect dialect;
    private final JdbcStoreOptions options;
    private final Time time;
    private final RoundTrips roundTrips;
    private final OutboxStore outbox;
    private final JdbcTransactions transactions;

    private JdbcStore(DataSource dataSource, Dialect dialect, JdbcStoreOptions options, Time time) {
        this.dataSource = dataSource;
        this.dialect = dialect;
        this.options = options;
        this.time = time;
        this.roundTrips = new RoundTrips(dialect);
        this.outbox = JdbcOutboxStore.of(dataSource, dialect, options, roundTrips, time);
        this.transactions = new JdbcTransactions(dataSource);
    }

    /** The store in this database, whose product is asked for. */
    public static JdbcStore on(DataSource dataSource) {
        return on(dataSource, JdbcStoreOptions.DEFAULT, Time.system());
    }

    public static JdbcStore on(DataSource dataSource, JdbcStoreOptions options, Time time) {
        try (Connection connection = dataSource.getConnection()) {
            Dialect dialect = Dialect.of(connection);
            InsertionOrder.require(connection, dialect, options.unorderedIds());
            return new JdbcStore(dataSource, dialect, options, time);
        } catch (SQLException e) {
            throw Jdbc.failed("connect to the database", e);
        }
    }

    /** Creates the tables or brings them up to date. */
    public JdbcStore initializeSchema() {
        return initializeSchema(InitializeSchema.ALWAYS);
    }

    /**
     * Creates the tables or only checks them.
     *
     * @throws io.waybill.WaybillException that names everything that is missing
     */
    public JdbcStore initializeSchema(InitializeSchema mode) {
        schema().initialize(dataSource, mode);
        String lacking = rights(DatabaseRole.APPLICATION).lacking(dataSource);
        if (!lacking.isEmpty()) {
            log.warn("WB-153 {} Until then, features that use these tables fail.", lacking);
        }
        return this;
    }

    /** What a user of this role must be allowed. */
    public TableRights rights(DatabaseRole role) {
        return TableRights.of(role, dialect, options.prefix());
    }

    /** The tables themselves: to print, to plan, to look at. */
    public Schema schema() {
        return Schema.of(dialect, options);
    }

    /** How far the tables are now. */
    public SchemaStatus schemaStatus() {
        return schema().status(dataSource);
    }

    /** The database product. */
    public Dialect dialect() {
        return dialect;
    }

    public OutboxStore outboxStore() {
        return outbox;
    }

    public LeaseStore leaseStore() {
        return leaseStore(LeaseStore.DEFAULT_POOL);
    }

    /** The leases of relays whose destinations are not those of other pools. */
    public LeaseStore leaseStore(String pool) {
        return new JdbcLeaseStore(dataSource, dialect, options.prefix(), pool);
    }

    /** The relays that have said lately that they live, of every pool. */
    public List<RelayNode> relayNodes() {
        return new RelayNodes(dataSource, dialect, options.prefix()).all();
    }

    /** What the relays that live serve, of every pool, as they have written it. */
    public List<String> served() {
        return new RelayNodes(dataSource, dialect, options.prefix()).served();
    }

    public InboxStore inboxStore() {
        return new JdbcInboxStore(dialect, options, time);
    }

    public WaitingKeys waitingKeys() {
        return new JdbcWaitingKeys(dialect, options.prefix());
    }

    public CommandStore commandStore() {
        return new JdbcCommandStore(dataSource, dialect, options.prefix(), roundTrips, time);
    }

    /** What an operator sees of commands. */
    public CommandAdmin commandAdmin() {
        return new CommandAdmin(dataSource, dialect, options.prefix());
    }

    /** What an operator lists of processes. */
    public ProcessAdmin processAdmin() {
        return new ProcessAdmin(dataSource, dialect, options.prefix());
    }

    /** Messages of the outbox that were refused for the last time, by what is wrong with them. */
    public OutboxFailures outboxFailures() {
        return new OutboxFailures(dataSource, dialect, options.prefix());
    }

    /** Which relay has which shard. */
    public List<RelayNodes.ShardLease> leases() {
        return new RelayNodes(dataSource, dialect, options.prefix()).leases();
    }

    /** What an operator sees and changes; {@code new OutboxOperations(store.admin())} makes whole operations of it. */
    public OutboxAdmin admin() {
        return new JdbcOutboxAdmin(dataSource, dialect, options.prefix(), time);
    }

    /** Where a person looks for messages of the outbox. */
    public MessageSearch messageSearch() {
        return new MessageSearch(dataSource, dialect, options.prefix(), time);
    }

    /** Messages for later; {@code new ScheduledOperations(store.scheduledMessages())} makes whole operations of it. */
    public ScheduledAdmin scheduledMessages() {
        return new JdbcScheduledAdmin(dataSource, dialect, options.prefix(), time);
    }

    /** Who changed what from outside the application, and why. */
    public OperationLog operationLog() {
        return new OperationLog(dataSource, dialect, options.prefix());
    }

    /** What could not be handled. */
    public FailedStore failedStore() {
        return failedStore(options.failedTable(), ZoneOffset.UTC);
    }

    private FailedStore failedStore(FailedTable table, ZoneId zone) {
        return switch (table) {
            case FAILED_MESSAGE -> new JdbcFailedStore(dataSource, dialect, options.prefix(), time);
            case MESSENGER_MESSAGES -> new MessengerFailedStore(dataSource, dialect, options.prefix(), time, zone);
        };
    }

    /** What an operator does with what could not be handled. */
    public FailedMessages failedMessages() {
        return failedMessages(options.failedTable(), ZoneOffset.UTC);
    }

    /**
     * The same for what is kept in this table.
     *
     * @param zone in which its application writes times, where the columns do not say it
     */
    public FailedMessages failedMessages(FailedTable table, ZoneId zone) {
        return new FailedMessages(failedStore(table, zone), outbox, transactions);
    }

    /** What could not be handled or published, and what happens to it next. */
    public FailedOverview failedOverview() {
        return failedOverview(options.failedTable(), ZoneOffset.UTC);
    }

    /** The same for what is kept in this table. */
    public FailedOverview failedOverview(FailedTable table, ZoneId zone) {
        return new FailedOverview(failedStore(table, zone), admin());
    }

    /** Removes what is over; {@code new Cleanup(store.cleanup())} makes whole operations of it. */
    public CleanupStore cleanup() {
        return new JdbcCleanupStore(dataSource, dialect, options, time);
    }

    /** Processes; their data and events are written by this codec. */
    public ProcessStore processStore(PayloadCodec codec) {
        return new JdbcProcessStore(dataSource, dialect, options.prefix(), codec, roundTrips, time);
    }

    /**
     * What waits in these tables.
     *
     * @param patience how long a message may wait before that is unusual; a reply or a step may wait five times as long
     */
    public WaitingSource waiting(Duration patience) {
        return waitingSource(patience);
    }

    /** What waits, with the counts of messages: cheaper than to ask for both. */
    public StoredBacklog backlog(Duration patience) {
        return waitingSource(patience).backlog();
    }

    private JdbcWaitingSource waitingSource(Duration patience) {
        return new JdbcWaitingSource(dataSource, dialect, options.prefix(), failedStore(), time, patience);
    }

    /** Signals between processes, where the database has them: on PostgreSQL. The caller closes them. */
    public Optional<Signals> signals() {
        return dialect == Dialect.POSTGRESQL
                ? Optional.of(new PostgresSignals(dataSource, options.prefix()))
                : Optional.empty();
    }

    /** Tells relays of all processes that something can be sent, where the database can tell them. */
    public void wakeRelays() {
        if (dialect == Dialect.POSTGRESQL) {
            PostgresSignals.sendOnce(dataSource, options.prefix());
        }
    }

    public Transactions transactions() {
        return transactions;
    }

    /** The outbox for code that runs inside {@code transactions().inTransaction(...)}. */
    public Outbox outbox() {
        return Outbox.in(outbox, transactions);
    }

    /** The outbox for the transaction of this connection, which the caller commits. */
    public Outbox outbox(Connection connection) {
        return Outbox.in(outbox, JdbcTransactions.of(connection));
    }
}

package io.waybill.jdbc.layout;

import io.waybill.Time;
import io.waybill.WaybillException;
import io.waybill.jdbc.JdbcStore;
import io.waybill.jdbc.internal.lease.JdbcPauses;
import io.waybill.jdbc.layout.admin.LayoutAdmin;
import io.waybill.jdbc.layout.admin.LayoutStats;
import io.waybill.jdbc.layout.claim.LayoutLeases;
import io.waybill.jdbc.layout.claim.LayoutStore;
import io.waybill.jdbc.layout.schema.LayoutCheck;
import io.waybill.jdbc.layout.schema.LayoutNotices;
import io.waybill.jdbc.layout.schema.LayoutSchema;
import io.waybill.jdbc.layout.schema.Notice;
import io.waybill.jdbc.layout.table.ColumnMeaning;
import io.waybill.jdbc.layout.table.DatabaseZone;
import io.waybill.jdbc.layout.table.Layout;
import io.waybill.jdbc.layout.table.LayoutRows;
import io.waybill.jdbc.layout.table.LayoutSql;
import io.waybill.jdbc.layout.table.Layouts;
import io.waybill.jdbc.layout.table.RefusedRows;
import io.waybill.jdbc.layout.table.TableFacts;
import io.waybill.jdbc.schema.JdbcStoreOptions;
import io.waybill.jdbc.schema.TableRights;
import io.waybill.jdbc.schema.Tables;
import io.waybill.jdbc.sql.Dialect;
import io.waybill.jdbc.sql.Jdbc;
import io.waybill.observe.WaitingItem;
import io.waybill.store.admin.DestinationStats;
import io.waybill.store.admin.OutboxAdmin;
import io.waybill.store.outbox.Claim;
import io.waybill.store.outbox.LeaseStore;
import io.waybill.store.outbox.OutboxStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A table of somebody else, checked and ready to be drained by a relay. */
public final class AdoptedTable implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(AdoptedTable.class);

    private final Layout layout;
    private final Jdbc jdbc;
    private final LayoutSql sql;
    private final RefusedRows refused;
    private final LayoutStats stats;
    private final LayoutStore store;
    private final LeaseStore leases;
    private final LayoutAdmin admin;

    private AdoptedTable(
            DataSource dataSource,
            Layout layout,
            TableFacts facts,
            UUID source,
            Time time,
            String pool,
            long maxPayload,
            boolean keepsSent) {
        this.layout = layout;
        this.jdbc = new Jdbc(dataSource, facts.dialect());
        this.sql = new LayoutSql(layout, facts, time.clock());
        this.refused = new RefusedRows(facts.dialect(), layout.prefix(), time);
        this.stats = new LayoutStats(sql, !layout.failed().isEmpty(), refused, time);
        var rows = new LayoutRows(layout, sql.columns().isBinary(ColumnMeaning.PAYLOAD), source);
        this.store = new LayoutStore(layout, jdbc, sql, rows, refused, time, maxPayload, keepsSent);
        var pauses = new JdbcPauses(jdbc, facts.dialect(), layout.prefix());
        this.admin = new LayoutAdmin(layout, jdbc, sql, rows, refused, stats, pauses, time);
        var options = JdbcStoreOptions.DEFAULT.withPrefix(layout.prefix());
        this.leases = new LayoutLeases(JdbcStore.on(dataSource, options, time).leaseStore(pool), store);
    }

    /** What may be created before the table is used. */
    public enum Setup {
        /** The table too. */
        EVERYTHING,
        /** What the table lacks, if it is there; and what relays keep beside it. */
        UPGRADE,
        /** Only what relays keep beside it. */
        BESIDE,
        /** Nothing. */
        NOTHING
    }

    /** Makes the table ready for relays that know of no pool but their own. */
    public static AdoptedTable open(DataSource dataSource, Layout layout, Setup setup, Time time) {
        return open(
                dataSource, layout, setup, time, LeaseStore.DEFAULT_POOL, JdbcStoreOptions.DEFAULT_MAX_PAYLOAD, true);
    }

    /**
     * Makes the table ready.
     *
     * @param pool the relays that share its work
     * @param maxPayload how many bytes the payload of a row may have; one with more is not read, and fails
     * @param keepsSent false to remove rows as they are sent, whatever the layout says
     * @throws WaybillException that names everything that does not fit, with the statements that would fix it
     */
    public static AdoptedTable open(
            DataSource dataSource,
            Layout layout,
            Setup setup,
            Time time,
            String pool,
            long maxPayload,
            boolean keepsSent) {
        Dialect dialect = JdbcStore.on(dataSource).dialect();
        var schema = new LayoutSchema(layout, dialect);
        switch (setup) {
            case EVERYTHING -> {
                refuseForeign(dataSource, layout, dialect);
                sayWhatIsLost(dataSource, layout, dialect);
                schema.apply(dataSource);
            }
            case UPGRADE -> {
                require(dataSource, layout);
                refuseForeign(dataSource, layout, dialect);
                sayWhatIsLost(dataSource, layout, dialect);
                schema.apply(dataSource);
            }
            case BESIDE -> {
                checked(dataSource, layout, dialect);
                schema.applyBeside(dataSource);
            }
            case NOTHING -> {}
        }
        TableFacts facts = checked(dataSource, layout, dialect);
        // Before anything is sent: a relay that could not write what it sent would send it again and again.
        rights(layout, dialect, keepsSent).require(dataSource);
        var table = new AdoptedTable(
                dataSource,
                resolved(dataSource, layout, facts),
                facts,
                source(dataSource, layout, dialect),
                time,
                pool,
                maxPayload,
                keepsSent);
        table.store.lookForOthers();
        return table;
    }

    /** What a relay must be allowed to do with the table and with what it keeps beside it. */
    public static TableRights rights(Layout layout, Dialect dialect, boolean keepsSent) {
        return TableRights.ofRelay(dialect, layout.table(), layout.done().isEmpty() || !keepsSent, layout.prefix());
    }

    /** The layout as this table has it: with the columns that are there, and the zone in which its application writes times. */
    private static Layout resolved(DataSource dataSource, Layout layout, TableFacts facts) {
        Layout resolved = new LayoutCheck(layout, facts).resolved();
        if (resolved.zone().isPresent() || !resolved.name().equals(Layouts.OUTBOX_MESSAGES.name())) {
            return resolved;
        }
        return new Jdbc(dataSource, facts.dialect())
                .autoCommit(
                        "ask for the time zone",
                        connection -> DatabaseZone.of(connection, facts.dialect())
                                .map(resolved::withZone)
                                .orElse(resolved));
    }

    private static void require(DataSource dataSource, Layout layout) {
        try (Connection connection = dataSource.getConnection()) {
            if (!new Tables(connection).exists(layout.table())) {
                throw missing(layout);
            }
        } catch (SQLException e) {
            throw Jdbc.failed("look for the table " + layout.table(), e);
        }
    }

    /** A table that relays have served had its key: somebody has removed it, and it comes back empty. */
    private static void sayWhatIsLost(DataSource dataSource, Layout layout, Dialect dialect) {
        String key = layout.column(ColumnMeaning.PARTITION_KEY);
        if (layout.rowClaims().isEmpty() || key.isEmpty()) {
            return;
        }
        try (Connection connection = dataSource.getConnection()) {
            boolean served = new Tables(connection).exists(layout.prefix() + "relay_source");
            if (served
                    && TableFacts.of(connection, layout.table(), dialect)
                            .filter(facts -> !facts.has(key))
                            .isPresent()) {
                log.warn(
                        "WB-151 The table {} has lost its column {}, which Waybill adds again; existing rows have no key and"
                                + " no order. Do not run Symfony's messenger:setup-transports for a doctrine:// transport on this"
                                + " table: it drops columns that it does not know.",
                        layout.table(),
                        key);
            }
        } catch (SQLException e) {
            throw Jdbc.failed("look at the table " + layout.table(), e);
        }
    }

    private static WaybillException missing(Layout layout) {
        return new WaybillException("There is no table " + layout.table()
                + ", or this user may not read it. Correct the name, grant the right, or create it: waybill schema"
                + " apply --layout " + layout.name() + " --table " + layout.table() + ".");
    }

    /**
     * The next messages of the table. Nothing is claimed, written or created.
     *
     * @param limit how many of each destination
     * @param maxPayload as for {@link #open}
     * @param maxBytes how many bytes their payloads may have together
     */
    public static Claim peek(DataSource dataSource, Layout layout, int limit, long maxPayload, long maxBytes) {
        Dialect dialect = JdbcStore.on(dataSource).dialect();
        TableFacts facts = checked(dataSource, layout, dialect);
        Layout resolved = resolved(dataSource, layout, facts);
        var sql = new LayoutSql(resolved, facts, Time.system().clock());
        var jdbc = new Jdbc(dataSource, dialect);
        UUID source = hasSource(jdbc, layout) ? source(dataSource, layout, dialect) : new UUID(0, 0);
        var rows = new LayoutRows(resolved, sql.columns().isBinary(ColumnMeaning.PAYLOAD), source);
        var waiting = new RefusedRows(dialect, layout.prefix(), Time.system());
        return new LayoutStore(resolved, jdbc, sql, rows, waiting, Time.system(), maxPayload, true)
                .peek(limit, maxBytes, hasSource(jdbc, layout));
    }

    private static boolean hasSource(Jdbc jdbc, Layout layout) {
        return jdbc.autoCommit(
                "look for the tables beside " + layout.table(),
                connection -> new Tables(connection).exists(layout.prefix() + "relay_source"));
    }

    /** A table that is there and belongs to another layout must not be changed. */
    private static void refuseForeign(DataSource dataSource, Layout layout, Dialect dialect) {
        Layout least = LayoutSchema.least(layout);
        try (Connection connection = dataSource.getConnection()) {
            TableFacts.of(connection, layout.table(), dialect).ifPresent(facts -> {
                List<LayoutCheck.Problem> problems = new ArrayList<>(new LayoutCheck(layout, facts).misfits());
                problems.addAll(new LayoutCheck(least, facts).problems());
                if (problems.stream().anyMatch(LayoutCheck.Problem::fatal)) {
                    throw unfit(layout, problems);
                }
            });
        } catch (SQLException e) {
            throw Jdbc.failed("look at the table " + layout.table(), e);
        }
    }

    private static TableFacts checked(DataSource dataSource, Layout layout, Dialect dialect) {
        try (Connection connection = dataSource.getConnection()) {
            TableFacts facts =
                    TableFacts.of(connection, layout.table(), dialect).orElseThrow(() -> missing(layout));
            List<LayoutCheck.Problem> problems = new LayoutCheck(layout, facts).problems();
            if (problems.stream().anyMatch(LayoutCheck.Problem::fatal)) {
                throw unfit(layout, problems);
            }
            problems.forEach(problem -> log.warn("WB-111 {}", problem));
            return facts;
        } catch (SQLException e) {
            throw Jdbc.failed("look at the table " + layout.table(), e);
        }
    }

    private static WaybillException unfit(Layout layout, List<LayoutCheck.Problem> problems) {
        return new WaybillException("The table " + layout.table() + " does not fit the layout " + layout.name()
                + ":\n- " + problems.stream().map(LayoutCheck.Problem::toString).collect(Collectors.joining("\n- ")));
    }

    private static UUID source(DataSource dataSource, Layout layout, Dialect dialect) {
        return new Jdbc(dataSource, dialect).autoCommit("read the source of " + layout.table(), connection -> {
            if (!new Tables(connection).exists(layout.prefix() + "relay_source")) {
                throw new WaybillException("There is no table " + layout.prefix()
                        + "relay_source, in which relays keep beside " + layout.table()
                        + " what they need. Create it: waybill schema apply --layout " + layout.name() + ".");
            }
            return UUID.fromString(Jdbc.query(
                            connection,
                            "SELECT source_id FROM " + layout.prefix() + "relay_source",
                            none -> {},
                            row -> row.getString(1))
                    .get(0));
        });
    }

    public OutboxStore outboxStore() {
        return store;
    }

    public LeaseStore leaseStore() {
        return leases;
    }

    /** What an operator sees and changes; {@code new OutboxOperations(table.admin())} makes whole operations of it. */
    public OutboxAdmin admin() {
        return admin;
    }

    /** The id under which the message of a row is known in selections. */
    public UUID messageOf(String row) {
        return admin.named(row);
    }

    /** Whether its columns tell how long messages wait. */
    public boolean tellsAges() {
        return sql.columns().tellsAges();
    }

    /** What somebody should look at, though the table is served. */
    public List<Notice> notices() {
        return jdbc.autoCommit(
                "look at the rows of " + layout.table(), connection -> new LayoutNotices(layout, sql).look(connection));
    }

    /** What waits, by destination. */
    public List<DestinationStats> stats() {
        return jdbc.autoCommit("count the rows of " + layout.table(), stats::read);
    }

    /** The keys that wait behind a message of theirs. */
    public List<WaitingItem> waiting() {
        return jdbc.autoCommit("count the keys of " + layout.table() + " that wait", refused::keys);
    }

    /**
     * Removes rows that were sent longer ago than this, at most so many; and of a table of Symfony Messenger those that its workers have
     * acknowledged and left there.
     */
    public int removeDone(Duration olderThan, int limit) {
        Optional<String> removable = layout.rowClaims().isPresent()
                ? Optional.of(sql.acknowledged())
                : doneAt().map(column -> sql.removable(column, -olderThan.toMillis()));
        return removable
                .map(statement -> jdbc.transaction(
                        "remove rows of " + layout.table() + " that were sent",
                        connection -> remove(connection, statement, limit)))
                .orElse(0);
    }

    /** How many rows were sent longer ago than this and are still there. */
    public long countDone(Duration olderThan) {
        Optional<String> condition = layout.rowClaims().isPresent()
                ? Optional.of(sql.columns().pending() + " AND " + sql.columns().acknowledged())
                : doneAt().map(column -> sql.doneBefore(column, -olderThan.toMillis()));
        return condition
                .map(done -> jdbc.autoCommit(
                        "count the rows of " + layout.table() + " that were sent",
                        connection -> Jdbc.query(connection, sql.countWhere(done), none -> {}, row -> row.getLong(1))
                                .get(0)))
                .orElse(0L);
    }

    private int remove(Connection connection, String removable, int limit) throws SQLException {
        List<String> ids =
                Jdbc.query(connection, removable, statement -> statement.setInt(1, limit), row -> row.getString(1));
        return ids.isEmpty()
                ? 0
                : Jdbc.update(connection, sql.removeOf(ids), sql.ids().binder(ids));
    }

    /** The column that tells when a row was sent; nothing where rows are removed then. */
    private Optional<String> doneAt() {
        return layout.done().entrySet().stream()
                .filter(mark -> mark.getValue().equals(Layout.NOW))
                .map(Map.Entry::getKey)
                .findFirst();
    }

    /** Takes back what is claimed and was not sent. To be called when the relay has stopped. */
    @Override
    public void close() {
        store.release();
    }
}

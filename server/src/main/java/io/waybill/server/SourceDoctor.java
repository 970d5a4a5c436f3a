package io.waybill.server;

import io.waybill.Time;
import io.waybill.WaybillException;
import io.waybill.jdbc.Dialect;
import io.waybill.jdbc.JdbcStore;
import io.waybill.jdbc.JdbcStoreOptions;
import io.waybill.jdbc.RelayNode;
import io.waybill.jdbc.RelayNodes;
import io.waybill.jdbc.SchemaStatus;
import io.waybill.jdbc.layout.AdoptedTable;
import io.waybill.jdbc.layout.Layout;
import io.waybill.jdbc.layout.LayoutSchema;
import io.waybill.ops.OutboxOperations;
import io.waybill.store.DestinationStats;
import io.waybill.store.FailedSelection;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import javax.sql.DataSource;

/** Looks at one source: its database, its tables, and what waits in them. Nothing is changed. */
final class SourceDoctor {

    /** A transaction that is open so many times too long is not only worth a look. */
    private static final int MUCH_TOO_LONG = 12;

    private static final Duration TOLERATED_SKEW = Duration.ofSeconds(2);
    private static final long MANY_DEAD_ROWS = 100_000;

    private final RelayConfig.Source source;
    private final Duration tolerableLag;
    private final Duration tolerableTransaction;
    private final List<Finding> findings = new ArrayList<>();

    SourceDoctor(RelayConfig.Source source, Duration tolerableLag, Duration tolerableTransaction) {
        this.source = source;
        this.tolerableLag = tolerableLag;
        this.tolerableTransaction = tolerableTransaction;
    }

    List<Finding> look() {
        long start = System.nanoTime();
        try (var pool = Pools.connected(source.database());
                Connection connection = pool.getConnection()) {
            var metaData = connection.getMetaData();
            ok(
                    "connect",
                    metaData.getDatabaseProductName() + " "
                            + metaData.getDatabaseProductVersion().split(" ", 2)[0] + ", reached in "
                            + (System.nanoTime() - start) / 1_000_000 + " ms");
            lookInside(pool, connection);
        } catch (SQLException e) {
            bad("connect", message(DatabaseErrors.explained(source.database(), e)), "");
        } catch (WaybillException e) {
            bad("connect", message(DatabaseErrors.explained(source.database(), e)), "");
        }
        return findings;
    }

    private void lookInside(DataSource pool, Connection connection) throws SQLException {
        Dialect dialect = Dialect.of(connection);
        clock(connection, dialect);
        transactions(connection, dialect);
        if (!tables(pool, dialect)) {
            return;
        }
        String table = table();
        indexes(connection, dialect, table);
        rights(connection, table);
        bloat(connection, dialect, table);
        traffic(pool, dialect);
    }

    private String table() {
        return source.layout().map(Layout::table).orElse(source.prefix() + "outbox");
    }

    private void clock(Connection connection, Dialect dialect) throws SQLException {
        Instant before = Clock.systemUTC().instant();
        Instant theirs;
        try (var statement = connection.createStatement();
                var row = statement.executeQuery(dialect.sql("SELECT ${now}", ""))) {
            row.next();
            theirs = dialect.instant(row, 1);
        }
        Duration ahead = Duration.between(Clock.systemUTC().instant(), theirs);
        Duration behind = Duration.between(theirs, before);
        Duration skew = ahead.isNegative() ? behind : ahead;
        if (skew.compareTo(TOLERATED_SKEW) > 0) {
            warn(
                    "clock",
                    "The database's clock is " + (ahead.isNegative() ? "behind" : "ahead of") + " this machine's by "
                            + Ages.words(skew) + ".",
                    "Let both follow a time server. Leases use the database's time only; ages that are shown here are off.");
        } else {
            ok("clock", "within " + TOLERATED_SKEW.toSeconds() + " s of this machine's");
        }
    }

    private void transactions(Connection connection, Dialect dialect) {
        try {
            var oldest = ServerVitals.of(dialect).oldestTransaction(connection);
            if (oldest.isEmpty() || oldest.get().seconds() < tolerableTransaction.toSeconds()) {
                ok("transactions", "none is open for more than " + Ages.words(tolerableTransaction));
                return;
            }
            Duration age = Duration.ofSeconds(oldest.get().seconds());
            String says = "A transaction of " + oldest.get().user() + " (session "
                    + oldest.get().session() + ", " + oldest.get().state() + ") is open since " + Ages.words(age) + ".";
            String advice = "End it: what was deleted since cannot be cleared away while it lasts, and messages that it"
                    + " appended do not leave before it commits.";
            if (age.compareTo(tolerableTransaction.multipliedBy(MUCH_TOO_LONG)) > 0) {
                bad("transactions", says, advice);
            } else {
                warn("transactions", says, advice);
            }
        } catch (SQLException e) {
            warn(
                    "transactions",
                    "They could not be looked at: " + source.database().redacted(String.valueOf(e.getMessage())),
                    "On MariaDB and MySQL grant PROCESS to this user, or ask one who has it.");
        }
    }

    /** Returns whether there is anything to look at further. */
    private boolean tables(DataSource pool, Dialect dialect) {
        String advice = "waybill schema apply"
                + source.layout().map(layout -> " --layout " + layout.name()).orElse("")
                + (source.prefix().isEmpty() ? "" : " --table-prefix " + source.prefix());
        List<String> problems;
        if (source.layout().isPresent()) {
            problems = new LayoutSchema(source.layout().get(), dialect).problems(pool);
        } else {
            SchemaStatus status = JdbcStore.on(pool, options(), Time.system()).schemaStatus();
            problems = status.problems();
            if (problems.isEmpty() && !status.isCurrent()) {
                warn("schema", "An index is missing (" + String.join(", ", status.missing()) + ").", advice);
                return true;
            }
        }
        if (problems.isEmpty()) {
            ok("schema", "as it should be");
            return true;
        }
        bad("schema", String.join("; ", problems), advice);
        return false;
    }

    private void indexes(Connection connection, Dialect dialect, String table) throws SQLException {
        List<String> invalid = ServerVitals.of(dialect).invalidIndexes(connection, table);
        if (invalid.isEmpty()) {
            ok("indexes", "all are valid");
        } else {
            bad(
                    "indexes",
                    "The building of " + String.join(", ", invalid) + " was interrupted: it is not used.",
                    "REINDEX INDEX CONCURRENTLY " + invalid.get(0));
        }
    }

    /** A statement that changes no row is refused all the same when it may not change any. */
    private void rights(Connection connection, String table) {
        try (var statement = connection.createStatement()) {
            statement.executeUpdate("DELETE FROM " + table + " WHERE 1 = 0");
            ok("rights", "this user may write");
        } catch (SQLException e) {
            bad(
                    "rights",
                    "This user may not write to " + table + ": "
                            + source.database().redacted(String.valueOf(e.getMessage())),
                    "Grant SELECT, INSERT, UPDATE and DELETE on it and on the tables beside it. A relay that cannot write"
                            + " sends nothing.");
        }
    }

    private void bloat(Connection connection, Dialect dialect, String table) throws SQLException {
        var size = ServerVitals.of(dialect).size(connection, table);
        if (size.isEmpty()) {
            return;
        }
        String says = size.get().live() + " rows, " + size.get().bytes() / 1_048_576 + " MB"
                + (size.get().dead() == 0 ? "" : ", " + size.get().dead() + " dead rows");
        if (size.get().dead() > MANY_DEAD_ROWS
                && size.get().dead() > 5 * size.get().live()) {
            warn(
                    "bloat",
                    says,
                    "VACUUM " + table + "; if they stay, an old transaction keeps them. Look whether autovacuum runs.");
        } else {
            ok("bloat", says);
        }
    }

    private void traffic(DataSource pool, Dialect dialect) {
        List<DestinationStats> stats;
        List<RelayNode> nodes;
        boolean tellsAges = true;
        if (source.layout().isPresent()) {
            try (var table =
                    AdoptedTable.open(pool, source.layout().get(), AdoptedTable.Setup.NOTHING, Time.system())) {
                stats = table.stats();
                tellsAges = table.tellsAges();
            }
            nodes = new RelayNodes(pool, dialect, source.layout().get().prefix()).all();
        } else {
            JdbcStore store = JdbcStore.on(pool, options(), Time.system());
            stats = new OutboxOperations(store.admin()).stats();
            nodes = store.relayNodes();
            failed(store);
        }
        relays(nodes, stats);
        lag(stats, tellsAges);
    }

    private void relays(List<RelayNode> nodes, List<DestinationStats> stats) {
        List<RelayNode> alive = nodes.stream().filter(RelayNode::isAlive).toList();
        long pending = stats.stream().mapToLong(DestinationStats::pending).sum();
        if (!alive.isEmpty()) {
            ok("relays", alive.size() + (alive.size() == 1 ? " relay lives" : " relays live"));
        } else if (pending > 0) {
            bad("relays", "No relay lives, and " + pending + " messages wait.", "Start one: waybill relay run");
        } else {
            warn("relays", "No relay lives; nothing waits.", "Start one: waybill relay run");
        }
    }

    private void lag(List<DestinationStats> stats, boolean tellsAges) {
        Instant now = Clock.systemUTC().instant();
        List<String> late = new ArrayList<>();
        for (var one : stats) {
            if (one.oldestPending() != null && Ages.of(one.oldestPending(), now).compareTo(tolerableLag) > 0) {
                late.add(one.destination() + " since " + Ages.words(Ages.of(one.oldestPending(), now)) + " ("
                        + (one.pending() + one.waiting()) + " messages)");
            }
        }
        long pending = stats.stream().mapToLong(DestinationStats::pending).sum();
        if (!tellsAges && pending > 0) {
            warn(
                    "lag",
                    pending + " messages wait, and no column tells since when.",
                    "Look again: if their number does not fall, look at the relay's log.");
        } else if (late.isEmpty()) {
            ok("lag", "nothing waits for more than " + Ages.words(tolerableLag));
        } else {
            bad(
                    "lag",
                    "Messages wait: " + String.join(", ", late) + ".",
                    "Look at the relay's log and at the destination; 'waybill outbox list --destination ...' shows their last"
                            + " errors.");
        }
        String refused = stats.stream()
                .filter(one -> one.failed() > 0)
                .map(one -> one.failed() + " to " + one.destination()
                        + (one.held() > 0 ? " with " + one.held() + " held behind them" : ""))
                .collect(Collectors.joining(", "));
        if (!refused.isEmpty()) {
            warn(
                    "refused",
                    "Messages were refused for the last time: " + refused + ".",
                    "waybill outbox list --status failed; mend the cause, then waybill outbox replay or discard.");
        }
    }

    private void failed(JdbcStore store) {
        long count = store.failedMessages().count(FailedSelection.all());
        if (count > 0) {
            warn("failed", count + " messages could not be handled.", "waybill failed groups");
        }
    }

    private JdbcStoreOptions options() {
        return JdbcStoreOptions.DEFAULT.withPrefix(source.prefix());
    }

    private void ok(String check, String says) {
        findings.add(Finding.ok(source.name(), check, says));
    }

    private void warn(String check, String says, String advice) {
        findings.add(Finding.warn(source.name(), check, says, advice));
    }

    private void bad(String check, String says, String advice) {
        findings.add(Finding.bad(source.name(), check, says, advice));
    }

    private static String message(WaybillException e) {
        return String.valueOf(e.getMessage());
    }
}

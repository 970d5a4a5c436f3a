package io.waybill.server.doctor;

import io.waybill.Time;
import io.waybill.WaybillException;
import io.waybill.jdbc.JdbcStore;
import io.waybill.jdbc.layout.AdoptedTable;
import io.waybill.jdbc.layout.schema.LayoutSchema;
import io.waybill.jdbc.layout.table.Layout;
import io.waybill.jdbc.schema.DatabaseRole;
import io.waybill.jdbc.schema.JdbcStoreOptions;
import io.waybill.jdbc.schema.SchemaStatus;
import io.waybill.jdbc.schema.TableRights;
import io.waybill.jdbc.sql.Dialect;
import io.waybill.server.cli.Ages;
import io.waybill.server.config.RelayConfig;
import io.waybill.server.database.ClearText;
import io.waybill.server.database.DatabaseErrors;
import io.waybill.server.database.Pools;
import io.waybill.server.relay.ServerVitals;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
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
    private final Findings findings;

    SourceDoctor(RelayConfig.Source source, Duration tolerableLag, Duration tolerableTransaction) {
        this.source = source;
        this.tolerableLag = tolerableLag;
        this.tolerableTransaction = tolerableTransaction;
        this.findings = new Findings(source.name());
    }

    List<Finding> look() {
        long start = System.nanoTime();
        try (var pool = Pools.connected(source.database());
                Connection connection = pool.getConnection()) {
            var metaData = connection.getMetaData();
            findings.ok(
                    "connect",
                    metaData.getDatabaseProductName() + " "
                            + metaData.getDatabaseProductVersion().split(" ", 2)[0] + ", reached in "
                            + (System.nanoTime() - start) / 1_000_000 + " ms");
            lookInside(pool, connection);
        } catch (SQLException e) {
            findings.bad("connect", message(DatabaseErrors.explained(source.database(), e)), "");
        } catch (WaybillException e) {
            findings.bad("connect", message(DatabaseErrors.explained(source.database(), e)), "");
        }
        return findings.all();
    }

    private void lookInside(DataSource pool, Connection connection) throws SQLException {
        Dialect dialect = Dialect.of(connection);
        tls(connection, dialect);
        clock(connection, dialect);
        transactions(connection, dialect);
        if (!tables(pool, dialect)) {
            return;
        }
        String table = table();
        indexes(connection, dialect, table);
        rights(pool, dialect);
        bloat(connection, dialect, table);
        new TrafficDoctor(source, tolerableLag, findings).look(pool, dialect);
    }

    /** Whether this connection is encrypted, as the server says, where the password goes to another machine. */
    private void tls(Connection connection, Dialect dialect) throws SQLException {
        if (dialect == Dialect.H2) {
            return;
        }
        String sql = dialect == Dialect.POSTGRESQL
                ? "SELECT CASE WHEN ssl THEN version END FROM pg_stat_ssl WHERE pid = pg_backend_pid()"
                : "SHOW SESSION STATUS LIKE 'Ssl_version'";
        String version;
        try (var statement = connection.createStatement();
                var row = statement.executeQuery(sql)) {
            version = row.next() ? row.getString(dialect == Dialect.POSTGRESQL ? 1 : 2) : null;
        }
        boolean encrypted = version != null && !version.isEmpty();
        Optional<String> warning = ClearText.of(source.database());
        if (warning.isPresent()) {
            findings.warn("tls", warning.get(), encrypted ? "This connection happens to be encrypted." : "");
        } else {
            boolean demanded = ClearText.demandsTls(source.database());
            findings.ok(
                    "tls",
                    encrypted
                            ? version + (demanded ? ", as the URL demands" : ", though the URL does not demand it")
                            : "not encrypted; no password leaves this machine");
        }
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
            findings.warn(
                    "clock",
                    "The database's clock is " + (ahead.isNegative() ? "behind" : "ahead of") + " this machine's by "
                            + Ages.words(skew) + ".",
                    "Let both follow a time server. Leases use the database's time only; ages that are shown here are off.");
        } else {
            findings.ok("clock", "within " + TOLERATED_SKEW.toSeconds() + " s of this machine's");
        }
    }

    private void transactions(Connection connection, Dialect dialect) {
        try {
            var oldest = ServerVitals.of(dialect).oldestTransaction(connection);
            if (oldest.isEmpty() || oldest.get().seconds() < tolerableTransaction.toSeconds()) {
                findings.ok("transactions", "none is open for more than " + Ages.words(tolerableTransaction));
                return;
            }
            Duration age = Duration.ofSeconds(oldest.get().seconds());
            String says = "A transaction of " + oldest.get().user() + " (session "
                    + oldest.get().session() + ", " + oldest.get().state() + ") is open since " + Ages.words(age) + ".";
            String advice =
                    "End it: while it is open, deleted rows cannot be vacuumed, and messages that it appended are not"
                            + " published.";
            if (age.compareTo(tolerableTransaction.multipliedBy(MUCH_TOO_LONG)) > 0) {
                findings.bad("transactions", says, advice);
            } else {
                findings.warn("transactions", says, advice);
            }
        } catch (SQLException e) {
            findings.warn(
                    "transactions",
                    "They could not be read: " + source.database().redacted(String.valueOf(e.getMessage())),
                    "On MariaDB and MySQL grant PROCESS to this user, or run doctor as a user who has it.");
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
                findings.warn("schema", "An index is missing (" + String.join(", ", status.missing()) + ").", advice);
                return true;
            }
        }
        if (problems.isEmpty()) {
            findings.ok("schema", "as it should be");
            return true;
        }
        findings.bad("schema", String.join("; ", problems), advice);
        return false;
    }

    private void indexes(Connection connection, Dialect dialect, String table) throws SQLException {
        List<String> invalid = ServerVitals.of(dialect).invalidIndexes(connection, table);
        if (invalid.isEmpty()) {
            findings.ok("indexes", "all are valid");
        } else {
            findings.bad(
                    "indexes",
                    "The building of " + String.join(", ", invalid) + " was interrupted: it is not used.",
                    "REINDEX INDEX CONCURRENTLY " + invalid.get(0));
        }
    }

    private void rights(DataSource pool, Dialect dialect) {
        TableRights needed = source.layout()
                .map(layout ->
                        AdoptedTable.rights(layout, dialect, !source.retention().isZero()))
                .orElseGet(() -> TableRights.of(DatabaseRole.RELAY, dialect, source.prefix()));
        String lacking = needed.lacking(pool);
        if (lacking.isEmpty()) {
            findings.ok("rights", "this user has those of a relay");
        } else if (isOperator(pool, dialect)) {
            findings.ok("rights", "this user has those of an operator; a relay needs others");
        } else {
            findings.bad("rights", lacking, "A relay that lacks them sends nothing: let it have a user that has them.");
        }
    }

    private boolean isOperator(DataSource pool, Dialect dialect) {
        return source.layout().isEmpty()
                && TableRights.of(DatabaseRole.OPERATOR, dialect, source.prefix())
                        .lacking(pool)
                        .isEmpty();
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
            findings.warn(
                    "bloat",
                    says,
                    "VACUUM " + table + "; if they stay, an old transaction keeps them. Look whether autovacuum runs.");
        } else {
            findings.ok("bloat", says);
        }
    }

    private JdbcStoreOptions options() {
        return JdbcStoreOptions.DEFAULT.withPrefix(source.prefix());
    }

    private static String message(WaybillException e) {
        return String.valueOf(e.getMessage());
    }
}

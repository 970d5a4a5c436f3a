package io.waybill.jdbc.internal.inbox;

import static java.util.stream.Collectors.joining;

import io.waybill.Time;
import io.waybill.jdbc.internal.sql.UuidBytes;
import io.waybill.jdbc.schema.InboxTable;
import io.waybill.jdbc.schema.JdbcStoreOptions;
import io.waybill.jdbc.sql.Dialect;
import io.waybill.jdbc.sql.Jdbc;
import io.waybill.jdbc.sql.JdbcTransaction;
import io.waybill.store.Transaction;
import io.waybill.store.inbox.HandlerStats;
import io.waybill.store.inbox.InboxEntry;
import io.waybill.store.inbox.InboxStore;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;

/** The inbox, where a unique key lets one of several receivers win and makes the others wait for its commit. */
public final class JdbcInboxStore implements InboxStore {

    /** A failed statement would end the whole transaction. The bound is the transaction's own, unless the server has a shorter one. */
    private static final String RECORD_ON_POSTGRESQL = """
            WITH bound AS (SELECT set_config('idle_in_transaction_session_timeout',
                       CASE WHEN current_setting('idle_in_transaction_session_timeout')::interval
                                 BETWEEN interval '1 ms' AND interval '${idle} ms'
                            THEN current_setting('idle_in_transaction_session_timeout') ELSE '${idle}' END, true))
            INSERT INTO ${inbox} (message_id, ${handler}, processed_at)
            SELECT message, handler, ${now} FROM bound, unnest(?, ?) AS entry (message, handler)
                ON CONFLICT DO NOTHING RETURNING message_id, ${handler}
            """;

    private static final String UNBOUNDED_ON_POSTGRESQL = """
            INSERT INTO ${inbox} (message_id, ${handler}, processed_at)
            SELECT message, handler, ${now} FROM unnest(?, ?) AS entry (message, handler)
                ON CONFLICT DO NOTHING RETURNING message_id, ${handler}
            """;

    /** MariaDB has it for the session only, in seconds. */
    private static final String BOUND_ON_MARIADB = "SET SESSION idle_transaction_timeout = ${idle}";

    private static final String UNBOUND_ON_MARIADB = "SET SESSION idle_transaction_timeout = DEFAULT";

    private static final String RECORD_ON_PORTABLE = """
            INSERT INTO ${inbox} (message_id, ${handler}, processed_at) VALUES ${rows}
            """;

    /** MySQL's default isolation shows the past: what the insert ran into may only be seen by a locking read. */
    private static final String KNOWN_ON_PORTABLE = """
            SELECT message_id, ${handler} FROM ${inbox} WHERE message_id IN (${ids}) ${lock}
            """;

    private static final String STATS = """
            SELECT ${handler}, count(*), max(processed_at) FROM ${inbox}
             WHERE processed_at > (SELECT ${now_plus_millis}) GROUP BY ${handler}
            """;

    private static final Comparator<InboxEntry> ONE_ORDER =
            Comparator.comparing(InboxEntry::message).thenComparing(InboxEntry::handler);
    private static final int MAX_ROUNDS = 5;

    private final Dialect dialect;
    private final JdbcStoreOptions options;
    private final Time time;

    public JdbcInboxStore(Dialect dialect, JdbcStoreOptions options, Time time) {
        this.dialect = dialect;
        this.options = options;
        this.time = time;
    }

    @Override
    public Set<InboxEntry> record(Transaction transaction, Collection<InboxEntry> entries) {
        List<InboxEntry> ordered = entries.stream().distinct().sorted(ONE_ORDER).toList();
        if (ordered.isEmpty()) {
            return Set.of();
        }
        Connection connection = transaction.unwrap(Connection.class);
        try {
            if (dialect == Dialect.POSTGRESQL) {
                return recordOnPostgres(connection, ordered);
            }
            bound(transaction, connection);
            return record(connection, ordered);
        } catch (SQLException e) {
            throw Jdbc.failed(
                    "note " + ordered.size() + " messages in the inbox of '"
                            + ordered.get(0).handler() + "'",
                    e);
        }
    }

    /** Only a transaction that we end ourselves: somebody else's connection would keep the setting. */
    private void bound(Transaction transaction, Connection connection) throws SQLException {
        long seconds = options.receivingIdleTimeout().toSeconds();
        if (dialect == Dialect.MARIADB
                && seconds > 0
                && transaction instanceof JdbcTransaction ours
                && ours.endsWith(UNBOUND_ON_MARIADB)) {
            try (Statement statement = connection.createStatement()) {
                statement.execute(BOUND_ON_MARIADB.replace("${idle}", String.valueOf(seconds)));
            }
        }
    }

    private Set<InboxEntry> recordOnPostgres(Connection connection, List<InboxEntry> entries) throws SQLException {
        boolean bytes = options.inboxTable() == InboxTable.DEDUPLICATION;
        Object[] messages = entries.stream()
                .map(entry -> bytes ? entry.message() : entry.message().toString())
                .toArray();
        Object[] handlers = entries.stream().map(InboxEntry::handler).toArray();
        return new HashSet<>(Jdbc.query(
                connection,
                sql(recordOnPostgres()),
                statement -> {
                    statement.setArray(1, connection.createArrayOf(bytes ? "uuid" : "varchar", messages));
                    statement.setArray(2, connection.createArrayOf("varchar", handlers));
                },
                this::read));
    }

    private String recordOnPostgres() {
        long millis = options.receivingIdleTimeout().toMillis();
        return millis == 0 ? UNBOUNDED_ON_POSTGRESQL : RECORD_ON_POSTGRESQL.replace("${idle}", String.valueOf(millis));
    }

    /** Hopes that all are new. A statement that finds one that is not has no effect, and is repeated without it. */
    private Set<InboxEntry> record(Connection connection, List<InboxEntry> entries) throws SQLException {
        var left = new ArrayList<>(entries);
        for (int round = 0; !left.isEmpty(); round++) {
            try {
                insert(connection, left);
                return new HashSet<>(left);
            } catch (SQLException e) {
                if (!Jdbc.isDuplicate(e) || round == MAX_ROUNDS) {
                    throw e;
                }
                Set<InboxEntry> known = known(connection, left, round > 0);
                if (!left.removeAll(known)) {
                    // A table made elsewhere may have the message alone as its key.
                    left.removeIf(entry -> known.stream().anyMatch(other -> isSameMessage(entry, other)));
                }
            }
        }
        return Set.of();
    }

    private static boolean isSameMessage(InboxEntry entry, InboxEntry other) {
        return entry.message().equals(other.message());
    }

    private void insert(Connection connection, List<InboxEntry> entries) throws SQLException {
        String rows = String.join(", ", Collections.nCopies(entries.size(), "(?, ?, ${now})"));
        Jdbc.update(connection, sql(RECORD_ON_PORTABLE.replace("${rows}", rows)), statement -> {
            int at = 1;
            for (var entry : entries) {
                bind(statement, at++, entry);
                statement.setString(at++, entry.handler());
            }
        });
    }

    private Set<InboxEntry> known(Connection connection, List<InboxEntry> entries, boolean latest) throws SQLException {
        String ids = entries.stream().map(entry -> "?").collect(joining(", "));
        String lock = latest && dialect.isMySql() ? "LOCK IN SHARE MODE" : "";
        return new HashSet<>(Jdbc.query(
                connection,
                sql(KNOWN_ON_PORTABLE.replace("${ids}", ids).replace("${lock}", lock)),
                statement -> {
                    int at = 1;
                    for (var entry : entries) {
                        bind(statement, at++, entry);
                    }
                },
                this::read));
    }

    private void bind(PreparedStatement statement, int at, InboxEntry entry) throws SQLException {
        if (options.inboxTable() == InboxTable.INBOX) {
            statement.setString(at, entry.message().toString());
        } else if (dialect.isMySql()) {
            statement.setBytes(at, UuidBytes.of(entry.message()));
        } else {
            statement.setObject(at, entry.message());
        }
    }

    private InboxEntry read(ResultSet row) throws SQLException {
        boolean bytes = options.inboxTable() == InboxTable.DEDUPLICATION && dialect.isMySql();
        return new InboxEntry(
                bytes ? UuidBytes.read(row.getBytes(1)) : UUID.fromString(row.getString(1)), row.getString(2));
    }

    @Override
    public List<HandlerStats> stats(Transaction transaction, Duration within) {
        var byHandler = new TreeMap<String, HandlerStats>();
        try {
            Jdbc.query(
                            transaction.unwrap(Connection.class),
                            sql(STATS),
                            statement -> statement.setLong(
                                    1, time.offset().minus(within).toMillis()),
                            row -> HandlerStats.of(row.getString(1), row.getLong(2), dialect.instant(row, 3)))
                    .forEach(stats -> byHandler.merge(stats.handler(), stats, HandlerStats::plus));
        } catch (SQLException e) {
            throw Jdbc.failed("count handled messages", e);
        }
        return List.copyOf(byHandler.values());
    }

    private String sql(String template) {
        return dialect.sql(options.inboxTable().in(template), options.prefix());
    }
}

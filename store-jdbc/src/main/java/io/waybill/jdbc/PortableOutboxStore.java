package io.waybill.jdbc;

import static java.util.stream.Collectors.joining;

import io.waybill.Time;
import io.waybill.store.ClaimedMessage;
import io.waybill.store.ClaimedMessage.State;
import io.waybill.store.Lane;
import io.waybill.store.Lease;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.sql.DataSource;

/** The hot path on MySQL, MariaDB and H2: rows by primary key, lanes by a union of short index ranges. */
final class PortableOutboxStore extends JdbcOutboxStore {

    /** MariaDB and MySQL jump from group to group in the index. */
    private static final String LANES = """
            SELECT shard, destination FROM ${prefix}outbox
             WHERE status = 'PENDING' AND available_at IS NULL
             GROUP BY shard, destination
            """;

    private static final String CLAIM = """
            (SELECT ${columns}, b.outbox_id IS NOT NULL
               FROM ${prefix}outbox o
               LEFT JOIN ${prefix}outbox_blocked_key b
                 ON b.destination = o.destination AND b.partition_key = o.partition_key
              WHERE o.status = 'PENDING' AND o.available_at IS NULL AND o.shard = ? AND o.destination = ?
              ORDER BY o.id LIMIT ?)
            """;
    private static final String IF_ALL_ARE_HELD = """
             WHERE o.id IN (${ids})
               AND (SELECT count(*) FROM ${prefix}relay_lease WHERE (shard, token) IN (${tokens})) = ${leases}
            """;
    private static final String REMOVE = "DELETE ${target} FROM ${prefix}outbox o ${by_primary_key}" + IF_ALL_ARE_HELD;
    private static final String MARK = """
            UPDATE ${prefix}outbox o ${by_primary_key}
               SET o.status = 'DISPATCHED', o.dispatched_at = ${now}, o.available_at = NULL
            """ + IF_ALL_ARE_HELD;

    PortableOutboxStore(DataSource dataSource, Dialect dialect, JdbcStoreOptions options, Time time) {
        super(dataSource, dialect, options, time);
    }

    /** The primary key. */
    @Override
    String place() {
        return "o.id";
    }

    @Override
    Set<Lane> lanes(Connection connection) throws SQLException {
        return new LinkedHashSet<>(
                Jdbc.query(connection, sql(LANES), statement -> {}, row -> new Lane(row.getInt(1), row.getString(2))));
    }

    @Override
    List<ClaimedMessage> claim(Connection connection, Map<Lane, Integer> limits, ClaimedPayloads payloads)
            throws SQLException {
        String union = String.join(" UNION ALL ", Collections.nCopies(limits.size(), CLAIM));
        return Jdbc.query(
                connection,
                sql(union, payloads),
                statement -> {
                    int at = 1;
                    for (var limit : limits.entrySet()) {
                        statement.setInt(at++, limit.getKey().shard());
                        statement.setString(at++, limit.getKey().destination());
                        statement.setInt(at++, limit.getValue());
                    }
                },
                row -> read(row, row.getBoolean(14) ? State.BLOCKED : State.READY, payloads));
    }

    @Override
    int dispatch(Connection connection, Collection<Lease> leases, List<ClaimedMessage> sent) throws SQLException {
        String ids = sent.stream().map(ClaimedMessage::place).collect(joining(", "));
        String statement = settling()
                .replace("${ids}", ids)
                .replace("${tokens}", Settling.tokens(leases))
                .replace("${leases}", String.valueOf(leases.size()));
        return Jdbc.update(connection, sql(statement), none -> {});
    }

    /**
     * MySQL and MariaDB read a small table as a whole unless they are told the index, and whoever changes rows waits there for every
     * row that somebody has appended and not committed yet.
     */
    private String settling() {
        return (options.keepsDispatched() ? MARK : REMOVE)
                .replace("${target}", dialect.isMySql() ? "o" : "")
                .replace("${by_primary_key}", dialect.isMySql() ? "FORCE INDEX (PRIMARY)" : "");
    }
}

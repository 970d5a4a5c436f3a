package io.waybill.jdbc.internal.outbox;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;

import io.waybill.Time;
import io.waybill.jdbc.internal.lease.HeldLeasesSql;
import io.waybill.jdbc.internal.sql.RoundTrips;
import io.waybill.jdbc.schema.JdbcStoreOptions;
import io.waybill.jdbc.sql.Dialect;
import io.waybill.jdbc.sql.Jdbc;
import io.waybill.jdbc.sql.Placeholders;
import io.waybill.store.outbox.ClaimExclusions;
import io.waybill.store.outbox.ClaimedMessage;
import io.waybill.store.outbox.ClaimedMessage.State;
import io.waybill.store.outbox.Key;
import io.waybill.store.outbox.Lane;
import io.waybill.store.outbox.Lease;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
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
                ${except}
              ORDER BY o.id LIMIT ?)
            """;
    private static final String COUNT_HELD = """
            SELECT count(*) FROM ${prefix}relay_lease WHERE ${held}
            """;
    private static final String COUNT_HELD_NOW = COUNT_HELD + " ${latest}";
    /** Who waited for the lock of a row that is then marked finds it by its key, but no longer pending. */
    private static final String IF_ALL_ARE_HELD = " WHERE ${these} AND o.status = 'PENDING' AND ${all_held}";

    private static final String REMOVE = "DELETE ${target} FROM ${prefix}outbox o ${by_primary_key}" + IF_ALL_ARE_HELD;
    private static final String MARK = """
            UPDATE ${prefix}outbox o ${by_primary_key}
               SET o.status = 'DISPATCHED', o.dispatched_at = ${now}, o.available_at = NULL
            """ + IF_ALL_ARE_HELD;

    PortableOutboxStore(
            DataSource dataSource, Dialect dialect, JdbcStoreOptions options, RoundTrips roundTrips, Time time) {
        super(dataSource, dialect, options, roundTrips, time);
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
    List<ClaimedMessage> claim(
            Connection connection, Map<Lane, Integer> limits, ClaimExclusions exclusions, ClaimedPayloads payloads)
            throws SQLException {
        Map<String, List<String>> excludedKeys =
                exclusions.keys().stream().collect(groupingBy(Key::destination, mapping(Key::partitionKey, toList())));
        String union = limits.keySet().stream()
                .map(lane -> CLAIM.replace("${except}", except(excludedOf(lane, excludedKeys), exclusions.positions())))
                .collect(joining(" UNION ALL "));
        return Jdbc.query(
                connection,
                sql(union, payloads),
                statement -> {
                    int at = 1;
                    for (var limit : limits.entrySet()) {
                        statement.setInt(at++, limit.getKey().shard());
                        statement.setString(at++, limit.getKey().destination());
                        at = Placeholders.bind(statement, at, excludedOf(limit.getKey(), excludedKeys));
                        at = Placeholders.bind(statement, at, exclusions.positions());
                        statement.setInt(at++, limit.getValue());
                    }
                },
                row -> read(row, row.getBoolean(14) ? State.BLOCKED : State.READY, payloads));
    }

    /** Nothing is certain without a mark. */
    @Override
    List<ClaimedMessage> prefetch(Connection connection, Map<Lane, Integer> limits, ClaimedPayloads payloads) {
        return List.of();
    }

    private static List<String> excludedOf(Lane lane, Map<String, List<String>> excludedKeys) {
        return excludedKeys.getOrDefault(lane.destination(), List.of());
    }

    private static String except(List<String> keys, Set<Long> positions) {
        String except = keys.isEmpty() ? "" : " AND o.partition_key NOT IN (" + Placeholders.of(keys) + ")";
        return positions.isEmpty() ? except : except + " AND o.id NOT IN (" + Placeholders.of(positions) + ")";
    }

    @Override
    void settled(List<ClaimedMessage> messages) {}

    /** By their place, and by their names: a replica that was promoted may hand out the same numbers again. */
    @Override
    String these(Collection<ClaimedMessage> messages) {
        return messages.stream().map(ClaimedMessage::place).collect(joining(", ", "o.id IN (", ")"))
                + messages.stream()
                        .map(message -> message.envelope().id().toString())
                        .collect(joining("', '", " AND o.outbox_id IN ('", "')"));
    }

    @Override
    int dispatch(Connection connection, Collection<Lease> leases, List<ClaimedMessage> sent) throws SQLException {
        return dispatch(connection, sent, "(" + countHeld(leases) + ") = " + leases.size(), true);
    }

    /**
     * The leases are read apart, and as they are now: a transaction that has read before would see them as they were then. The
     * state of a message is changed with its lease locked, so that it stays as it is until the commit, which is next.
     */
    @Override
    boolean take(Connection connection, Collection<Lease> leases, List<ClaimedMessage> messages, boolean kept)
            throws SQLException {
        int held = Jdbc.query(
                        connection,
                        sql(COUNT_HELD_NOW.replace("${held}", HeldLeasesSql.are(leases))),
                        none -> {},
                        row -> row.getInt(1))
                .get(0);
        return held == leases.size() && dispatch(connection, messages, asClaimed(messages), kept) == messages.size();
    }

    /** Not what somebody has put off since: its key waits for it now. */
    private static String asClaimed(List<ClaimedMessage> messages) {
        String due = messages.stream()
                .filter(message -> message.state() == State.DUE)
                .map(ClaimedMessage::place)
                .collect(joining(", "));
        return due.isEmpty() ? "o.available_at IS NULL" : "(o.available_at IS NULL OR o.id IN (" + due + "))";
    }

    private static String countHeld(Collection<Lease> leases) {
        return COUNT_HELD.replace("${held}", HeldLeasesSql.are(leases));
    }

    private int dispatch(Connection connection, List<ClaimedMessage> sent, String condition, boolean kept)
            throws SQLException {
        String statement = (kept && options.keepsDispatched() ? MARK : REMOVE)
                .replace("${target}", dialect.isMySql() ? "o" : "")
                .replace("${all_held}", condition);
        return Jdbc.update(connection, sql(statement, sent), none -> {});
    }
}

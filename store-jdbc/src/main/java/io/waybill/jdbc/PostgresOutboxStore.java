package io.waybill.jdbc;

import static java.util.stream.Collectors.joining;

import io.waybill.Time;
import io.waybill.message.Envelope;
import io.waybill.store.Busy;
import io.waybill.store.ClaimedMessage;
import io.waybill.store.ClaimedMessage.State;
import io.waybill.store.Key;
import io.waybill.store.Lane;
import io.waybill.store.Lease;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import javax.sql.DataSource;
import org.postgresql.PGConnection;

/** The hot path on PostgreSQL: a batch is one statement, whatever its size. */
final class PostgresOutboxStore extends JdbcOutboxStore {

    private static final String COPY = """
            COPY ${prefix}outbox
                 (outbox_id, category, type, message_key, partition_key, payload, payload_binary, headers, destination)
            FROM STDIN (FORMAT binary)
            """;

    /** Walks from lane to lane in the index instead of over every row. */
    private static final String LANES = """
            WITH RECURSIVE lane AS (
                (SELECT ${shard} AS shard, o.destination FROM ${prefix}outbox o
                  WHERE o.status = 'PENDING' AND o.available_at IS NULL
                  ORDER BY ${shard}, o.destination LIMIT 1)
                UNION ALL
                SELECT next.shard, next.destination FROM lane, LATERAL (
                    SELECT ${shard} AS shard, o.destination FROM ${prefix}outbox o
                     WHERE o.status = 'PENDING' AND o.available_at IS NULL
                       AND (${shard}, o.destination) > (lane.shard, lane.destination)
                     ORDER BY ${shard}, o.destination LIMIT 1) next
            )
            SELECT shard, destination FROM lane
            """;

    /** Lanes are numbered as they were given, so that their names need not come back with every row. */
    private static final String CLAIM = """
            SELECT lane.number, o.id, o.retry_count, o.ctid, lease.rewind, b.outbox_id IS NOT NULL,
                   o.outbox_id, o.category, o.type, o.message_key, o.partition_key, ${payloads}, o.headers
              FROM unnest(?::int[], ?::text[], ?::int[], ?::bigint[], ?::bigint[]) WITH ORDINALITY
                   AS lane (shard, destination, row_limit, mark, rewind, number)
              JOIN (SELECT shard, sum(rewind)::bigint AS rewind FROM ${prefix}relay_lease GROUP BY shard) lease
                ON lease.shard = lane.shard
             CROSS JOIN LATERAL (
                   SELECT o.ctid, o.* FROM ${prefix}outbox o
                    WHERE o.status = 'PENDING' AND o.available_at IS NULL
                      AND ${shard} = lane.shard AND o.destination = lane.destination
                      AND o.id > CASE WHEN lease.rewind = lane.rewind THEN lane.mark ELSE 0 END
                      ${except}
                    ORDER BY o.id LIMIT lane.row_limit) o
              LEFT JOIN ${prefix}outbox_blocked_key b
                ON b.destination = o.destination AND b.partition_key = o.partition_key
            """;

    /** Looked up row by row in a hash table, whatever the number of keys. */
    private static final String EXCEPT = """
            AND NOT (o.partition_key <> ''
                     AND (o.destination, o.partition_key) IN (SELECT * FROM unnest(?::text[], ?::text[])))
            AND o.id <> ALL (?::bigint[])
            """;

    /** The leases are looked at once for the whole batch: row by row would cost more than the rest. */
    private static final String ALL_HELD = """
             AND o.status = 'PENDING'
             AND ? = (SELECT count(*) FROM ${prefix}relay_lease lease
                        JOIN unnest(?::int[], ?::text[], ?::bigint[]) AS held (shard, pool, token)
                          ON lease.shard = held.shard AND lease.pool = held.pool AND lease.token = held.token)
            """;

    /**
     * Rows are found by their place in the table, the shortest way there is. A place may be reused after its row was changed, so
     * the id must match too; a row that has moved is found by its id. Joined, because a plan for any parameters would compare
     * every row with every element of a second array.
     */
    private static final String BY_PLACE = """
            FROM unnest(?::tid[], ?::bigint[]) AS sent (place, id) WHERE o.ctid = sent.place AND o.id = sent.id
            """ + ALL_HELD;

    private static final String BY_ID = """
            FROM unnest(?::uuid[]) AS sent (outbox_id) WHERE o.outbox_id = sent.outbox_id
            """ + ALL_HELD;
    /** A handler takes one message, thousands of times a second: without arrays it costs about a third. */
    private static final String ONE_BY_PLACE = """
             WHERE o.ctid = ?::tid AND o.id = ? AND o.status = 'PENDING'
               AND EXISTS (SELECT 1 FROM ${prefix}relay_lease lease
                            WHERE lease.shard = ? AND lease.pool = ? AND lease.token = ?)
            """;

    private static final String REMOVE = "DELETE FROM ${prefix}outbox o ";
    private static final String MARK = """
            UPDATE ${prefix}outbox o SET status = 'DISPATCHED', dispatched_at = clock_timestamp(), available_at = NULL
            """;

    /**
     * As many rows as a plan for any parameters expects of an array. With fewer, a plan of their own seems cheaper, and PostgreSQL
     * makes one at every execution, which takes longer than to claim or settle a few messages.
     */
    private static final int EXPECTED_ROWS = 12;

    /** No shard has this number: the claim gets nothing of such a lane. */
    private static final Lane NO_LANE = new Lane(-1, "");

    private final Horizon horizon;
    private final Marks marks = new Marks();
    private final String dispatchOne;
    private final String removeOne;

    PostgresOutboxStore(DataSource dataSource, JdbcStoreOptions options, RoundTrips roundTrips, Time time) {
        super(dataSource, Dialect.POSTGRESQL, options, roundTrips, time);
        this.horizon = new Horizon(dialect, options.prefix(), time);
        this.dispatchOne = sql(settling(ONE_BY_PLACE, true));
        this.removeOne = sql(settling(ONE_BY_PLACE, false));
    }

    @Override
    void append(Connection connection, List<Envelope> messages) throws SQLException {
        if (messages.size() > 1 && connection.isWrapperFor(PGConnection.class)) {
            CopyRows.append(connection.unwrap(PGConnection.class), sql(COPY), messages);
        } else {
            super.append(connection, messages);
        }
    }

    // The driver writes arrays of these exact types in binary, which is several times as fast as text.

    private static <T> Array texts(Connection connection, Collection<T> items, Function<T, String> value)
            throws SQLException {
        return connection.createArrayOf("text", items.stream().map(value).toArray(String[]::new));
    }

    private static <T> Array longs(Connection connection, Collection<T> items, ToLongFunction<T> value)
            throws SQLException {
        return connection.createArrayOf(
                "int8", items.stream().mapToLong(value).boxed().toArray(Long[]::new));
    }

    private static <T> Array ints(Connection connection, Collection<T> items, ToIntFunction<T> value)
            throws SQLException {
        return connection.createArrayOf(
                "int4", items.stream().mapToInt(value).boxed().toArray(Integer[]::new));
    }

    private static <T> Array ids(Connection connection, Collection<T> items, Function<T, UUID> value)
            throws SQLException {
        return connection.createArrayOf("uuid", items.stream().map(value).toArray());
    }

    @Override
    Set<Lane> lanes(Connection connection) throws SQLException {
        var lanes = new LinkedHashSet<>(
                Jdbc.query(connection, sql(LANES), statement -> {}, row -> new Lane(row.getInt(1), row.getString(2))));
        if (!lanes.isEmpty()) {
            horizon.advance(connection);
        }
        return lanes;
    }

    @Override
    String place() {
        return "o.ctid";
    }

    @Override
    String these(Collection<ClaimedMessage> messages) {
        return messages.stream()
                .map(message -> message.envelope().id().toString())
                .collect(joining("', '", "o.outbox_id IN ('", "')"));
    }

    @Override
    List<ClaimedMessage> claim(Connection connection, Map<Lane, Integer> limits, Busy busy, ClaimedPayloads payloads)
            throws SQLException {
        long certain = horizon.certain();
        List<Lane> lanes = filledUp(limits.keySet(), NO_LANE);
        List<Marks.Mark> from = lanes.stream().map(marks::of).toList();
        List<Row> rows = Jdbc.query(
                connection,
                sql(CLAIM.replace("${except}", busy.isNothing() ? "" : EXCEPT), payloads),
                statement -> {
                    statement.setArray(1, ints(connection, lanes, Lane::shard));
                    statement.setArray(2, texts(connection, lanes, Lane::destination));
                    statement.setArray(3, ints(connection, lanes, lane -> limits.getOrDefault(lane, 0)));
                    statement.setArray(4, longs(connection, from, Marks.Mark::position));
                    statement.setArray(5, longs(connection, from, Marks.Mark::rewind));
                    if (!busy.isNothing()) {
                        statement.setArray(6, texts(connection, busy.keys(), Key::destination));
                        statement.setArray(7, texts(connection, busy.keys(), Key::partitionKey));
                        statement.setArray(8, longs(connection, busy.positions(), Long::longValue));
                    }
                },
                row -> read(row, lanes, payloads));
        rows.sort(Comparator.comparingLong(row -> row.message().position()));
        marks.claimed(lanes, rows, lane -> Math.min(certain, busy.first().getOrDefault(lane, Long.MAX_VALUE) - 1));
        return rows.stream().map(Row::message).toList();
    }

    private static Row read(ResultSet row, List<Lane> lanes, ClaimedPayloads payloads) throws SQLException {
        int number = row.getInt(1) - 1;
        Lane lane = lanes.get(number);
        Envelopes.Reading message = Envelopes.read(row, 7, lane.destination());
        if (!message.withPayload()) {
            payloads.leaveOut(message.envelope().id());
        }
        return new Row(
                number,
                row.getLong(5),
                new ClaimedMessage(
                        row.getLong(2),
                        lane.shard(),
                        row.getInt(3),
                        row.getBoolean(6) ? State.BLOCKED : State.READY,
                        message.complete(),
                        row.getString(4),
                        message.envelope()));
    }

    /**
     * A claimed message.
     *
     * @param lane the number of its lane
     * @param rewind how often its shard had been rewound when it was read
     */
    record Row(int lane, long rewind, ClaimedMessage message) {}

    @Override
    int dispatch(Connection connection, Collection<Lease> leases, List<ClaimedMessage> sent) throws SQLException {
        int dispatched = take(connection, leases, sent, true);
        horizon.advance(connection);
        return dispatched;
    }

    @Override
    int take(Connection connection, Collection<Lease> leases, List<ClaimedMessage> messages, boolean kept)
            throws SQLException {
        int taken = messages.size() == 1 && leases.size() == 1
                ? takeOne(connection, leases.iterator().next(), messages.get(0), kept)
                : takeByPlace(connection, leases, filledUp(messages, messages.get(0)), kept);
        if (taken < messages.size()) {
            taken += Jdbc.update(connection, sql(settling(BY_ID, kept)), statement -> {
                statement.setArray(
                        1,
                        ids(connection, messages, message -> message.envelope().id()));
                bindLeases(connection, statement, 2, leases);
            });
        }
        return taken;
    }

    private int takeOne(Connection connection, Lease lease, ClaimedMessage message, boolean kept) throws SQLException {
        return Jdbc.update(connection, kept ? dispatchOne : removeOne, statement -> {
            statement.setString(1, String.valueOf(message.place()));
            statement.setLong(2, message.position());
            statement.setInt(3, lease.shard());
            statement.setString(4, lease.pool());
            statement.setLong(5, lease.token());
        });
    }

    private int takeByPlace(Connection connection, Collection<Lease> leases, List<ClaimedMessage> rows, boolean kept)
            throws SQLException {
        return Jdbc.update(connection, sql(settling(BY_PLACE, kept)), statement -> {
            statement.setString(1, places(rows));
            statement.setArray(2, longs(connection, rows, ClaimedMessage::position));
            bindLeases(connection, statement, 3, leases);
        });
    }

    @Override
    void settled(List<ClaimedMessage> messages) {
        marks.settled(messages);
    }

    private static <T> List<T> filledUp(Collection<T> items, T with) {
        var filledUp = new ArrayList<>(items);
        while (filledUp.size() < EXPECTED_ROWS) {
            filledUp.add(with);
        }
        return filledUp;
    }

    /** An array of places as PostgreSQL writes it. */
    private static String places(List<ClaimedMessage> sent) {
        var places = new StringBuilder(16 * sent.size()).append('{');
        for (ClaimedMessage message : sent) {
            places.append('"').append(message.place()).append("\",");
        }
        places.setCharAt(places.length() - 1, '}');
        return places.toString();
    }

    private String settling(String which, boolean kept) {
        return kept && options.keepsDispatched() ? MARK + which : REMOVE + which.replaceFirst("^FROM", "USING");
    }

    private static void bindLeases(Connection connection, PreparedStatement statement, int at, Collection<Lease> leases)
            throws SQLException {
        statement.setInt(at, leases.size());
        statement.setArray(at + 1, ints(connection, leases, Lease::shard));
        statement.setArray(at + 2, texts(connection, leases, Lease::pool));
        statement.setArray(at + 3, longs(connection, leases, Lease::token));
    }
}

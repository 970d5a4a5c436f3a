package io.waybill.jdbc;

import io.waybill.Time;
import io.waybill.message.Envelope;
import io.waybill.message.Json;
import io.waybill.store.ClaimedMessage;
import io.waybill.store.ClaimedMessage.State;
import io.waybill.store.Lane;
import io.waybill.store.Lease;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import javax.sql.DataSource;

/** The hot path on PostgreSQL: a batch is one statement with arrays, whatever its size. */
final class PostgresOutboxStore extends JdbcOutboxStore {

    private static final String APPEND = """
            INSERT INTO ${prefix}outbox
                   (outbox_id, category, type, destination, message_key, partition_key, payload, payload_binary, headers)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """;
    private static final String APPEND_MANY = """
            INSERT INTO ${prefix}outbox
                   (outbox_id, category, type, destination, message_key, partition_key, payload, payload_binary, headers)
            SELECT * FROM unnest(?::uuid[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::bytea[], ?::text[])
            """;

    /** Walks from lane to lane in the index instead of over every row. */
    private static final String LANES = """
            WITH RECURSIVE lane AS (
                (SELECT shard, destination FROM ${prefix}outbox
                  WHERE status = 'PENDING' AND available_at IS NULL
                  ORDER BY shard, destination LIMIT 1)
                UNION ALL
                SELECT next.shard, next.destination FROM lane, LATERAL (
                    SELECT shard, destination FROM ${prefix}outbox
                     WHERE status = 'PENDING' AND available_at IS NULL
                       AND (shard, destination) > (lane.shard, lane.destination)
                     ORDER BY shard, destination LIMIT 1) next
            )
            SELECT shard, destination FROM lane
            """;

    private static final String CLAIM = """
            SELECT ${columns}, b.outbox_id IS NOT NULL, lease.rewind
              FROM unnest(?::smallint[], ?::text[], ?::int[], ?::bigint[], ?::bigint[])
                   AS lane (shard, destination, row_limit, mark, rewind)
              JOIN ${prefix}relay_lease lease ON lease.shard = lane.shard
             CROSS JOIN LATERAL (
                   SELECT ctid, * FROM ${prefix}outbox
                    WHERE status = 'PENDING' AND available_at IS NULL
                      AND shard = lane.shard AND destination = lane.destination
                      AND id > CASE WHEN lease.rewind = lane.rewind THEN lane.mark ELSE 0 END
                    ORDER BY id LIMIT lane.row_limit) o
              LEFT JOIN ${prefix}outbox_blocked_key b
                ON b.destination = o.destination AND b.partition_key = o.partition_key
            """;

    /** The leases are looked at once for the whole batch: row by row would cost more than the rest. */
    private static final String ALL_HELD = """
             AND o.status = 'PENDING'
             AND ? = (SELECT count(*) FROM ${prefix}relay_lease lease
                        JOIN unnest(?::smallint[], ?::bigint[]) AS held (shard, token)
                          ON lease.shard = held.shard AND lease.token = held.token)
            """;

    /**
     * Rows are found by their place in the table, the shortest way there is. A place may be reused after the row was changed, so the
     * id must match too; a row that has moved is found by its id.
     */
    private static final String BY_PLACE = """
            FROM unnest(?::tid[], ?::bigint[]) AS sent (place, id) WHERE o.ctid = sent.place AND o.id = sent.id
            """ + ALL_HELD;

    private static final String BY_ID = """
            FROM unnest(?::uuid[]) AS sent (outbox_id) WHERE o.outbox_id = sent.outbox_id
            """ + ALL_HELD;
    private static final String REMOVE = "DELETE FROM ${prefix}outbox o ";
    private static final String MARK = """
            UPDATE ${prefix}outbox o SET status = 'DISPATCHED', dispatched_at = clock_timestamp(), available_at = NULL
            """;

    private final Horizon horizon;
    private final Marks marks = new Marks();

    PostgresOutboxStore(DataSource dataSource, JdbcStoreOptions options, Time time) {
        super(dataSource, Dialect.POSTGRESQL, options, time);
        this.horizon = new Horizon(dialect, options.prefix(), time);
    }

    @Override
    void append(Connection connection, List<Envelope> messages) throws SQLException {
        if (messages.size() == 1) {
            Jdbc.update(connection, sql(APPEND), statement -> Envelopes.bind(statement, 1, messages.get(0)));
        } else {
            Jdbc.update(connection, sql(APPEND_MANY), statement -> bindAll(connection, statement, messages));
        }
    }

    private static void bindAll(Connection connection, PreparedStatement statement, List<Envelope> messages)
            throws SQLException {
        statement.setArray(1, array(connection, "uuid", messages, Envelope::id));
        statement.setArray(
                2,
                array(
                        connection,
                        "text",
                        messages,
                        message -> message.category().label()));
        statement.setArray(3, array(connection, "text", messages, Envelope::type));
        statement.setArray(4, array(connection, "text", messages, Envelope::destination));
        statement.setArray(5, array(connection, "text", messages, Envelope::key));
        statement.setArray(6, array(connection, "text", messages, Envelope::partitionKey));
        statement.setArray(
                7,
                array(
                        connection,
                        "text",
                        messages,
                        message ->
                                message.payload().isText() ? message.payload().asText() : ""));
        statement.setArray(8, connection.createArrayOf("bytea", binaries(messages)));
        statement.setArray(9, array(connection, "text", messages, message -> Json.writeFlat(message.headers())));
    }

    private static byte[][] binaries(List<Envelope> messages) {
        return messages.stream()
                .map(message ->
                        message.payload().isText() ? null : message.payload().asBytes())
                .toArray(byte[][]::new);
    }

    private static <T> Array array(
            Connection connection, String type, Collection<T> items, Function<? super T, ?> value) throws SQLException {
        return connection.createArrayOf(type, items.stream().map(value).toArray());
    }

    @Override
    Set<Lane> lanes(Connection connection) throws SQLException {
        return new LinkedHashSet<>(
                Jdbc.query(connection, sql(LANES), statement -> {}, row -> new Lane(row.getInt(1), row.getString(2))));
    }

    @Override
    String place() {
        return "o.ctid";
    }

    @Override
    List<ClaimedMessage> claim(Connection connection, Map<Lane, Integer> limits) throws SQLException {
        long certain = horizon.certain(connection);
        List<Lane> lanes = List.copyOf(limits.keySet());
        List<Marks.Mark> read = lanes.stream().map(marks::of).toList();
        List<Row> rows = Jdbc.query(
                connection,
                sql(CLAIM),
                statement -> {
                    statement.setArray(1, array(connection, "int2", lanes, Lane::shard));
                    statement.setArray(2, array(connection, "text", lanes, Lane::destination));
                    statement.setArray(3, array(connection, "int4", lanes, limits::get));
                    statement.setArray(4, array(connection, "int8", read, Marks.Mark::position));
                    statement.setArray(5, array(connection, "int8", read, Marks.Mark::rewind));
                },
                row -> new Row(read(row, row.getBoolean(14) ? State.BLOCKED : State.READY), row.getLong(15)));
        marks.claimed(lanes, rows, certain);
        return rows.stream().map(Row::message).toList();
    }

    /** A claimed message, and how often its shard had been rewound when it was read. */
    record Row(ClaimedMessage message, long rewind) {}

    @Override
    int dispatch(Connection connection, Collection<Lease> leases, List<ClaimedMessage> sent) throws SQLException {
        int dispatched = Jdbc.update(connection, sql(settling(BY_PLACE)), statement -> {
            statement.setArray(1, array(connection, "tid", sent, ClaimedMessage::place));
            statement.setArray(2, array(connection, "int8", sent, ClaimedMessage::position));
            bindLeases(connection, statement, 3, leases);
        });
        if (dispatched < sent.size()) {
            dispatched += Jdbc.update(connection, sql(settling(BY_ID)), statement -> {
                statement.setArray(
                        1,
                        array(
                                connection,
                                "uuid",
                                sent,
                                message -> message.envelope().id()));
                bindLeases(connection, statement, 2, leases);
            });
        }
        if (dispatched == sent.size()) {
            marks.settled(sent);
        }
        return dispatched;
    }

    private String settling(String which) {
        return options.keepsDispatched() ? MARK + which : REMOVE + which.replaceFirst("FROM", "USING");
    }

    private static void bindLeases(Connection connection, PreparedStatement statement, int at, Collection<Lease> leases)
            throws SQLException {
        statement.setInt(at, leases.size());
        statement.setArray(at + 1, array(connection, "int2", leases, Lease::shard));
        statement.setArray(at + 2, array(connection, "int8", leases, Lease::token));
    }
}

package io.waybill.jdbc.internal.outbox;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toSet;

import io.waybill.jdbc.internal.sql.PostgresArrays;
import io.waybill.jdbc.internal.sql.RowStatement;
import io.waybill.jdbc.internal.sql.Values;
import io.waybill.jdbc.schema.JdbcStoreOptions;
import io.waybill.jdbc.sql.Dialect;
import io.waybill.jdbc.sql.Jdbc;
import io.waybill.store.outbox.ClaimedMessage;
import io.waybill.store.outbox.ClaimedMessage.State;
import io.waybill.store.outbox.Key;
import io.waybill.store.outbox.Lease;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Takes sent or handled messages out of the outbox on PostgreSQL, or marks them, as long as the leases under which they were claimed hold.
 *
 * <p><i>Threads:</i> safe.
 */
final class PostgresRemoval {

    /** The leases are looked at once for the whole batch: row by row would cost more than the rest. */
    private static final String ALL_HELD = """
             AND o.status = 'PENDING'
             AND ? = (SELECT count(*) FROM ${prefix}relay_lease lease
                        JOIN unnest(?::int[], ?::text[], ?::bigint[]) AS held (shard, pool, token)
                          ON lease.shard = held.shard AND lease.pool = held.pool AND lease.token = held.token)
            """;

    /**
     * By their positions, in the order of the index, and by their ids: a replica that was promoted may hand out the same positions again. The
     * ids are looked up in a hash table, which costs half of what a join does; without IS TRUE the planner would make it a join.
     */
    private static final String THESE_READY = """
             WHERE o.status = 'PENDING' AND o.available_at IS NULL AND o.destination = ? AND o.id = ANY (?::bigint[])
               AND (o.outbox_id IN (SELECT unnest(?::uuid[]))) IS TRUE
            """;

    private static final String READY = THESE_READY + ALL_HELD;

    /** Also what was refused before. Joined, because a plan for any parameters might compare every row with every id. */
    private static final String BY_ID = """
            FROM unnest(?::uuid[]) AS sent (outbox_id) WHERE o.outbox_id = sent.outbox_id
            """ + ALL_HELD;

    /** A handler takes one message, thousands of times a second: without arrays it costs about a third. */
    private static final String ONE_READY = """
             WHERE o.status = 'PENDING' AND o.available_at IS NULL AND o.destination = ? AND o.id = ? AND o.outbox_id = ?
               AND EXISTS (SELECT 1 FROM ${prefix}relay_lease lease
                            WHERE lease.shard = ? AND lease.pool = ? AND lease.token = ?)
            """;

    /** Which of these keys are blocked. Asked for apart: as part of HOLD, a plan for any parameters begins with all that are. */
    private static final String STILL_BLOCKED = """
            SELECT b.destination, b.partition_key
              FROM unnest(?::text[], ?::text[]) AS key (destination, partition_key)
              JOIN ${prefix}outbox_blocked_key b USING (destination, partition_key)
            """;

    private static final String HOLD = "UPDATE ${prefix}outbox o SET status = 'HELD'\n" + THESE_READY;

    private static final String REMOVE = "DELETE FROM ${prefix}outbox o ";
    private static final String MARK = """
            UPDATE ${prefix}outbox o SET status = 'DISPATCHED', dispatched_at = clock_timestamp(), available_at = NULL
            """;

    private final JdbcStoreOptions options;
    private final RowStatement dispatchOne;
    private final RowStatement removeOne;

    PostgresRemoval(JdbcStoreOptions options) {
        this.options = options;
        this.dispatchOne = RowStatement.update(sql(settling(ONE_READY, true)));
        this.removeOne = RowStatement.update(sql(settling(ONE_READY, false)));
    }

    int take(Connection connection, Collection<Lease> leases, List<ClaimedMessage> messages, boolean kept)
            throws SQLException {
        int taken = ofEachDestination(
                connection,
                sql(settling(READY, kept)),
                messages,
                statement -> bindLeases(connection, statement, 4, leases));
        return taken < messages.size() ? taken + takeById(connection, leases, messages, kept, taken) : taken;
    }

    /** Usually these are just the ones that were refused before; otherwise somebody has changed one of the others. */
    private int takeById(
            Connection connection, Collection<Lease> leases, List<ClaimedMessage> messages, boolean kept, int ready)
            throws SQLException {
        List<ClaimedMessage> due = messages.stream()
                .filter(message -> message.state() == State.DUE)
                .toList();
        List<ClaimedMessage> left = ready + due.size() == messages.size() ? due : messages;
        return Jdbc.update(connection, sql(settling(BY_ID, kept)), statement -> {
            statement.setArray(
                    1,
                    PostgresArrays.ids(
                            connection, left, message -> message.envelope().id()));
            bindLeases(connection, statement, 2, leases);
        });
    }

    /** Takes a message that is ready. */
    RowStatement one(boolean kept) {
        return kept ? dispatchOne : removeOne;
    }

    static Values values(Lease lease, ClaimedMessage message) {
        return new Values()
                .and(message.envelope().destination())
                .and(message.position())
                .and(message.envelope().id())
                .and(lease.shard())
                .and(lease.pool())
                .and(lease.token());
    }

    /** Holds what is ready, and behind a key that is blocked. Returns how many. */
    int hold(Connection connection, List<ClaimedMessage> messages) throws SQLException {
        Set<Key> keys =
                messages.stream().map(message -> Key.of(message.envelope())).collect(toSet());
        Set<Key> blocked = Set.copyOf(Jdbc.query(
                connection,
                sql(STILL_BLOCKED),
                statement -> {
                    statement.setArray(1, PostgresArrays.texts(connection, keys, Key::destination));
                    statement.setArray(2, PostgresArrays.texts(connection, keys, Key::partitionKey));
                },
                row -> new Key(row.getString(1), row.getString(2))));
        List<ClaimedMessage> waiting = messages.stream()
                .filter(message -> blocked.contains(Key.of(message.envelope())))
                .toList();
        return waiting.isEmpty() ? 0 : ofEachDestination(connection, sql(HOLD), waiting, statement -> {});
    }

    private static int ofEachDestination(
            Connection connection, String sql, List<ClaimedMessage> messages, Jdbc.Binder more) throws SQLException {
        String first = messages.get(0).envelope().destination();
        Collection<List<ClaimedMessage>> destinations = messages.stream()
                        .allMatch(message -> message.envelope().destination().equals(first))
                ? List.of(messages)
                : messages.stream()
                        .collect(groupingBy(message -> message.envelope().destination()))
                        .values();
        int[] changed = Jdbc.batch(connection, sql, destinations, (statement, rows) -> {
            List<ClaimedMessage> filledUp = PostgresArrays.filledUp(rows, rows.get(0));
            statement.setString(1, rows.get(0).envelope().destination());
            statement.setArray(2, PostgresArrays.longs(connection, filledUp, ClaimedMessage::position));
            statement.setArray(
                    3,
                    PostgresArrays.ids(
                            connection, filledUp, message -> message.envelope().id()));
            more.bind(statement);
        });
        return IntStream.of(changed).sum();
    }

    private String settling(String which, boolean kept) {
        return kept && options.keepsDispatched() ? MARK + which : REMOVE + which.replaceFirst("^FROM", "USING");
    }

    private static void bindLeases(Connection connection, PreparedStatement statement, int at, Collection<Lease> leases)
            throws SQLException {
        statement.setInt(at, leases.size());
        statement.setArray(at + 1, PostgresArrays.ints(connection, leases, Lease::shard));
        statement.setArray(at + 2, PostgresArrays.texts(connection, leases, Lease::pool));
        statement.setArray(at + 3, PostgresArrays.longs(connection, leases, Lease::token));
    }

    private String sql(String template) {
        return Dialect.POSTGRESQL.sql(template, options.prefix());
    }
}

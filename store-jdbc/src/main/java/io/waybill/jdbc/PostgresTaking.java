package io.waybill.jdbc;

import static java.util.stream.Collectors.groupingBy;

import io.waybill.store.ClaimedMessage;
import io.waybill.store.ClaimedMessage.State;
import io.waybill.store.Lease;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/**
 * Takes sent or handled messages out of the outbox on PostgreSQL, or marks them, as long as the leases under which they were claimed hold.
 *
 * <p><i>Threads:</i> safe.
 */
final class PostgresTaking {

    /** The leases are looked at once for the whole batch: row by row would cost more than the rest. */
    private static final String ALL_HELD = """
             AND o.status = 'PENDING'
             AND ? = (SELECT count(*) FROM ${prefix}relay_lease lease
                        JOIN unnest(?::int[], ?::text[], ?::bigint[]) AS held (shard, pool, token)
                          ON lease.shard = held.shard AND lease.pool = held.pool AND lease.token = held.token)
            """;

    /** The commit does not wait for the disk. Set once for the statement, and for it alone. */
    private static final String NOT_WAITING = """
             AND (SELECT set_config('synchronous_commit', 'off', true)) = 'off'
            """;

    /**
     * So many messages may be settled before a commit waits for the disk: they are sent again if the server itself dies before, as
     * those of the batch are that is under way.
     */
    private static final int MOST_UNCERTAIN = 500;

    /** In the order of the index, page by page: with the destination first, that of what is ready. */
    private static final String READY = """
             WHERE o.status = 'PENDING' AND o.available_at IS NULL AND o.destination = ? AND o.id = ANY (?::bigint[])
            """ + ALL_HELD;

    /** Also what was refused before. Joined, because a plan for any parameters might compare every row with every id. */
    private static final String BY_ID = """
            FROM unnest(?::uuid[]) AS sent (outbox_id) WHERE o.outbox_id = sent.outbox_id
            """ + ALL_HELD;

    /** A handler takes one message, thousands of times a second: without arrays it costs about a third. */
    private static final String ONE_READY = """
             WHERE o.status = 'PENDING' AND o.available_at IS NULL AND o.destination = ? AND o.id = ?
               AND EXISTS (SELECT 1 FROM ${prefix}relay_lease lease
                            WHERE lease.shard = ? AND lease.pool = ? AND lease.token = ?)
            """;

    private static final String REMOVE = "DELETE FROM ${prefix}outbox o ";
    private static final String MARK = """
            UPDATE ${prefix}outbox o SET status = 'DISPATCHED', dispatched_at = clock_timestamp(), available_at = NULL
            """;

    private final JdbcStoreOptions options;
    private final String dispatchOne;
    private final String removeOne;
    private final AtomicInteger uncertain = new AtomicInteger();
    private final AtomicBoolean mayHaveLost = new AtomicBoolean();

    PostgresTaking(JdbcStoreOptions options) {
        this.options = options;
        this.dispatchOne = sql(settling(ONE_READY, true));
        this.removeOne = sql(settling(ONE_READY, false));
    }

    /** Whether a commit has not waited for the disk since this was asked last: a crash of the server may have made rows pending again. */
    boolean mayHaveLost() {
        return mayHaveLost.getAndSet(false);
    }

    int dispatch(Connection connection, Collection<Lease> leases, List<ClaimedMessage> sent) throws SQLException {
        return take(connection, leases, sent, true, mustWait(connection, sent) ? "" : NOT_WAITING);
    }

    private boolean mustWait(Connection connection, List<ClaimedMessage> sent) throws SQLException {
        boolean must = !connection.getAutoCommit() || uncertain.addAndGet(sent.size()) > MOST_UNCERTAIN;
        if (must) {
            uncertain.set(0);
        } else {
            mayHaveLost.set(true);
        }
        return must;
    }

    int take(Connection connection, Collection<Lease> leases, List<ClaimedMessage> messages, boolean kept)
            throws SQLException {
        return take(connection, leases, messages, kept, "");
    }

    private int take(
            Connection connection, Collection<Lease> leases, List<ClaimedMessage> messages, boolean kept, String and)
            throws SQLException {
        int taken = messages.size() == 1 && leases.size() == 1
                ? takeOne(connection, leases.iterator().next(), messages.get(0), kept)
                : takeReady(connection, leases, messages, kept, and);
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

    private int takeOne(Connection connection, Lease lease, ClaimedMessage message, boolean kept) throws SQLException {
        return Jdbc.update(connection, kept ? dispatchOne : removeOne, statement -> {
            statement.setString(1, message.envelope().destination());
            statement.setLong(2, message.position());
            statement.setInt(3, lease.shard());
            statement.setString(4, lease.pool());
            statement.setLong(5, lease.token());
        });
    }

    private int takeReady(
            Connection connection, Collection<Lease> leases, List<ClaimedMessage> messages, boolean kept, String and)
            throws SQLException {
        Collection<List<ClaimedMessage>> destinations = messages.stream()
                .collect(groupingBy(message -> message.envelope().destination()))
                .values();
        int[] taken = Jdbc.batch(connection, sql(settling(READY + and, kept)), destinations, (statement, rows) -> {
            statement.setString(1, rows.get(0).envelope().destination());
            statement.setArray(
                    2,
                    PostgresArrays.longs(
                            connection, PostgresArrays.filledUp(rows, rows.get(0)), ClaimedMessage::position));
            bindLeases(connection, statement, 3, leases);
        });
        return IntStream.of(taken).sum();
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

package io.waybill.jdbc;

import static java.util.stream.Collectors.joining;

import io.waybill.Time;
import io.waybill.message.Envelope;
import io.waybill.store.ClaimedMessage;
import io.waybill.store.ClaimedMessage.State;
import io.waybill.store.Lease;
import io.waybill.store.OnExhausted;
import io.waybill.store.Settlements;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

/** Settles a batch in which not everything was simply accepted: keys wait, are parked, or move on. */
final class Settling {

    private static final String LOCK_LEASES = """
            SELECT shard FROM ${prefix}relay_lease WHERE (shard, token) IN (${tokens}) ORDER BY shard FOR UPDATE
            """;
    private static final String RETRY = """
            UPDATE ${prefix}outbox SET retry_count = ?, last_error = ?, available_at = ${now_plus_millis}
             WHERE outbox_id = ? AND destination = ? AND status = 'PENDING'
            """;
    private static final String FAIL = """
            UPDATE ${prefix}outbox
               SET retry_count = ?, last_error = ?, available_at = NULL, status = 'FAILED'
             WHERE outbox_id = ? AND destination = ? AND status = 'PENDING'
            """;
    private static final String UNBLOCK = """
            DELETE FROM ${prefix}outbox_blocked_key WHERE destination = ? AND partition_key = ?
            """;
    private static final String BLOCK = """
            INSERT INTO ${prefix}outbox_blocked_key (destination, partition_key, shard, outbox_id, reason)
            VALUES (?, ?, ?, ?, ?)
            """;
    private static final String LOCK_BLOCKED = """
            SELECT 1 FROM ${prefix}outbox_blocked_key WHERE destination = ? AND partition_key = ? FOR UPDATE
            """;
    private static final String HOLD = """
            UPDATE ${prefix}outbox SET status = 'HELD' WHERE outbox_id = ? AND status = 'PENDING'
            """;
    private static final String LOOK_BACK = """
            UPDATE ${prefix}relay_lease SET rewind = rewind + 1 WHERE shard = ?
            """;
    private static final String FREE_THE_HELD = """
            UPDATE ${prefix}outbox o SET status = 'PENDING'
             WHERE status = 'HELD' AND ${shard} = ? AND destination = ? AND partition_key = ?
            """;

    /** A message of a blocked key waits until somebody acts: a hundred years, about as much as H2 can add to a time. */
    private static final Duration UNTIL_SOMEBODY_ACTS = Duration.ofDays(36_500);

    private static final int LONGEST_ERROR = 4_000;

    /** Removes what was sent or marks it as dispatched, if all of the leases still hold; otherwise it may do nothing. */
    @FunctionalInterface
    interface Dispatch {
        int dispatch(Connection connection, Collection<Lease> leases, List<ClaimedMessage> sent) throws SQLException;
    }

    private final Dispatch dispatch;
    private final UnaryOperator<String> sql;
    private final Time time;

    Settling(Dispatch dispatch, UnaryOperator<String> sql, Time time) {
        this.dispatch = dispatch;
        this.sql = sql;
        this.time = time;
    }

    /** The leases are locked first, then keys, then messages: the same order as everybody who changes them. */
    int settle(Connection connection, Collection<Lease> leases, Settlements settlements) throws SQLException {
        Set<Integer> ours = lockedShards(connection, leases);
        List<ClaimedMessage> dispatched = of(ours, settlements.dispatched());
        List<Lease> held =
                leases.stream().filter(lease -> ours.contains(lease.shard())).toList();
        int settled = dispatched.isEmpty() ? 0 : dispatch.dispatch(connection, held, dispatched);
        for (var message : dispatched) {
            unblockAfter(connection, message);
        }
        for (var retry : settlements.retries()) {
            if (ours.contains(retry.message().shard())
                    && wait(connection, retry.message(), retry.error(), retry.delay()) == 1) {
                block(connection, retry.message(), "RETRY");
                settled++;
            }
        }
        for (var failure : settlements.failures()) {
            if (ours.contains(failure.message().shard())) {
                settled += fail(connection, failure);
            }
        }
        return settled + hold(connection, of(ours, settlements.held()));
    }

    private Set<Integer> lockedShards(Connection connection, Collection<Lease> leases) throws SQLException {
        return leases.isEmpty()
                ? Set.of()
                : Set.copyOf(Jdbc.query(
                        connection,
                        sql.apply(LOCK_LEASES.replace("${tokens}", tokens(leases))),
                        statement -> {},
                        row -> row.getInt(1)));
    }

    private static List<ClaimedMessage> of(Set<Integer> shards, List<ClaimedMessage> messages) {
        return messages.stream()
                .filter(message -> shards.contains(message.shard()))
                .toList();
    }

    private int wait(Connection connection, ClaimedMessage message, String error, Duration delay) throws SQLException {
        return Jdbc.update(connection, sql.apply(RETRY), statement -> {
            statement.setInt(1, message.attempts() + 1);
            statement.setString(2, shortened(error));
            statement.setLong(3, delay.plus(time.offset()).toMillis());
            setId(statement, 4, message);
            statement.setString(5, message.envelope().destination());
        });
    }

    private int fail(Connection connection, Settlements.Failure failure) throws SQLException {
        ClaimedMessage message = failure.message();
        boolean alone = !message.envelope().isOrdered() || failure.then() == OnExhausted.SKIP;
        int failed = !alone && failure.then() == OnExhausted.BLOCK
                ? wait(connection, message, failure.error(), UNTIL_SOMEBODY_ACTS)
                : markFailed(connection, failure);
        if (failed == 1 && alone) {
            unblockAfter(connection, message);
        } else if (failed == 1) {
            block(connection, message, failure.then().name());
        }
        return failed;
    }

    private int markFailed(Connection connection, Settlements.Failure failure) throws SQLException {
        return Jdbc.update(connection, sql.apply(FAIL), statement -> {
            statement.setInt(1, failure.message().attempts() + 1);
            statement.setString(2, shortened(failure.error()));
            setId(statement, 3, failure.message());
            statement.setString(4, failure.message().envelope().destination());
        });
    }

    private void block(Connection connection, ClaimedMessage message, String reason) throws SQLException {
        if (!message.envelope().isOrdered()) {
            return;
        }
        unblock(connection, message.envelope());
        Jdbc.update(connection, sql.apply(BLOCK), statement -> {
            statement.setString(1, message.envelope().destination());
            statement.setString(2, message.envelope().partitionKey());
            statement.setInt(3, message.shard());
            setId(statement, 4, message);
            statement.setString(5, reason);
        });
    }

    private void unblock(Connection connection, Envelope envelope) throws SQLException {
        Jdbc.update(connection, sql.apply(UNBLOCK), statement -> setKey(statement, 1, envelope));
    }

    /** The message its key waited for has gone: what was held behind it may follow. */
    private void unblockAfter(Connection connection, ClaimedMessage message) throws SQLException {
        if (message.state() == State.DUE && message.envelope().isOrdered()) {
            unblock(connection, message.envelope());
            int freed = Jdbc.update(connection, sql.apply(FREE_THE_HELD), statement -> {
                statement.setInt(1, message.shard());
                setKey(statement, 2, message.envelope());
            });
            if (freed > 0) {
                Jdbc.update(connection, sql.apply(LOOK_BACK), statement -> statement.setInt(1, message.shard()));
            }
        }
    }

    /** Under the lock of its key, so that nothing is held behind a key that was set free a moment ago. */
    private int hold(Connection connection, List<ClaimedMessage> messages) throws SQLException {
        int held = 0;
        for (var message : messages) {
            boolean blocked = !Jdbc.query(
                            connection,
                            sql.apply(LOCK_BLOCKED),
                            statement -> setKey(statement, 1, message.envelope()),
                            row -> true)
                    .isEmpty();
            if (blocked) {
                held += Jdbc.update(connection, sql.apply(HOLD), statement -> setId(statement, 1, message));
            }
        }
        return held;
    }

    private static void setKey(PreparedStatement statement, int at, Envelope envelope) throws SQLException {
        statement.setString(at, envelope.destination());
        statement.setString(at + 1, envelope.partitionKey());
    }

    private static void setId(PreparedStatement statement, int at, ClaimedMessage message) throws SQLException {
        statement.setObject(at, message.envelope().id());
    }

    static String tokens(Collection<Lease> leases) {
        return leases.stream()
                .map(lease -> "(" + lease.shard() + ", " + lease.token() + ")")
                .collect(joining(", "));
    }

    private static String shortened(String error) {
        String text = error.replace("\0", "");
        return text.length() <= LONGEST_ERROR ? text : text.substring(0, LONGEST_ERROR);
    }
}

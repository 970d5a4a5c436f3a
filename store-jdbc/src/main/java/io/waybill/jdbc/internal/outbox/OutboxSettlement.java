package io.waybill.jdbc.internal.outbox;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toSet;

import io.waybill.Time;
import io.waybill.jdbc.internal.lease.HeldLeasesSql;
import io.waybill.jdbc.internal.sql.AttemptLogSql;
import io.waybill.jdbc.sql.Jdbc;
import io.waybill.store.AttemptLog;
import io.waybill.store.outbox.ClaimedMessage;
import io.waybill.store.outbox.ClaimedMessage.State;
import io.waybill.store.outbox.Lease;
import io.waybill.store.outbox.OnExhausted;
import io.waybill.store.outbox.Settlements;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Settles a batch in which not everything was simply accepted: keys wait, are parked, or move on. A step is one round trip,
 * however many messages it concerns.
 *
 * <p>The leases are locked until the end. Every other change of claimed messages or their keys locks the lease of the shard first,
 * so what is read here stays true.
 */
final class OutboxSettlement {

    private static final String LOCK_LEASES = """
            SELECT shard FROM ${prefix}relay_lease WHERE ${held} ORDER BY shard FOR UPDATE
            """;
    private static final String LOCK_SHARDS = """
            SELECT shard FROM ${prefix}relay_lease WHERE shard IN (${shards}) ORDER BY shard, pool FOR UPDATE
            """;
    private static final String STILL_PENDING = """
            SELECT o.outbox_id, o.destination FROM ${prefix}outbox o ${by_primary_key} WHERE ${these} AND o.status = 'PENDING'
            """;
    private static final String WAIT = AttemptLogSql.in("""
            UPDATE ${prefix}outbox
               SET retry_count = ?, last_error = ?, attempt_log = ${more_attempts}, available_at = ${now_plus_millis}
             WHERE outbox_id = ?
            """);
    private static final String FAIL = AttemptLogSql.in("""
            UPDATE ${prefix}outbox
               SET retry_count = ?, last_error = ?, attempt_log = ${more_attempts}, available_at = NULL, status = 'FAILED'
             WHERE outbox_id = ?
            """);
    private static final String UNBLOCK = """
            DELETE FROM ${prefix}outbox_blocked_key WHERE destination = ? AND partition_key = ?
            """;
    private static final String BLOCK = """
            INSERT INTO ${prefix}outbox_blocked_key (destination, partition_key, shard, outbox_id, reason)
            VALUES (?, ?, ?, ?, ?)
            """;
    private static final String FREE_THE_HELD = """
            UPDATE ${prefix}outbox o SET status = 'PENDING'
             WHERE status = 'HELD' AND destination = ? AND partition_key = ? AND ${shard} = ?
            """;
    private static final String LOOK_BACK = """
            UPDATE ${prefix}relay_lease SET rewind = rewind + 1 WHERE shard = ? AND pool = ?
            """;

    private static final String ORPHANS = """
            SELECT b.destination, b.partition_key, b.shard FROM ${prefix}outbox_blocked_key b
             WHERE b.shard IN (${shards})
               AND NOT EXISTS (SELECT 1 FROM ${prefix}outbox o
                                WHERE o.outbox_id = b.outbox_id AND o.status IN ('PENDING', 'FAILED'))
            """;

    /** A message of a blocked key waits until somebody acts: a hundred years, about as much as H2 can add to a time. */
    private static final Duration UNTIL_SOMEBODY_ACTS = Duration.ofDays(36_500);

    private static final int MAX_ERROR = 4_000;

    private final JdbcOutboxStore store;
    private final Time time;

    OutboxSettlement(JdbcOutboxStore store, Time time) {
        this.store = store;
        this.time = time;
    }

    int settle(Connection connection, Collection<Lease> leases, Settlements settlements) throws SQLException {
        if (leases.isEmpty()) {
            return 0;
        }
        Set<Integer> ours = lockedShards(connection, leases);
        List<Lease> held =
                leases.stream().filter(lease -> ours.contains(lease.shard())).toList();
        List<ClaimedMessage> dispatched = of(ours, settlements.dispatched());
        List<Refusal> refused = stillPending(connection, of(ours, Refusal.of(settlements)));
        int settled = dispatched.isEmpty() ? 0 : store.dispatch(connection, held, dispatched);
        refuse(connection, refused);
        freeKeys(
                connection,
                leases,
                Stream.concat(
                        dispatched.stream(),
                        refused.stream()
                                .filter(refusal -> refusal.stops == null)
                                .map(Refusal::message)));
        stopKeys(connection, refused);
        List<ClaimedMessage> waiting = of(ours, settlements.held());
        return settled + refused.size() + (waiting.isEmpty() ? 0 : store.hold(connection, waiting));
    }

    /** What was held behind these messages may follow; they were taken in the same transaction. */
    boolean freeFollowers(Connection connection, Collection<Lease> leases, List<ClaimedMessage> taken)
            throws SQLException {
        if (lockedShards(connection, leases).size() < leases.size()) {
            return false;
        }
        freeKeys(connection, leases, taken.stream());
        return true;
    }

    /**
     * A key is blocked, and the message that it waits for is ended, with the lease of the shard locked. With all leases of the shards
     * locked, what is found here is nobody's work in progress.
     */
    int repairKeys(Connection connection, Collection<Lease> leases) throws SQLException {
        String all = leases.stream().map(lease -> String.valueOf(lease.shard())).collect(joining(", "));
        Jdbc.query(connection, store.sql(LOCK_SHARDS.replace("${shards}", all)), none -> {}, row -> row.getInt(1));
        Set<Integer> ours = lockedShards(connection, leases);
        if (ours.isEmpty()) {
            return 0;
        }
        String shards = ours.stream().map(String::valueOf).collect(joining(", "));
        List<Blocked> orphans = Jdbc.query(
                connection,
                store.sql(ORPHANS.replace("${shards}", shards)),
                statement -> {},
                row -> new Blocked(row.getString(1), row.getString(2), row.getInt(3)));
        free(connection, leases, orphans);
        return orphans.size();
    }

    private Set<Integer> lockedShards(Connection connection, Collection<Lease> leases) throws SQLException {
        return Set.copyOf(Jdbc.query(
                connection,
                store.sql(LOCK_LEASES.replace("${held}", HeldLeasesSql.are(leases))),
                statement -> {},
                row -> row.getInt(1)));
    }

    private static List<ClaimedMessage> of(Set<Integer> shards, List<ClaimedMessage> messages) {
        return messages.stream()
                .filter(message -> shards.contains(message.shard()))
                .toList();
    }

    private static List<Refusal> of(Set<Integer> shards, Stream<Refusal> refused) {
        return refused.filter(refusal -> shards.contains(refusal.message.shard()))
                .toList();
    }

    /** Without what an operator has discarded meanwhile, or sent elsewhere. */
    private List<Refusal> stillPending(Connection connection, List<Refusal> refused) throws SQLException {
        if (refused.isEmpty()) {
            return refused;
        }
        List<ClaimedMessage> messages = refused.stream().map(Refusal::message).toList();
        Map<UUID, String> destinations = Jdbc.query(
                        connection,
                        store.sql(STILL_PENDING, messages),
                        statement -> {},
                        row -> Map.entry(row.getObject(1, UUID.class), row.getString(2)))
                .stream()
                .collect(toMap(Map.Entry::getKey, Map.Entry::getValue));
        return refused.stream()
                .filter(refusal -> refusal.message
                        .envelope()
                        .destination()
                        .equals(destinations.get(refusal.message.envelope().id())))
                .toList();
    }

    private void refuse(Connection connection, List<Refusal> refused) throws SQLException {
        List<Refusal> waiting =
                refused.stream().filter(refusal -> refusal.delay != null).toList();
        List<Refusal> failed =
                refused.stream().filter(refusal -> refusal.delay == null).toList();
        Instant now = time.clock().instant();
        Jdbc.batch(connection, store.sql(WAIT), waiting, (statement, refusal) -> {
            refusal.bind(statement, now);
            statement.setLong(4, refusal.millis(time));
            setId(statement, 5, refusal.message);
        });
        Jdbc.batch(connection, store.sql(FAIL), failed, (statement, refusal) -> {
            refusal.bind(statement, now);
            setId(statement, 4, refusal.message);
        });
    }

    /** The message a key waited for has gone, or has been given up: what was held behind it may follow. */
    private void freeKeys(Connection connection, Collection<Lease> leases, Stream<ClaimedMessage> messages)
            throws SQLException {
        free(
                connection,
                leases,
                messages.filter(message -> message.state() == State.DUE
                                && message.envelope().isOrdered())
                        .map(message -> new Blocked(
                                message.envelope().destination(),
                                message.envelope().partitionKey(),
                                message.shard()))
                        .toList());
    }

    private void free(Connection connection, Collection<Lease> leases, List<Blocked> keys) throws SQLException {
        Jdbc.batch(connection, store.sql(UNBLOCK), keys, (statement, key) -> key.bind(statement));
        int[] freed = Jdbc.batch(connection, store.sql(FREE_THE_HELD), keys, (statement, key) -> {
            key.bind(statement);
            statement.setInt(3, key.shard);
        });
        Set<Integer> shards = IntStream.range(0, freed.length)
                .filter(i -> freed[i] != 0)
                .mapToObj(i -> keys.get(i).shard)
                .collect(toSet());
        List<Lease> theirs =
                leases.stream().filter(lease -> shards.contains(lease.shard())).toList();
        Jdbc.batch(connection, store.sql(LOOK_BACK), theirs, (statement, lease) -> {
            statement.setInt(1, lease.shard());
            statement.setString(2, lease.pool());
        });
    }

    /** A key that waits for one of its messages. */
    private record Blocked(String destination, String partitionKey, int shard) {

        void bind(PreparedStatement statement) throws SQLException {
            statement.setString(1, destination);
            statement.setString(2, partitionKey);
        }
    }

    private void stopKeys(Connection connection, List<Refusal> refused) throws SQLException {
        List<Refusal> stopping =
                refused.stream().filter(refusal -> refusal.stops != null).toList();
        Jdbc.batch(
                connection, store.sql(UNBLOCK), stopping, (statement, refusal) -> setKey(statement, refusal.message));
        Jdbc.batch(connection, store.sql(BLOCK), stopping, (statement, refusal) -> {
            setKey(statement, refusal.message);
            statement.setInt(3, refusal.message.shard());
            setId(statement, 4, refusal.message);
            statement.setString(5, refusal.stops);
        });
    }

    private static void setKey(PreparedStatement statement, ClaimedMessage message) throws SQLException {
        statement.setString(1, message.envelope().destination());
        statement.setString(2, message.envelope().partitionKey());
    }

    private static void setId(PreparedStatement statement, int at, ClaimedMessage message) throws SQLException {
        statement.setObject(at, message.envelope().id());
    }

    /**
     * What becomes of a message that was refused.
     *
     * @param attempts how often it was refused, this time included
     * @param delay how long it waits; null when it has failed
     * @param stops why its key stops; null when the key goes on, or there is none
     */
    private record Refusal(
            ClaimedMessage message,
            int attempts,
            String error,
            @Nullable Duration delay,
            @Nullable String stops) {

        static Stream<Refusal> of(Settlements settlements) {
            return Stream.concat(
                    settlements.retries().stream().map(Refusal::of),
                    settlements.failures().stream().map(Refusal::of));
        }

        private static Refusal of(Settlements.Retry retry) {
            return new Refusal(
                    retry.message(),
                    retry.attempts(),
                    retry.error(),
                    retry.delay(),
                    retry.stopsItsKey() ? "RETRY" : null);
        }

        private static Refusal of(Settlements.Failure failure) {
            boolean stops = failure.stopsItsKey();
            return new Refusal(
                    failure.message(),
                    failure.message().attempts() + 1,
                    failure.error(),
                    stops && failure.then() == OnExhausted.BLOCK ? UNTIL_SOMEBODY_ACTS : null,
                    stops ? failure.then().name() : null);
        }

        long millis(Time time) {
            return delay == null ? 0 : delay.plus(time.offset()).toMillis();
        }

        /** Three parameters: how often, the error, and what the history of the message has of it. */
        void bind(PreparedStatement statement, Instant now) throws SQLException {
            String text = error.replace("\0", "");
            statement.setInt(1, attempts);
            statement.setString(2, text.length() <= MAX_ERROR ? text : text.substring(0, MAX_ERROR));
            // A destination that comes and goes uses no attempt, and does not push those out of the history.
            statement.setString(3, attempts > message.attempts() ? AttemptLog.failed(now, error) : "");
        }
    }
}

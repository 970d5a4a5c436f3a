package io.waybill.jdbc;

import static java.util.stream.Collectors.joining;

import io.waybill.Time;
import io.waybill.message.Envelope;
import io.waybill.store.ClaimedMessage;
import io.waybill.store.ClaimedMessage.State;
import io.waybill.store.Lane;
import io.waybill.store.Lease;
import io.waybill.store.OnExhausted;
import io.waybill.store.OutboxStore;
import io.waybill.store.Settlements;
import io.waybill.store.Transaction;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.sql.DataSource;

/**
 * The outbox in a database. Subclasses hold what must be fast or is said differently by each database (append, lanes, claim,
 * dispatch); this class holds the rest, which happens only when something went wrong.
 */
abstract class JdbcOutboxStore implements OutboxStore {

    /** What a claim reads, in the order of {@link #read}: {@code ${columns}} in statements. */
    private static final String COLUMNS = """
            o.id, o.shard, o.retry_count, o.outbox_id, o.category, o.type, o.destination, o.message_key,
            o.partition_key, o.payload, o.payload_binary, o.headers, ${place}""";

    private static final String SCHEDULE = """
            INSERT INTO ${prefix}outbox_scheduled
                   (outbox_id, category, type, destination, message_key, partition_key, payload, payload_binary, headers, due_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ${now_plus_millis})
            """;
    private static final String SCHEDULED_AND_DUE = """
            SELECT outbox_id, category, type, destination, message_key, partition_key, payload, payload_binary, headers
              FROM ${prefix}outbox_scheduled WHERE due_at <= (SELECT ${now_plus_millis})
             ORDER BY due_at LIMIT ? FOR UPDATE SKIP LOCKED
            """;
    private static final String UNSCHEDULE = """
            DELETE FROM ${prefix}outbox_scheduled WHERE outbox_id = ?
            """;
    private static final String COUNT_ON = """
            UPDATE ${prefix}outbox_sequence SET last_number = last_number + 1 WHERE destination = ? AND partition_key = ?
            """;
    private static final String COUNT_FROM_ONE = """
            INSERT INTO ${prefix}outbox_sequence (destination, partition_key, last_number) VALUES (?, ?, ?)
            """;
    private static final String LAST_NUMBER = """
            SELECT last_number FROM ${prefix}outbox_sequence WHERE destination = ? AND partition_key = ?
            """;
    private static final String CLAIM_DUE = """
            SELECT ${columns} FROM ${prefix}outbox o
             WHERE o.status = 'PENDING' AND o.available_at <= (SELECT ${now_plus_millis}) AND o.shard IN (${shards})
             ORDER BY o.available_at LIMIT ?
            """;
    private static final String LOCK_LEASES = """
            SELECT shard FROM ${prefix}relay_lease WHERE (shard, token) IN (${tokens}) ORDER BY shard FOR UPDATE
            """;
    private static final String NOTE_ATTEMPT = """
            UPDATE ${prefix}outbox SET retry_count = ?, last_error = ?
             WHERE outbox_id = ? AND status = 'PENDING'
               AND shard IN (SELECT shard FROM ${prefix}relay_lease WHERE shard = ? AND token = ?)
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
            UPDATE ${prefix}outbox SET status = 'PENDING'
             WHERE status = 'HELD' AND shard = ? AND destination = ? AND partition_key = ?
            """;

    /** A message of a blocked key waits until somebody acts: a hundred years, about as much as H2 can add to a time. */
    private static final Duration UNTIL_SOMEBODY_ACTS = Duration.ofDays(36_500);

    private static final int LONGEST_ERROR = 4_000;

    final Dialect dialect;
    final JdbcStoreOptions options;
    private final Jdbc jdbc;
    private final Time time;

    JdbcOutboxStore(DataSource dataSource, Dialect dialect, JdbcStoreOptions options, Time time) {
        this.jdbc = new Jdbc(dataSource, dialect);
        this.dialect = dialect;
        this.options = options;
        this.time = time;
    }

    static JdbcOutboxStore of(DataSource dataSource, Dialect dialect, JdbcStoreOptions options, Time time) {
        return switch (dialect) {
            case POSTGRESQL -> new PostgresOutboxStore(dataSource, options, time);
            case MARIADB, MYSQL, H2 -> new PortableOutboxStore(dataSource, dialect, options, time);
        };
    }

    abstract void append(Connection connection, List<Envelope> messages) throws SQLException;

    /** What a row is found by when it is dispatched. */
    abstract String place();

    abstract Set<Lane> lanes(Connection connection) throws SQLException;

    abstract List<ClaimedMessage> claim(Connection connection, Map<Lane, Integer> limits) throws SQLException;

    /** Removes what was sent or marks it as dispatched, if all of the leases still hold; otherwise it may do nothing. */
    abstract int dispatch(Connection connection, Collection<Lease> leases, List<ClaimedMessage> sent)
            throws SQLException;

    @Override
    public void append(Transaction transaction, List<Envelope> messages) {
        if (messages.isEmpty()) {
            return;
        }
        try {
            append(transaction.unwrap(Connection.class), messages);
        } catch (SQLException e) {
            throw Jdbc.failed("append " + messages.size() + " messages to " + options.prefix() + "outbox", e);
        }
    }

    @Override
    public void schedule(Transaction transaction, Envelope message, Duration delay) {
        try {
            Jdbc.update(transaction.unwrap(Connection.class), sql(SCHEDULE), statement -> {
                int next = Envelopes.bind(statement, 1, message);
                statement.setLong(next, delay.plus(time.offset()).toMillis());
            });
        } catch (SQLException e) {
            throw Jdbc.failed("schedule message " + message.id(), e);
        }
    }

    @Override
    public int appendScheduled(int limit) {
        return jdbc.transaction("append scheduled messages", connection -> {
            List<Envelope> due = Jdbc.query(
                    connection,
                    sql(SCHEDULED_AND_DUE),
                    statement -> {
                        statement.setLong(1, time.offset().toMillis());
                        statement.setInt(2, limit);
                    },
                    row -> Envelopes.read(row, 1).envelope());
            if (!due.isEmpty()) {
                append(connection, due);
            }
            for (var message : due) {
                Jdbc.update(connection, sql(UNSCHEDULE), statement -> statement.setObject(1, message.id()));
            }
            return due.size();
        });
    }

    /** The row of the counter is locked until the caller commits: that is what makes the numbers dense. */
    @Override
    public long nextNumber(Transaction transaction, String destination, String partitionKey) {
        Connection connection = transaction.unwrap(Connection.class);
        try {
            if (Jdbc.update(connection, sql(COUNT_ON), key(destination, partitionKey)) == 0) {
                startCounting(connection, destination, partitionKey);
                Jdbc.update(connection, sql(COUNT_ON), key(destination, partitionKey));
            }
            return Jdbc.query(connection, sql(LAST_NUMBER), key(destination, partitionKey), row -> row.getLong(1))
                    .get(0);
        } catch (SQLException e) {
            throw Jdbc.failed("number a message of key '" + partitionKey + "' to " + destination, e);
        }
    }

    private void startCounting(Connection connection, String destination, String partitionKey) throws SQLException {
        String ifMissing = dialect == Dialect.POSTGRESQL ? " ON CONFLICT DO NOTHING" : "";
        try {
            Jdbc.update(connection, sql(COUNT_FROM_ONE + ifMissing), statement -> {
                key(destination, partitionKey).bind(statement);
                statement.setLong(3, 0);
            });
        } catch (SQLException e) {
            if (!Jdbc.isDuplicate(e)) {
                throw e;
            }
        }
    }

    private static Jdbc.Binder key(String destination, String partitionKey) {
        return statement -> {
            statement.setString(1, destination);
            statement.setString(2, partitionKey);
        };
    }

    @Override
    public Set<Lane> lanes() {
        return jdbc.autoCommit("look for messages to send", this::lanes);
    }

    @Override
    public List<ClaimedMessage> claim(Map<Lane, Integer> limits) {
        if (limits.isEmpty()) {
            return List.of();
        }
        List<ClaimedMessage> claimed =
                new ArrayList<>(jdbc.autoCommit("claim messages", connection -> claim(connection, limits)));
        // Each lane gives a prefix of what it holds, but a join may shuffle the rows.
        claimed.sort(Comparator.comparingLong(ClaimedMessage::position));
        return claimed;
    }

    @Override
    public List<ClaimedMessage> claimDue(Collection<Lease> leases, int limit) {
        if (leases.isEmpty()) {
            return List.of();
        }
        String shards =
                leases.stream().map(lease -> String.valueOf(lease.shard())).collect(joining(", "));
        return jdbc.autoCommit(
                "claim messages that wait for another attempt",
                connection -> Jdbc.query(
                        connection,
                        sql(CLAIM_DUE.replace("${shards}", shards)),
                        statement -> {
                            statement.setLong(1, time.offset().toMillis());
                            statement.setInt(2, limit);
                        },
                        row -> read(row, State.DUE)));
    }

    @Override
    public int settle(Collection<Lease> leases, Settlements settlements) {
        if (settlements.isEmpty()) {
            return 0;
        }
        boolean plain = settlements.size() == settlements.dispatched().size()
                && settlements.dispatched().stream().allMatch(message -> message.state() == State.READY);
        int settled = plain
                ? jdbc.autoCommit(
                        "settle messages", connection -> dispatch(connection, leases, settlements.dispatched()))
                : 0;
        return settled > 0
                ? settled
                : jdbc.transaction("settle messages", connection -> settleAll(connection, leases, settlements));
    }

    @Override
    public boolean noteAttempt(Lease lease, ClaimedMessage message, int attempts, String error) {
        return jdbc.autoCommit(
                        "note an attempt to send message " + message.envelope().id(),
                        connection -> Jdbc.update(connection, sql(NOTE_ATTEMPT), statement -> {
                            statement.setInt(1, attempts);
                            statement.setString(2, error);
                            setId(statement, 3, message);
                            statement.setInt(4, lease.shard());
                            statement.setLong(5, lease.token());
                        }))
                == 1;
    }

    /** The leases are locked first, then keys, then messages: the same order as everybody who changes them. */
    private int settleAll(Connection connection, Collection<Lease> leases, Settlements settlements)
            throws SQLException {
        Set<Integer> ours = lockedShards(connection, leases);
        List<ClaimedMessage> dispatched = of(ours, settlements.dispatched());
        List<Lease> held =
                leases.stream().filter(lease -> ours.contains(lease.shard())).toList();
        int settled = dispatched.isEmpty() ? 0 : dispatch(connection, held, dispatched);
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
                        sql(LOCK_LEASES.replace("${tokens}", tokens(leases))),
                        statement -> {},
                        row -> row.getInt(1)));
    }

    private static List<ClaimedMessage> of(Set<Integer> shards, List<ClaimedMessage> messages) {
        return messages.stream()
                .filter(message -> shards.contains(message.shard()))
                .toList();
    }

    private int wait(Connection connection, ClaimedMessage message, String error, Duration delay) throws SQLException {
        return Jdbc.update(connection, sql(RETRY), statement -> {
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
        return Jdbc.update(connection, sql(FAIL), statement -> {
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
        Jdbc.update(connection, sql(BLOCK), statement -> {
            statement.setString(1, message.envelope().destination());
            statement.setString(2, message.envelope().partitionKey());
            statement.setInt(3, message.shard());
            setId(statement, 4, message);
            statement.setString(5, reason);
        });
    }

    private void unblock(Connection connection, Envelope envelope) throws SQLException {
        Jdbc.update(connection, sql(UNBLOCK), statement -> setKey(statement, 1, envelope));
    }

    /** The message its key waited for has gone: what was held behind it may follow. */
    private void unblockAfter(Connection connection, ClaimedMessage message) throws SQLException {
        if (message.state() == State.DUE && message.envelope().isOrdered()) {
            unblock(connection, message.envelope());
            int freed = Jdbc.update(connection, sql(FREE_THE_HELD), statement -> {
                statement.setInt(1, message.shard());
                setKey(statement, 2, message.envelope());
            });
            if (freed > 0) {
                Jdbc.update(connection, sql(LOOK_BACK), statement -> statement.setInt(1, message.shard()));
            }
        }
    }

    /** Under the lock of its key, so that nothing is held behind a key that was set free a moment ago. */
    private int hold(Connection connection, List<ClaimedMessage> messages) throws SQLException {
        int held = 0;
        for (var message : messages) {
            boolean blocked = !Jdbc.query(
                            connection,
                            sql(LOCK_BLOCKED),
                            statement -> setKey(statement, 1, message.envelope()),
                            row -> true)
                    .isEmpty();
            if (blocked) {
                held += Jdbc.update(connection, sql(HOLD), statement -> setId(statement, 1, message));
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

    ClaimedMessage read(ResultSet row, State state) throws SQLException {
        Envelopes.Reading message = Envelopes.read(row, 4);
        return new ClaimedMessage(
                row.getLong(1),
                row.getInt(2),
                row.getInt(3),
                message.complete() || state == State.BLOCKED ? state : State.UNREADABLE,
                row.getString(13),
                message.envelope());
    }

    static String tokens(Collection<Lease> leases) {
        return leases.stream()
                .map(lease -> "(" + lease.shard() + ", " + lease.token() + ")")
                .collect(joining(", "));
    }

    String sql(String template) {
        return dialect.sql(template.replace("${columns}", COLUMNS).replace("${place}", place()), options.prefix());
    }

    private static String shortened(String error) {
        String text = error.replace("\0", "");
        return text.length() <= LONGEST_ERROR ? text : text.substring(0, LONGEST_ERROR);
    }
}

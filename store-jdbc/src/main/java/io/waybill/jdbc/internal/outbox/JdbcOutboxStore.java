package io.waybill.jdbc.internal.outbox;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toSet;

import io.waybill.Time;
import io.waybill.jdbc.internal.sql.Envelopes;
import io.waybill.jdbc.internal.sql.MessageNumbers;
import io.waybill.jdbc.internal.sql.RoundTrips;
import io.waybill.jdbc.internal.sql.RowStatement;
import io.waybill.jdbc.schema.JdbcStoreOptions;
import io.waybill.jdbc.sql.Dialect;
import io.waybill.jdbc.sql.Jdbc;
import io.waybill.jdbc.sql.JdbcTransaction;
import io.waybill.jdbc.sql.Placeholders;
import io.waybill.message.Envelope;
import io.waybill.store.GoneException;
import io.waybill.store.Transaction;
import io.waybill.store.outbox.Claim;
import io.waybill.store.outbox.ClaimExclusions;
import io.waybill.store.outbox.ClaimedMessage;
import io.waybill.store.outbox.ClaimedMessage.State;
import io.waybill.store.outbox.Lane;
import io.waybill.store.outbox.Lease;
import io.waybill.store.outbox.OutboxStore;
import io.waybill.store.outbox.Settlements;
import io.waybill.store.outbox.TriedMessage;
import java.sql.Connection;
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
public abstract class JdbcOutboxStore implements OutboxStore {

    /** What a claim reads, in the order of {@link #read}: {@code ${columns}} in statements. */
    private static final String COLUMNS = """
            o.id, ${shard}, o.retry_count, o.outbox_id, o.category, o.type, o.message_key,
            o.partition_key, ${payloads}, ${headers}, o.destination, ${place}""";

    /** The payload and its bytes, unless they are too large to travel with their row: {@code ${payloads}} in statements. */
    private static final String PAYLOADS = """
            CASE WHEN octet_length(o.payload) + COALESCE(octet_length(o.payload_binary), 0) <= ${inline} THEN o.payload END,
            CASE WHEN octet_length(o.payload_binary) <= ${inline} THEN o.payload_binary END""";

    private static final String APPEND = """
            INSERT INTO ${prefix}outbox
                   (outbox_id, category, type, message_key, partition_key, payload, payload_binary, headers, destination)
            VALUES """;
    private static final String ROW = " (?, ?, ?, ?, ?, ?, ?, ?, ?)";
    private static final int MAX_ROWS = 500;

    private static final String CLAIM_DUE = """
            SELECT ${columns} FROM ${prefix}outbox o
             WHERE o.status = 'PENDING' AND o.available_at <= (SELECT ${now_plus_millis}) AND ${shard} IN (${shards})
               ${except}
             ORDER BY o.available_at LIMIT ?
            """;
    private static final String HOLD = """
            UPDATE ${prefix}outbox o ${by_primary_key} SET status = 'HELD'
             WHERE ${these} AND o.status = 'PENDING'
               AND EXISTS (SELECT 1 FROM ${prefix}outbox_blocked_key b
                            WHERE b.destination = o.destination AND b.partition_key = o.partition_key)
            """;
    final Dialect dialect;
    final JdbcStoreOptions options;
    private final Jdbc jdbc;
    private final OutboxSettlement settling;
    final RoundTrips roundTrips;
    private final Time time;
    private final RowStatement append;
    private final ScheduledMessages scheduled;
    private final TriedMessages tried;
    private final MessageNumbers numbers;

    JdbcOutboxStore(
            DataSource dataSource, Dialect dialect, JdbcStoreOptions options, RoundTrips roundTrips, Time time) {
        this.jdbc = new Jdbc(dataSource, dialect);
        this.settling = new OutboxSettlement(this, time);
        this.dialect = dialect;
        this.options = options;
        this.roundTrips = roundTrips;
        this.time = time;
        this.append = RowStatement.insert(dialect.sql(APPEND, options.prefix()), ROW);
        this.scheduled = new ScheduledMessages(dialect, options.prefix(), time);
        this.tried = new TriedMessages(dialect, options.prefix(), time);
        this.numbers = new MessageNumbers(dialect, options.prefix());
    }

    public static JdbcOutboxStore of(
            DataSource dataSource, Dialect dialect, JdbcStoreOptions options, RoundTrips roundTrips, Time time) {
        return switch (dialect) {
            case POSTGRESQL -> new PostgresOutboxStore(dataSource, options, roundTrips, time);
            case MARIADB, MYSQL, H2 -> new PortableOutboxStore(dataSource, dialect, options, roundTrips, time);
        };
    }

    void append(Connection connection, List<Envelope> messages) throws SQLException {
        for (int from = 0; from < messages.size(); from += MAX_ROWS) {
            List<Envelope> rows = messages.subList(from, Math.min(messages.size(), from + MAX_ROWS));
            Jdbc.update(connection, append.of(rows.size()), statement -> {
                int at = 1;
                for (var message : rows) {
                    at = Envelopes.bind(statement, at, message);
                }
            });
        }
    }

    /** What a row is found by when it is dispatched. */
    abstract String place();

    /** The condition that a row of {@code outbox o} is one of these. */
    abstract String these(Collection<ClaimedMessage> messages);

    abstract Set<Lane> lanes(Connection connection) throws SQLException;

    abstract List<ClaimedMessage> claim(
            Connection connection, Map<Lane, Integer> limits, ClaimExclusions exclusions, ClaimedPayloads payloads)
            throws SQLException;

    /** What comes after everything that was claimed, if that is certain. */
    abstract List<ClaimedMessage> prefetch(Connection connection, Map<Lane, Integer> limits, ClaimedPayloads payloads)
            throws SQLException;

    /** These are not ready to be sent any more, and that is committed. */
    abstract void settled(List<ClaimedMessage> messages);

    /** Removes what was sent or marks it as dispatched, if all of the leases still hold; otherwise it may do nothing. */
    abstract int dispatch(Connection connection, Collection<Lease> leases, List<ClaimedMessage> sent)
            throws SQLException;

    /**
     * The same at the end of a handler's transaction. Returns whether all were there as they were claimed, and all leases hold; or throws
     * {@link GoneException} when what was put off is written.
     */
    abstract boolean take(Connection connection, Collection<Lease> leases, List<ClaimedMessage> messages, boolean kept)
            throws SQLException;

    /** Holds what is behind a key that has not been set free meanwhile. Returns how many. */
    int hold(Connection connection, List<ClaimedMessage> messages) throws SQLException {
        return Jdbc.update(connection, sql(HOLD, messages), statement -> {});
    }

    @Override
    public void append(Transaction transaction, List<Envelope> messages) {
        if (messages.isEmpty()) {
            return;
        }
        try {
            Connection connection = transaction.unwrap(Connection.class);
            if (roundTrips.isOpen() || messages.size() == 1) {
                for (Envelope message : messages) {
                    roundTrips.write(connection, append, (statement, at) -> Envelopes.bind(statement, at, message));
                }
            } else {
                append(connection, messages);
            }
        } catch (SQLException e) {
            throw Jdbc.failed("append " + messages.size() + " messages to " + options.prefix() + "outbox", e);
        }
    }

    @Override
    public void appendTried(Transaction transaction, List<TriedMessage> messages) {
        Jdbc.in(
                transaction,
                "append " + messages.size() + " messages again to " + options.prefix() + "outbox",
                connection -> tried.append(connection, messages));
    }

    @Override
    public void schedule(Transaction transaction, Envelope message, Duration delay) {
        scheduled.add(transaction.unwrap(Connection.class), message, delay);
    }

    @Override
    public int appendScheduled(int limit) {
        return jdbc.transaction("append scheduled messages", connection -> {
            List<Envelope> due = scheduled.takeDue(connection, limit);
            append(connection, due);
            return due.size();
        });
    }

    @Override
    public long nextNumber(Transaction transaction, String destination, String partitionKey) {
        return numbers.next(transaction.unwrap(Connection.class), destination, partitionKey);
    }

    @Override
    public Set<Lane> lanes() {
        return jdbc.autoCommit("look for messages to send", this::lanes);
    }

    @Override
    public Claim claim(Map<Lane, Integer> limits, ClaimExclusions exclusions, long maxBytes) {
        return claim(limits, maxBytes, (connection, payloads) -> claim(connection, limits, exclusions, payloads));
    }

    @Override
    public Claim prefetch(Map<Lane, Integer> limits, List<ClaimedMessage> underWay, long maxBytes) {
        return claim(limits, maxBytes, (connection, payloads) -> prefetch(connection, limits, payloads));
    }

    /** Reads what is next. */
    @FunctionalInterface
    private interface Next {
        List<ClaimedMessage> read(Connection connection, ClaimedPayloads payloads) throws SQLException;
    }

    private Claim claim(Map<Lane, Integer> limits, long maxBytes, Next next) {
        if (limits.isEmpty()) {
            return Claim.NOTHING;
        }
        long rows = limits.values().stream().mapToLong(Integer::longValue).sum();
        return jdbc.autoCommit("claim messages", connection -> {
            var payloads = new ClaimedPayloads(maxBytes, options.maxPayload(), rows);
            List<ClaimedMessage> claimed = new ArrayList<>(next.read(connection, payloads));
            // Each lane gives a prefix of what it holds, but a join may shuffle the rows.
            claimed.sort(Comparator.comparingLong(ClaimedMessage::position));
            return payloads.complete(claimed, connection, this::sql);
        });
    }

    @Override
    public List<ClaimedMessage> claimDue(Collection<Lease> leases, Set<String> except, int limit, long maxBytes) {
        if (leases.isEmpty()) {
            return List.of();
        }
        String shards =
                leases.stream().map(lease -> String.valueOf(lease.shard())).collect(joining(", "));
        String others = except.isEmpty() ? "" : "AND o.destination NOT IN (" + Placeholders.of(except) + ")";
        return jdbc.autoCommit("claim messages that wait for another attempt", connection -> {
            var payloads = new ClaimedPayloads(maxBytes, options.maxPayload(), limit);
            List<ClaimedMessage> due = Jdbc.query(
                    connection,
                    sql(CLAIM_DUE.replace("${shards}", shards).replace("${except}", others), payloads),
                    statement -> {
                        statement.setLong(1, time.offset().toMillis());
                        int next = Placeholders.bind(statement, 2, except);
                        statement.setInt(next, limit);
                    },
                    row -> read(row, State.DUE, payloads));
            return payloads.complete(due, connection, this::sql).messages();
        });
    }

    @Override
    public int settle(Collection<Lease> leases, Settlements settlements) {
        if (settlements.isEmpty()) {
            return 0;
        }
        boolean plain = settlements.isPlain();
        int settled = plain
                ? jdbc.autoCommit(
                        "settle messages", connection -> dispatch(connection, leases, settlements.dispatched()))
                : 0;
        if (settled == 0) {
            settled =
                    jdbc.transaction("settle messages", connection -> settling.settle(connection, leases, settlements));
        }
        if (settled == settlements.size()) {
            settled(plain ? settlements.dispatched() : settlements.settled().toList());
        }
        return settled;
    }

    @Override
    public int repairKeys(Collection<Lease> leases) {
        return leases.isEmpty()
                ? 0
                : jdbc.transaction(
                        "look for keys that wait for nothing", connection -> settling.repairKeys(connection, leases));
    }

    @Override
    public void take(Transaction transaction, Collection<Lease> leases, List<ClaimedMessage> messages, boolean kept) {
        List<ClaimedMessage> due = messages.stream()
                .filter(message ->
                        message.state() == State.DUE && message.envelope().isOrdered())
                .toList();
        boolean taken = Jdbc.in(
                transaction,
                "take " + messages.size() + " messages out of " + options.prefix() + "outbox",
                connection -> (due.isEmpty() || settling.freeFollowers(connection, of(due, leases), due))
                        && take(connection, of(messages, leases), messages, kept));
        if (!taken) {
            throw new GoneException(messages.get(0).envelope().id());
        }
        transaction.afterCommit(() -> settled(messages));
    }

    @Override
    public void finish(Transaction transaction, Runnable writes) {
        Connection connection = transaction.unwrap(Connection.class);
        try {
            if (transaction instanceof JdbcTransaction ours && ours.isOwned()) {
                roundTrips.committing(connection, writes::run);
            } else {
                roundTrips.together(connection, writes::run);
            }
        } catch (SQLException e) {
            throw Jdbc.failed("write what follows from a message", e);
        }
    }

    /** The leases of these messages. */
    private static List<Lease> of(List<ClaimedMessage> messages, Collection<Lease> leases) {
        if (messages.size() == 1) {
            int shard = messages.get(0).shard();
            for (Lease lease : leases) {
                if (lease.shard() == shard) {
                    return List.of(lease);
                }
            }
        }
        Set<Integer> shards = messages.stream().map(ClaimedMessage::shard).collect(toSet());
        return leases.stream().filter(lease -> shards.contains(lease.shard())).toList();
    }

    @Override
    public boolean noteAttempt(Lease lease, ClaimedMessage message, int attempts, String error) {
        return jdbc.transaction(
                "note an attempt to send message " + message.envelope().id(),
                connection -> tried.note(connection, lease, message, attempts, error));
    }

    ClaimedMessage read(ResultSet row, State state, ClaimedPayloads payloads) throws SQLException {
        Envelopes.Reading message = Envelopes.read(row, 4);
        if (!message.withPayload()) {
            payloads.leaveOut(message.envelope().id());
        }
        return new ClaimedMessage(
                row.getLong(1),
                row.getInt(2),
                row.getInt(3),
                state,
                message.problem(),
                row.getString(13),
                message.envelope());
    }

    /** A statement that claims. */
    String sql(String template, ClaimedPayloads payloads) {
        return sql(template)
                .replace("${payloads}", PAYLOADS)
                .replace("${headers}", Envelopes.HEADERS)
                .replace("${inline}", payloads.inline());
    }

    /** A statement about {@code ${these}}. */
    String sql(String template, Collection<ClaimedMessage> these) {
        return sql(template).replace("${these}", these(these));
    }

    /**
     * MySQL and MariaDB read a small table as a whole unless the index is named, and an UPDATE waits there for every row
     * that is appended and not committed yet.
     */
    private String byPrimaryKey() {
        return dialect.isMySql() ? "FORCE INDEX (PRIMARY)" : "";
    }

    String sql(String template) {
        return dialect.sql(
                template.replace("${columns}", COLUMNS)
                        .replace("${place}", place())
                        .replace("${by_primary_key}", byPrimaryKey()),
                options.prefix());
    }
}

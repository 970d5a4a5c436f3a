package io.waybill.jdbc.internal.failed;

import io.waybill.Time;
import io.waybill.jdbc.internal.sql.AttemptLogSql;
import io.waybill.jdbc.internal.sql.Envelopes;
import io.waybill.jdbc.sql.Dialect;
import io.waybill.jdbc.sql.Jdbc;
import io.waybill.jdbc.sql.Placeholders;
import io.waybill.message.Envelope;
import io.waybill.message.StorableMessage;
import io.waybill.store.AttemptLog;
import io.waybill.store.Transaction;
import io.waybill.store.failed.FailedMessage;
import io.waybill.store.failed.FailedSelection;
import io.waybill.store.failed.FailedStore;
import io.waybill.store.failed.Failure;
import io.waybill.store.failed.FailureGroup;
import io.waybill.store.failed.ParkedStore;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** What could not be handled. */
public final class JdbcFailedStore implements FailedStore {

    private static final String PUT = """
            INSERT INTO ${prefix}failed_message
                   (message_id, category, type, message_key, partition_key, payload, payload_binary, headers, source,
                    handler, attempts, error_class, error, stack_trace, fingerprint, first_failed_at, last_failed_at, parks_key,
                    retries, attempt_log)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ${now_plus_millis}, ${now_plus_millis}, ?, ?, ?)
            """;

    /**
     * What its row in the outbox knows goes with it; that row is the transaction's own, and is removed at its end. A message without one is not
     * looked for: on MySQL that would lock the gap in which other transactions append.
     */
    private static final String PUT_ROW =
            PUT.replace("?, ?)\n", """
                    ? + COALESCE((SELECT o.retries FROM ${prefix}outbox o WHERE o.outbox_id = ?), 0),
                    RIGHT(CONCAT(COALESCE((SELECT o.attempt_log FROM ${prefix}outbox o WHERE o.outbox_id = ?), ''), COALESCE(?, '')),
                          ${most}))
            """.replace("${most}", String.valueOf(AttemptLog.MAX_LENGTH)));

    private static final String FAILED_KEYS = """
            SELECT DISTINCT f.partition_key FROM ${prefix}failed_message f
             WHERE f.handler = ? AND f.source = ? AND f.partition_key IN (${keys}) AND f.parks_key = TRUE
            """;
    static final String COLUMNS = """
            f.id, f.handler, f.attempts, f.error_class, f.error, f.stack_trace, f.fingerprint, f.first_failed_at,
            f.last_failed_at, f.message_id, f.category, f.type, f.message_key, f.partition_key, f.payload, f.payload_binary,
            f.headers, f.source, f.parks_key, f.retry_id, f.retries, f.attempt_log""";
    private static final String LIST = """
            SELECT ${columns} FROM ${prefix}failed_message f WHERE ${selection} AND f.id > ? ORDER BY f.id LIMIT ?
            """;
    private static final String LOCK = LIST + " FOR UPDATE";
    private static final String REMOVE = """
            DELETE FROM ${prefix}failed_message WHERE id IN (${ids})
            """;
    private static final String COUNT = """
            SELECT count(*) FROM ${prefix}failed_message f WHERE ${selection}
            """;
    private static final String GROUPS = """
            SELECT same.fingerprint, one.error_class, one.error, one.source, one.handler, same.failures, same.failed_again,
                   same.first_failed, same.last_failed
              FROM (SELECT f.fingerprint, count(*) AS failures, min(f.id) AS first_id, min(f.first_failed_at) AS first_failed,
                           max(f.last_failed_at) AS last_failed,
                           sum(CASE WHEN f.retries > 0 AND f.retry_id IS NULL THEN 1 ELSE 0 END) AS failed_again
                      FROM ${prefix}failed_message f WHERE ${selection} GROUP BY f.fingerprint) same
              JOIN ${prefix}failed_message one ON one.id = same.first_id
             ORDER BY same.failures DESC, same.fingerprint
            """;
    private static final String EDIT = AttemptLogSql.in("""
            UPDATE ${prefix}failed_message SET payload = ?, payload_binary = ?, headers = ?, attempt_log = ${more_attempts} WHERE id = ?
            """);

    private final Jdbc jdbc;
    private final Dialect dialect;
    private final String prefix;
    private final Time time;

    public JdbcFailedStore(DataSource dataSource, Dialect dialect, String prefix, Time time) {
        this.jdbc = new Jdbc(dataSource, dialect);
        this.dialect = dialect;
        this.prefix = prefix;
        this.time = time;
    }

    @Override
    public void put(Transaction transaction, Failure failure) {
        Failure.Cause cause = failure.cause();
        Jdbc.in(
                transaction,
                "keep the failed message " + failure.message().id(),
                connection -> Jdbc.update(connection, sql(failure.row() == null ? PUT : PUT_ROW), statement -> {
                    int at = Envelopes.bind(statement, 1, StorableMessage.of(failure.message()));
                    statement.setString(at++, failure.handler());
                    at = bind(statement, at, failure.attempts(), cause);
                    statement.setLong(
                            at++, time.offset().minus(ago(failure.since())).toMillis());
                    statement.setLong(at++, time.offset().toMillis());
                    statement.setBoolean(at++, failure.parksKey());
                    statement.setInt(at++, failure.retries());
                    if (failure.row() != null) {
                        statement.setObject(at++, failure.row());
                        statement.setObject(at++, failure.row());
                    }
                    statement.setString(at, line(failure, time));
                }));
    }

    /** What its history has of the failure; nothing of a message that was not tried. */
    static String line(Failure failure, Time time) {
        return failure.attempts() == 0
                ? ""
                : AttemptLog.failed(time.clock().instant(), failure.cause().label());
    }

    /** Sets attempts, error_class, error, stack_trace and fingerprint from {@code at} on; returns the next parameter. */
    static int bind(PreparedStatement statement, int at, int attempts, Failure.Cause cause) throws SQLException {
        statement.setInt(at++, attempts);
        statement.setString(at++, StorableMessage.name(cause.kind()));
        statement.setString(at++, StorableMessage.plain(cause.error()));
        statement.setString(at++, StorableMessage.plain(cause.stack()));
        statement.setString(at++, cause.fingerprint());
        return at;
    }

    @Override
    public ParkedStore parked() {
        return new JdbcParkedStore(dialect, prefix, time);
    }

    private Duration ago(@Nullable Instant since) {
        return since == null
                ? Duration.ZERO
                : Duration.between(since, time.clock().instant());
    }

    @Override
    public Set<String> failedKeys(Transaction transaction, String source, String handler, Collection<String> keys) {
        return StorableMessage.among(
                keys,
                names -> Jdbc.in(
                        transaction,
                        "look for failed keys",
                        connection -> new HashSet<>(Jdbc.query(
                                connection,
                                sql(FAILED_KEYS.replace("${keys}", Placeholders.of(names))),
                                statement -> {
                                    statement.setString(1, handler);
                                    statement.setString(2, source);
                                    Placeholders.bind(statement, 3, names);
                                },
                                row -> row.getString(1)))));
    }

    @Override
    public List<FailedMessage> list(FailedSelection selection, long after, int limit) {
        return jdbc.autoCommit("list failed messages", connection -> list(connection, LIST, selection, after, limit));
    }

    @Override
    public Optional<FailedMessage> find(long id) {
        return list(FailedSelection.of(List.of(id)), 0, 1).stream().findFirst();
    }

    @Override
    public long count(FailedSelection selection) {
        var matching = new FailedSelectionSql(selection);
        return jdbc.autoCommit(
                        "count failed messages",
                        connection ->
                                Jdbc.query(connection, sql(matching.in(COUNT)), matching::bind, row -> row.getLong(1)))
                .get(0);
    }

    @Override
    public List<FailureGroup> groups(FailedSelection selection) {
        var matching = new FailedSelectionSql(selection);
        return jdbc.autoCommit(
                "group failed messages",
                connection -> Jdbc.query(
                        connection,
                        sql(matching.in(GROUPS)),
                        matching::bind,
                        row -> new FailureGroup(
                                row.getString(1),
                                row.getString(2),
                                row.getString(3),
                                row.getString(4),
                                row.getString(5),
                                row.getLong(6),
                                row.getLong(7),
                                dialect.instant(row, 8),
                                dialect.instant(row, 9))));
    }

    @Override
    public List<FailedMessage> lock(Transaction transaction, FailedSelection selection, long after, int limit) {
        return Jdbc.in(
                transaction, "lock failed messages", connection -> list(connection, LOCK, selection, after, limit));
    }

    @Override
    public void remove(Transaction transaction, Collection<Long> ids) {
        Jdbc.in(transaction, "remove failed messages", connection -> Placeholders.update(connection, sql(REMOVE), ids));
    }

    /** Nobody but Waybill writes this table. */
    @Override
    public int giveBack(Transaction transaction, FailedSelection selection, String queue, int limit) {
        return 0;
    }

    @Override
    public boolean edit(Transaction transaction, long id, Envelope changed, String note) {
        return Jdbc.in(
                        transaction,
                        "edit the failed message " + id,
                        connection -> Jdbc.update(connection, sql(EDIT), statement -> {
                            int at = Envelopes.bindBody(statement, 1, StorableMessage.of(changed));
                            statement.setString(
                                    at++, AttemptLog.changed(time.clock().instant(), note));
                            statement.setLong(at, id);
                        }))
                == 1;
    }

    private List<FailedMessage> list(
            Connection connection, String template, FailedSelection selection, long after, int limit)
            throws SQLException {
        var matching = new FailedSelectionSql(selection);
        return Jdbc.query(
                connection,
                sql(matching.in(template).replace("${columns}", COLUMNS)),
                statement -> {
                    int at = matching.bind(statement);
                    statement.setLong(at, after);
                    statement.setInt(at + 1, limit);
                },
                row -> read(dialect, row));
    }

    static FailedMessage read(Dialect dialect, ResultSet row) throws SQLException {
        var cause = new Failure.Cause(row.getString(4), row.getString(5), row.getString(6), row.getString(7));
        return new FailedMessage(
                row.getLong(1),
                row.getString(2),
                StorableMessage.restored(Envelopes.read(row, 10).envelope()),
                row.getInt(3),
                cause,
                dialect.instant(row, 8),
                dialect.instant(row, 9),
                row.getBoolean(19),
                row.getObject(20, UUID.class),
                row.getInt(21),
                AttemptLog.of(row.getString(22)));
    }

    private String sql(String template) {
        return dialect.sql(template, prefix);
    }
}

package io.waybill.jdbc.internal.failed;

import io.waybill.Time;
import io.waybill.jdbc.internal.sql.AttemptLogSql;
import io.waybill.jdbc.sql.Dialect;
import io.waybill.jdbc.sql.Jdbc;
import io.waybill.jdbc.sql.Placeholders;
import io.waybill.message.StorableMessage;
import io.waybill.store.AttemptLog;
import io.waybill.store.Transaction;
import io.waybill.store.failed.FailedMessage;
import io.waybill.store.failed.Failure;
import io.waybill.store.failed.ParkedKey;
import io.waybill.store.failed.ParkedStore;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The rows of {@code failed_message} that park their key. */
final class JdbcParkedStore implements ParkedStore {

    /** Ordered by all columns of the index: H2 sorts all rows of the key otherwise. */
    private static final String FIRST = """
            SELECT ${columns} FROM ${prefix}failed_message f
             WHERE f.handler = ? AND f.source = ? AND f.partition_key = ? AND f.parks_key = TRUE
             ORDER BY f.handler, f.source, f.partition_key, f.id LIMIT ?
            """;

    private static final String LOCK = FIRST + " FOR UPDATE";
    private static final String WAITING = """
            SELECT f.id FROM ${prefix}failed_message f
             WHERE f.handler = ? AND f.source = ? AND f.partition_key = ? AND f.parks_key = TRUE AND f.retry_id IS NULL
             ORDER BY f.handler, f.source, f.partition_key, f.id LIMIT ? ${latest}
            """;
    private static final String START_RETRY = """
            UPDATE ${prefix}failed_message SET retry_id = ? WHERE id IN (${ids})
            """;
    /** A follower was not tried before. */
    private static final String START_RETRY_BY_OPERATOR = AttemptLogSql.in("""
            UPDATE ${prefix}failed_message
               SET retry_id = ?, attempt_log = ${more_attempts}, retries = retries + CASE WHEN attempts > 0 THEN 1 ELSE 0 END
             WHERE id IN (${ids})
            """);

    private static final String END_RETRIES = """
            UPDATE ${prefix}failed_message SET retry_id = NULL
             WHERE handler = ? AND source = ? AND partition_key = ? AND retry_id IS NOT NULL
            """;
    private static final String FAIL_AGAIN = """
            UPDATE ${prefix}failed_message
               SET attempts = ?, error_class = ?, error = ?, stack_trace = ?, fingerprint = ?,
                   last_failed_at = ${now_plus_millis}, attempt_log = RIGHT(CONCAT(COALESCE(attempt_log, ''),
                   ${row} COALESCE(?, '')), ${most})
             WHERE id = ?
            """.replace("${most}", String.valueOf(AttemptLog.MAX_LENGTH));
    private static final String LOG_OF_ROW =
            "COALESCE((SELECT o.attempt_log FROM ${prefix}outbox o WHERE o.outbox_id = ?), ''),";

    private final Dialect dialect;
    private final String prefix;
    private final Time time;

    JdbcParkedStore(Dialect dialect, String prefix, Time time) {
        this.dialect = dialect;
        this.prefix = prefix;
        this.time = time;
    }

    @Override
    public Optional<FailedMessage> first(Transaction transaction, ParkedKey key) {
        return query(transaction, FIRST, key, 1).stream().findFirst();
    }

    @Override
    public List<FailedMessage> lock(Transaction transaction, ParkedKey key, int limit) {
        return query(transaction, LOCK, key, limit);
    }

    private List<FailedMessage> query(Transaction transaction, String template, ParkedKey key, int limit) {
        return Jdbc.in(
                transaction,
                "read parked messages of " + key,
                connection -> Jdbc.query(
                        connection,
                        sql(template.replace("${columns}", JdbcFailedStore.COLUMNS)),
                        statement -> statement.setInt(bind(statement, key), limit),
                        row -> JdbcFailedStore.read(dialect, row)));
    }

    @Override
    public List<Long> waiting(Transaction transaction, ParkedKey key, int limit) {
        return Jdbc.in(
                transaction,
                "read what waits of " + key,
                connection -> Jdbc.query(
                        connection,
                        sql(WAITING),
                        statement -> statement.setInt(bind(statement, key), limit),
                        row -> row.getLong(1)));
    }

    @Override
    public void startRetry(Transaction transaction, UUID retry, Collection<Long> ids, String note) {
        String line = AttemptLog.changed(time.clock().instant(), note);
        String template = line.isEmpty() ? START_RETRY : START_RETRY_BY_OPERATOR;
        Jdbc.in(
                transaction,
                "retry " + ids.size() + " failed messages",
                connection ->
                        Jdbc.update(connection, sql(template.replace("${ids}", Placeholders.of(ids))), statement -> {
                            int at = 1;
                            statement.setObject(at++, retry);
                            if (!line.isEmpty()) {
                                statement.setString(at++, line);
                            }
                            Placeholders.bind(statement, at, ids);
                        }));
    }

    @Override
    public void endRetries(Transaction transaction, ParkedKey key) {
        Jdbc.in(
                transaction,
                "end the retries of " + key,
                connection -> Jdbc.update(connection, sql(END_RETRIES), statement -> bind(statement, key)));
    }

    @Override
    public void failAgain(Transaction transaction, long id, Failure failure) {
        Jdbc.in(
                transaction,
                "keep the failed message " + id,
                connection -> Jdbc.update(
                        connection,
                        sql(FAIL_AGAIN.replace("${row}", failure.row() == null ? "" : LOG_OF_ROW)),
                        statement -> {
                            int at = JdbcFailedStore.bind(statement, 1, failure.attempts(), failure.cause());
                            statement.setLong(at++, time.offset().toMillis());
                            if (failure.row() != null) {
                                statement.setObject(at++, failure.row());
                            }
                            statement.setString(at++, JdbcFailedStore.line(failure, time));
                            statement.setLong(at, id);
                        }));
    }

    private static int bind(PreparedStatement statement, ParkedKey key) throws SQLException {
        statement.setString(1, key.handler());
        statement.setString(2, key.source());
        statement.setString(3, StorableMessage.name(key.partitionKey()));
        return 4;
    }

    private String sql(String template) {
        return dialect.sql(template, prefix);
    }
}

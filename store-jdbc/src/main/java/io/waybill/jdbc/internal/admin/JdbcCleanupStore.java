package io.waybill.jdbc.internal.admin;

import io.waybill.Time;
import io.waybill.jdbc.schema.JdbcStoreOptions;
import io.waybill.jdbc.sql.Dialect;
import io.waybill.jdbc.sql.Jdbc;
import io.waybill.jdbc.sql.Placeholders;
import io.waybill.store.admin.Archive;
import io.waybill.store.admin.CleanupStore;
import io.waybill.store.admin.StoredMessage;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * Removes what is over. Only settled messages have a {@code dispatched_at}.
 *
 * <p>PostgreSQL has no index of that time, because every settlement would pay for it: there the settled messages are looked
 * through in the order of insertion, as far as they were appended before the time in question.
 */
public final class JdbcCleanupStore implements CleanupStore {

    private static final String COUNT_DISPATCHED_ON_PORTABLE = """
            SELECT count(*) FROM ${prefix}outbox WHERE dispatched_at < (SELECT ${now_plus_millis})
            """;
    private static final String OLDEST_ON_PORTABLE = """
            SELECT ${what} FROM ${prefix}outbox o
             WHERE o.dispatched_at < (SELECT ${now_plus_millis})
             ORDER BY o.dispatched_at LIMIT ? FOR UPDATE SKIP LOCKED
            """;

    private static final String PAGE_ON_POSTGRESQL = """
            SELECT count(*), coalesce(max(id), 0), count(*) FILTER (WHERE dispatched_at < cutoff),
                   coalesce(bool_and(created_at < cutoff), false)
              FROM (SELECT id, created_at, dispatched_at FROM ${prefix}outbox
                     WHERE dispatched_at IS NOT NULL AND id > ? ORDER BY id LIMIT ?) page,
                   (SELECT ${now_plus_millis} AS cutoff) now
            """;
    private static final String OLDEST_ON_POSTGRESQL = """
            SELECT ${what} FROM ${prefix}outbox o
             WHERE o.dispatched_at IS NOT NULL AND o.dispatched_at < (SELECT ${now_plus_millis})
               AND o.id > ? AND o.id <= ?
             ORDER BY o.id FOR UPDATE SKIP LOCKED
            """;
    private static final String ARCHIVE = """
            INSERT INTO ${prefix}outbox_archive
                   (id, outbox_id, category, type, destination, message_key, partition_key, payload, payload_binary, headers,
                    status, retry_count, last_error, attempt_log, retries, available_at, created_at, dispatched_at)
            SELECT id, outbox_id, category, type, destination, message_key, partition_key, payload, payload_binary, headers,
                   status, retry_count, last_error, attempt_log, retries, available_at, created_at, dispatched_at
              FROM ${prefix}outbox WHERE outbox_id IN (${ids})
            """;
    private static final String REMOVE = """
            DELETE FROM ${prefix}outbox WHERE outbox_id IN (${ids})
            """;

    private static final String COUNT_HANDLED = """
            SELECT count(*) FROM ${inbox} WHERE processed_at < (SELECT ${now_plus_millis})
            """;
    private static final String FORGET_ON_POSTGRESQL = """
            DELETE FROM ${inbox} WHERE ctid = ANY (ARRAY (
                SELECT ctid FROM ${inbox} WHERE processed_at < (SELECT ${now_plus_millis})
                 ORDER BY processed_at LIMIT ? FOR UPDATE SKIP LOCKED))
            """;
    private static final String FORGET_ON_MYSQL = """
            DELETE FROM ${inbox} WHERE processed_at < ${now_plus_millis} ORDER BY processed_at LIMIT ?
            """;
    private static final String FORGET_ON_H2 = """
            DELETE FROM ${inbox} WHERE processed_at < ${now_plus_millis} FETCH FIRST ? ROWS ONLY
            """;

    private static final int ROWS_COUNTED_AT_ONCE = 100_000;

    private final Jdbc jdbc;
    private final Dialect dialect;
    private final JdbcStoreOptions options;
    private final Time time;
    private final StoredMessages messages;

    public JdbcCleanupStore(DataSource dataSource, Dialect dialect, JdbcStoreOptions options, Time time) {
        this.jdbc = new Jdbc(dataSource, dialect);
        this.dialect = dialect;
        this.options = options;
        this.time = time;
        this.messages = new StoredMessages(dialect);
    }

    @Override
    public long countDispatched(Duration olderThan) {
        return dialect == Dialect.POSTGRESQL
                ? jdbc.autoCommit("count old messages of the outbox", connection -> countPages(connection, olderThan))
                : count("count old messages of the outbox", COUNT_DISPATCHED_ON_PORTABLE, olderThan);
    }

    private long countPages(Connection connection, Duration olderThan) throws SQLException {
        long count = 0;
        var page = Page.START;
        do {
            page = page(connection, olderThan, page.last(), ROWS_COUNTED_AT_ONCE);
            count += page.over();
        } while (page.hasMore());
        return count;
    }

    @Override
    public Batch removeDispatched(Duration olderThan, long after, int limit, Archive archive) {
        return jdbc.transaction("remove old messages from the outbox", connection -> {
            if (dialect != Dialect.POSTGRESQL) {
                int removed = remove(connection, archive, OLDEST_ON_PORTABLE, statement -> {
                    statement.setLong(1, millisFromNow(olderThan));
                    statement.setInt(2, limit);
                });
                return new Batch(removed, 0, removed == limit);
            }
            Page page = page(connection, olderThan, after, limit);
            int removed = page.over() == 0
                    ? 0
                    : remove(connection, archive, OLDEST_ON_POSTGRESQL, statement -> {
                        statement.setLong(1, millisFromNow(olderThan));
                        statement.setLong(2, after);
                        statement.setLong(3, page.last());
                    });
            return new Batch(removed, page.last(), page.hasMore());
        });
    }

    /**
     * Settled messages in the order of insertion.
     *
     * @param last the position of the last one
     * @param over how many of them are to be removed
     * @param hasMore false when those behind it were all appended too late to be removed, or there are none
     */
    private record Page(long last, int over, boolean hasMore) {
        static final Page START = new Page(0, 0, true);
    }

    private Page page(Connection connection, Duration olderThan, long after, int limit) throws SQLException {
        return Jdbc.query(
                        connection,
                        sql(PAGE_ON_POSTGRESQL),
                        statement -> {
                            statement.setLong(1, after);
                            statement.setInt(2, limit);
                            statement.setLong(3, millisFromNow(olderThan));
                        },
                        row -> new Page(row.getLong(2), row.getInt(3), row.getInt(1) == limit && row.getBoolean(4)))
                .get(0);
    }

    private int remove(Connection connection, Archive archive, String oldest, Jdbc.Binder binder) throws SQLException {
        List<UUID> ids = archive.<Step>fold(
                        () -> () -> ids(connection, oldest, binder),
                        () -> () -> copied(connection, ids(connection, oldest, binder)),
                        writer -> () -> written(writer, messages(connection, oldest, binder)))
                .run();
        return ids.isEmpty() ? 0 : change(connection, REMOVE, ids);
    }

    @Override
    public long countHandled(Duration olderThan) {
        return count("count old rows of the inbox", COUNT_HANDLED, olderThan);
    }

    @Override
    public int removeHandled(Duration olderThan, int limit) {
        String forget = switch (dialect) {
            case POSTGRESQL -> FORGET_ON_POSTGRESQL;
            case MARIADB, MYSQL -> FORGET_ON_MYSQL;
            case H2 -> FORGET_ON_H2;
        };
        return jdbc.transaction(
                "remove old rows from the inbox",
                connection -> Jdbc.update(connection, sql(forget), statement -> {
                    statement.setLong(1, millisFromNow(olderThan));
                    statement.setInt(2, limit);
                }));
    }

    /** Archives what is to be removed, and says what that is. */
    @FunctionalInterface
    private interface Step {
        List<UUID> run() throws SQLException;
    }

    private List<UUID> ids(Connection connection, String oldest, Jdbc.Binder binder) throws SQLException {
        return Jdbc.query(
                connection, sql(oldest.replace("${what}", "o.outbox_id")), binder, row -> row.getObject(1, UUID.class));
    }

    private List<StoredMessage> messages(Connection connection, String oldest, Jdbc.Binder binder) throws SQLException {
        return Jdbc.query(connection, sql(oldest.replace("${what}", StoredMessages.COLUMNS)), binder, messages::read);
    }

    private List<UUID> copied(Connection connection, List<UUID> ids) throws SQLException {
        if (!ids.isEmpty()) {
            change(connection, ARCHIVE, ids);
        }
        return ids;
    }

    private static List<UUID> written(Archive.Writer writer, List<StoredMessage> messages) {
        if (!messages.isEmpty()) {
            writer.write(messages);
        }
        return messages.stream().map(message -> message.envelope().id()).toList();
    }

    private int change(Connection connection, String template, List<UUID> ids) throws SQLException {
        return Placeholders.update(connection, sql(template), ids);
    }

    private long count(String what, String template, Duration olderThan) {
        return jdbc.autoCommit(
                        what,
                        connection -> Jdbc.query(
                                connection,
                                sql(template),
                                statement -> statement.setLong(1, millisFromNow(olderThan)),
                                row -> row.getLong(1)))
                .get(0);
    }

    private long millisFromNow(Duration ago) {
        return time.offset().minus(ago).toMillis();
    }

    private String sql(String template) {
        return dialect.sql(options.inboxTable().in(template), options.prefix());
    }
}

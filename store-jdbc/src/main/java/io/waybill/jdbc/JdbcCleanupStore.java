package io.waybill.jdbc;

import io.waybill.Time;
import io.waybill.store.Archive;
import io.waybill.store.CleanupStore;
import io.waybill.store.StoredMessage;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;

/** Removes what is over. Only settled messages have a {@code dispatched_at}, so its index holds nothing else. */
final class JdbcCleanupStore implements CleanupStore {

    private static final String COUNT_DISPATCHED = """
            SELECT count(*) FROM ${prefix}outbox WHERE dispatched_at < (SELECT ${now_plus_millis})
            """;
    private static final String IDS = """
            SELECT o.outbox_id FROM ${prefix}outbox o
             WHERE o.dispatched_at < (SELECT ${now_plus_millis})
             ORDER BY o.dispatched_at LIMIT ? FOR UPDATE SKIP LOCKED
            """;
    private static final String MESSAGES = """
            SELECT ${message} FROM ${prefix}outbox o
             WHERE o.dispatched_at < (SELECT ${now_plus_millis})
             ORDER BY o.dispatched_at LIMIT ? FOR UPDATE SKIP LOCKED
            """;
    private static final String ARCHIVE = """
            INSERT INTO ${prefix}outbox_archive
                   (id, outbox_id, category, type, destination, message_key, partition_key, payload, payload_binary, headers,
                    status, retry_count, last_error, available_at, created_at, dispatched_at, shard)
            SELECT id, outbox_id, category, type, destination, message_key, partition_key, payload, payload_binary, headers,
                   status, retry_count, last_error, available_at, created_at, dispatched_at, shard
              FROM ${prefix}outbox WHERE outbox_id IN (${ids})
            """;
    private static final String REMOVE = """
            DELETE FROM ${prefix}outbox WHERE outbox_id IN (${ids})
            """;

    private static final String COUNT_HANDLED = """
            SELECT count(*) FROM ${prefix}inbox WHERE processed_at < (SELECT ${now_plus_millis})
            """;
    private static final String FORGET_ON_POSTGRESQL = """
            DELETE FROM ${prefix}inbox WHERE ctid = ANY (ARRAY (
                SELECT ctid FROM ${prefix}inbox WHERE processed_at < (SELECT ${now_plus_millis})
                 ORDER BY processed_at LIMIT ? FOR UPDATE SKIP LOCKED))
            """;
    private static final String FORGET_ON_MYSQL = """
            DELETE FROM ${prefix}inbox WHERE processed_at < ${now_plus_millis} ORDER BY processed_at LIMIT ?
            """;
    private static final String FORGET_ON_H2 = """
            DELETE FROM ${prefix}inbox WHERE processed_at < ${now_plus_millis} FETCH FIRST ? ROWS ONLY
            """;

    private final Jdbc jdbc;
    private final Dialect dialect;
    private final String prefix;
    private final Time time;
    private final StoredMessages messages;

    JdbcCleanupStore(DataSource dataSource, Dialect dialect, String prefix, Time time) {
        this.jdbc = new Jdbc(dataSource, dialect);
        this.dialect = dialect;
        this.prefix = prefix;
        this.time = time;
        this.messages = new StoredMessages(dialect);
    }

    @Override
    public long countDispatched(Duration olderThan) {
        return count("count old messages of the outbox", COUNT_DISPATCHED, olderThan);
    }

    @Override
    public int removeDispatched(Duration olderThan, int limit, Archive archive) {
        return jdbc.transaction("remove old messages from the outbox", connection -> {
            List<UUID> ids = archive.<Step>fold(
                            () -> () -> ids(connection, olderThan, limit),
                            () -> () -> copied(connection, ids(connection, olderThan, limit)),
                            writer -> () -> written(writer, messages(connection, olderThan, limit)))
                    .run();
            return ids.isEmpty() ? 0 : change(connection, REMOVE, ids);
        });
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

    private List<UUID> ids(Connection connection, Duration olderThan, int limit) throws SQLException {
        return oldest(connection, IDS, olderThan, limit, row -> row.getObject(1, UUID.class));
    }

    private List<StoredMessage> messages(Connection connection, Duration olderThan, int limit) throws SQLException {
        return oldest(connection, MESSAGES, olderThan, limit, messages::read);
    }

    private <T> List<T> oldest(
            Connection connection, String query, Duration olderThan, int limit, Jdbc.Reader<T> reader)
            throws SQLException {
        return Jdbc.query(
                connection,
                sql(query),
                statement -> {
                    statement.setLong(1, millisFromNow(olderThan));
                    statement.setInt(2, limit);
                },
                reader);
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
        return Jdbc.update(
                connection,
                sql(template.replace("${ids}", Placeholders.of(ids))),
                statement -> Placeholders.bind(statement, 1, ids));
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
        return dialect.sql(template.replace("${message}", StoredMessages.COLUMNS), prefix);
    }
}

package io.waybill.jdbc;

import static java.util.stream.Collectors.toSet;

import io.waybill.Time;
import io.waybill.message.Envelope;
import io.waybill.store.FailedMessage;
import io.waybill.store.FailedSelection;
import io.waybill.store.FailedStore;
import io.waybill.store.Failure;
import io.waybill.store.FailureGroup;
import io.waybill.store.Transaction;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.sql.DataSource;

/** What could not be handled, in Symfony Messenger's queue of failed messages. */
final class MessengerFailedStore implements FailedStore {

    private static final String PUT = """
            INSERT INTO ${prefix}messenger_messages (body, headers, queue_name, created_at, available_at)
            VALUES (?, ?, 'failed', ?, ?)
            """;
    private static final String NEXT = """
            SELECT id, body, headers, created_at FROM ${prefix}messenger_messages
             WHERE queue_name = 'failed' AND id > ? ORDER BY id LIMIT ?
            """;
    private static final String LOCK = """
            SELECT id, body, headers, created_at FROM ${prefix}messenger_messages
             WHERE queue_name = 'failed' AND id IN (${ids}) AND (delivered_at IS NULL OR delivered_at < ?)
             ORDER BY id FOR UPDATE
            """;
    private static final String REMOVE = """
            DELETE FROM ${prefix}messenger_messages WHERE id IN (${ids})
            """;
    private static final String EDIT = """
            UPDATE ${prefix}messenger_messages SET body = ?, headers = ? WHERE id = ?
            """;

    private static final int READ_AT_ONCE = 500;

    /** Symfony's default: so long a worker's claim counts. */
    private static final int REDELIVER_HOURS = 1;

    private final Jdbc jdbc;
    private final Dialect dialect;
    private final String prefix;
    private final Time time;

    MessengerFailedStore(DataSource dataSource, Dialect dialect, String prefix, Time time) {
        this.jdbc = new Jdbc(dataSource, dialect);
        this.dialect = dialect;
        this.prefix = prefix;
        this.time = time;
    }

    @Override
    public void put(Transaction transaction, Failure failure) {
        Instant now = time.clock().instant();
        var failed = new FailedMessage(
                0,
                failure.handler(),
                Storable.of(failure.message()),
                failure.attempts(),
                failure.cause(),
                failure.since() == null ? now : failure.since(),
                now);
        Jdbc.in(
                transaction,
                "keep the failed message " + failure.message().id(),
                connection -> Jdbc.update(connection, sql(PUT), statement -> {
                    statement.setString(
                            1, MessengerFailure.body(failed.message().payload()));
                    statement.setString(2, MessengerFailure.headers(failed));
                    statement.setObject(3, utc(now));
                    statement.setObject(4, utc(now));
                }));
    }

    @Override
    public Set<String> failedKeys(Transaction transaction, String source, String handler, Collection<String> keys) {
        var selection = FailedSelection.all().from(source).notHandledBy(handler);
        return Jdbc.in(
                transaction,
                "look for failed keys",
                connection -> matching(connection, selection, 0, Integer.MAX_VALUE).stream()
                        .map(failed -> failed.message().partitionKey())
                        .filter(keys::contains)
                        .collect(toSet()));
    }

    @Override
    public List<FailedMessage> list(FailedSelection selection, long after, int limit) {
        return jdbc.autoCommit("list failed messages", connection -> matching(connection, selection, after, limit));
    }

    @Override
    public Optional<FailedMessage> find(long id) {
        return list(FailedSelection.of(List.of(id)), 0, 1).stream().findFirst();
    }

    @Override
    public long count(FailedSelection selection) {
        return list(selection, 0, Integer.MAX_VALUE).size();
    }

    @Override
    public List<FailureGroup> groups(FailedSelection selection) {
        return FailureGroup.of(list(selection, 0, Integer.MAX_VALUE).stream());
    }

    /** What a PHP worker has claimed is left to it. */
    @Override
    public List<FailedMessage> take(Transaction transaction, FailedSelection selection, long after, int limit) {
        return Jdbc.in(transaction, "take failed messages", connection -> {
            List<FailedMessage> taken = locked(connection, ids(matching(connection, selection, after, limit)));
            List<Long> ids = ids(taken);
            if (!ids.isEmpty()) {
                Jdbc.update(
                        connection,
                        sql(REMOVE.replace("${ids}", Placeholders.of(ids))),
                        statement -> Placeholders.bind(statement, 1, ids));
            }
            return taken;
        });
    }

    @Override
    public boolean edit(Transaction transaction, long id, Envelope changed) {
        return Jdbc.in(transaction, "edit the failed message " + id, connection -> {
            List<FailedMessage> found = locked(connection, List.of(id));
            if (found.isEmpty()) {
                return false;
            }
            FailedMessage old = found.get(0);
            var edited = new FailedMessage(
                    id,
                    old.handler(),
                    Storable.of(changed),
                    old.attempts(),
                    old.cause(),
                    old.firstFailedAt(),
                    old.lastFailedAt());
            return Jdbc.update(connection, sql(EDIT), statement -> {
                        statement.setString(
                                1, MessengerFailure.body(edited.message().payload()));
                        statement.setString(2, MessengerFailure.headers(edited));
                        statement.setLong(3, id);
                    })
                    == 1;
        });
    }

    private List<FailedMessage> matching(Connection connection, FailedSelection selection, long after, int limit)
            throws SQLException {
        List<FailedMessage> found = new ArrayList<>();
        long last = selection.ids().isEmpty() ? after : Math.max(after, Collections.min(selection.ids()) - 1);
        List<FailedMessage> page;
        do {
            long from = last;
            page = Jdbc.query(
                    connection,
                    sql(NEXT),
                    statement -> {
                        statement.setLong(1, from);
                        statement.setInt(2, READ_AT_ONCE);
                    },
                    MessengerFailedStore::read);
            for (FailedMessage one : page) {
                last = one.id();
                if (found.size() < limit && selection.matches(one)) {
                    found.add(one);
                }
            }
        } while (page.size() == READ_AT_ONCE && found.size() < limit);
        return found;
    }

    private List<FailedMessage> locked(Connection connection, List<Long> ids) throws SQLException {
        return ids.isEmpty()
                ? List.of()
                : Jdbc.query(
                        connection,
                        sql(LOCK.replace("${ids}", Placeholders.of(ids))),
                        statement -> statement.setObject(
                                Placeholders.bind(statement, 1, ids),
                                utc(time.clock().instant()).minusHours(REDELIVER_HOURS)),
                        MessengerFailedStore::read);
    }

    private static List<Long> ids(List<FailedMessage> messages) {
        return messages.stream().map(FailedMessage::id).toList();
    }

    private static FailedMessage read(ResultSet row) throws SQLException {
        return MessengerFailure.read(
                row.getLong(1),
                row.getString(2),
                row.getString(3),
                row.getObject(4, LocalDateTime.class).toInstant(ZoneOffset.UTC));
    }

    private static LocalDateTime utc(Instant moment) {
        return LocalDateTime.ofInstant(moment, ZoneOffset.UTC);
    }

    private String sql(String template) {
        return dialect.sql(template, prefix);
    }
}

package io.waybill.jdbc.internal.failed;

import static java.util.stream.Collectors.toSet;

import io.waybill.Time;
import io.waybill.WaybillException;
import io.waybill.jdbc.sql.Dialect;
import io.waybill.jdbc.sql.Jdbc;
import io.waybill.jdbc.sql.Placeholders;
import io.waybill.message.Envelope;
import io.waybill.store.AttemptLog;
import io.waybill.store.Transaction;
import io.waybill.store.failed.FailedMessage;
import io.waybill.store.failed.FailedSelection;
import io.waybill.store.failed.FailedStore;
import io.waybill.store.failed.Failure;
import io.waybill.store.failed.FailureGroup;
import io.waybill.store.failed.ParkedKey;
import io.waybill.store.failed.ParkedStore;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;

/** What could not be handled, in Symfony Messenger's queue of failed messages. */
public final class MessengerFailedStore implements FailedStore {

    private static final String PUT = """
            INSERT INTO ${prefix}messenger_messages (body, headers, queue_name, created_at, available_at)
            VALUES (?, ?, 'failed', ?, ?)
            """;
    /** On MariaDB and MySQL a worker marks what it has acknowledged with the last second there is, and removes it later. */
    private static final String NEXT = """
            SELECT id, body, headers, created_at FROM ${prefix}messenger_messages
             WHERE queue_name = 'failed' AND (delivered_at IS NULL OR delivered_at < '9999-12-31 00:00:00') AND id > ?
             ORDER BY id LIMIT ?
            """;

    private static final String ATTEMPTS = """
            SELECT retries, attempt_log FROM ${prefix}outbox WHERE outbox_id = ?
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
    private static final String HEADERS = """
            SELECT headers FROM ${prefix}messenger_messages WHERE id = ?
            """;
    private static final String HAS_ROWS = """
            SELECT id FROM ${prefix}messenger_messages WHERE queue_name = ? LIMIT 1
            """;

    /** The time of its failure is over for every clock, whichever time zone it is in. */
    private static final String GIVE_BACK = """
            UPDATE ${prefix}messenger_messages SET queue_name = ?, available_at = created_at, delivered_at = NULL
             WHERE id = ?
            """;

    private static final int READ_AT_ONCE = 500;

    /** Symfony's default: so long a worker's claim counts. */
    private static final Duration REDELIVER = Duration.ofHours(1);

    private final Jdbc jdbc;
    private final Dialect dialect;
    private final String prefix;
    private final Time time;
    private final ZoneId zone;

    /** @param zone of the application, which writes its own local time */
    public MessengerFailedStore(DataSource dataSource, Dialect dialect, String prefix, Time time, ZoneId zone) {
        this.jdbc = new Jdbc(dataSource, dialect);
        this.dialect = dialect;
        this.prefix = prefix;
        this.time = time;
        this.zone = zone;
    }

    @Override
    public void put(Transaction transaction, Failure failure) {
        Instant now = time.clock().instant();
        var failed = new FailedMessage(
                0,
                failure.handler(),
                failure.message(),
                failure.attempts(),
                failure.cause(),
                failure.since() == null ? now : failure.since(),
                now,
                failure.parksKey(),
                null,
                failure.retries(),
                AttemptLog.NONE);
        Jdbc.in(transaction, "keep the failed message " + failure.message().id(), connection -> {
            String headers = MessengerFailure.headers(withAttempts(connection, failed, failure));
            return Jdbc.update(connection, sql(PUT), statement -> {
                statement.setString(1, MessengerFailure.body(failed.message().payload()));
                statement.setString(2, headers);
                statement.setObject(3, local(now));
                statement.setObject(4, local(now));
            });
        });
    }

    /** With what its row in the outbox knows, if it has one. */
    private FailedMessage withAttempts(Connection connection, FailedMessage failed, Failure failure)
            throws SQLException {
        FailedMessage known = failure.row() == null
                ? failed
                : Jdbc.query(
                                connection,
                                sql(ATTEMPTS),
                                statement -> statement.setObject(1, failure.row()),
                                row -> failed.withAttempts(
                                        failed.retries() + row.getInt(1),
                                        failed.attemptLog()
                                                .plus(AttemptLog.of(row.getString(2))
                                                        .text())))
                        .stream()
                        .findFirst()
                        .orElse(failed);
        return known.withAttempts(known.retries(), known.attemptLog().plus(JdbcFailedStore.line(failure, time)));
    }

    /** Writes how a message failed this time. */
    void failAgain(Transaction transaction, long id, Failure failure) {
        Jdbc.in(transaction, "keep the failed message " + id, connection -> {
            for (FailedMessage old : locked(connection, List.of(id))) {
                FailedMessage again = withAttempts(connection, old.failedAgain(failure, now()), failure);
                write(connection, again, MessengerFailure.headers(again));
            }
            return id;
        });
    }

    @Override
    public Set<String> failedKeys(Transaction transaction, String source, String handler, Collection<String> keys) {
        var selection = FailedSelection.all().from(source).notHandledBy(handler);
        return Jdbc.in(
                transaction,
                "look for failed keys",
                connection -> matching(connection, selection, 0, Integer.MAX_VALUE).stream()
                        .filter(FailedMessage::parksKey)
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
    public List<FailedMessage> lock(Transaction transaction, FailedSelection selection, long after, int limit) {
        return Jdbc.in(
                transaction,
                "lock failed messages",
                connection -> locked(connection, ids(matching(connection, selection, after, limit))));
    }

    @Override
    public void remove(Transaction transaction, Collection<Long> ids) {
        Jdbc.in(transaction, "remove failed messages", connection -> Placeholders.update(connection, sql(REMOVE), ids));
    }

    @Override
    public ParkedStore parked() {
        return new MessengerParkedStore(this);
    }

    /** Messages of the key that park it, the first ones. */
    List<FailedMessage> parked(Transaction transaction, ParkedKey key, Predicate<FailedMessage> condition, int limit) {
        var selection = FailedSelection.all()
                .from(key.source())
                .notHandledBy(key.handler())
                .inOrderOf(key.partitionKey());
        return Jdbc.in(
                transaction,
                "read parked messages of " + key,
                connection -> matching(
                        connection, selection, 0, limit, failed -> failed.parksKey() && condition.test(failed)));
    }

    /** Locks the rows and writes what is changed of each. */
    List<FailedMessage> change(Transaction transaction, Collection<Long> ids, UnaryOperator<FailedMessage> change) {
        return Jdbc.in(transaction, "change failed messages", connection -> {
            List<FailedMessage> found = locked(connection, List.copyOf(ids));
            for (FailedMessage failed : found) {
                FailedMessage changed = change.apply(failed);
                if (!changed.equals(failed)) {
                    write(connection, changed, MessengerFailure.headers(changed));
                }
            }
            return found;
        });
    }

    private boolean write(Connection connection, FailedMessage changed, String headers) throws SQLException {
        return Jdbc.update(connection, sql(EDIT), statement -> {
                    statement.setString(
                            1, MessengerFailure.body(changed.message().payload()));
                    statement.setString(2, headers);
                    statement.setLong(3, changed.id());
                })
                == 1;
    }

    Instant now() {
        return time.clock().instant();
    }

    /**
     * Puts rows of PHP back into the queue that their transport reads, as they are: body, headers and stamps are Symfony's, and so is
     * what becomes of them.
     */
    @Override
    public int giveBack(Transaction transaction, FailedSelection selection, String queue, int limit) {
        return Jdbc.in(transaction, "give failed messages back", connection -> {
            List<FailedMessage> ofPhp = matching(
                    connection, selection, 0, limit, failed -> failed.handler().isEmpty());
            List<FailedMessage> taken = locked(connection, ids(ofPhp));
            for (FailedMessage failed : taken) {
                String target = queue.isEmpty() ? queueOf(connection, failed) : queue;
                Jdbc.update(connection, sql(GIVE_BACK), statement -> {
                    statement.setString(1, target);
                    statement.setLong(2, failed.id());
                });
            }
            return taken.size();
        });
    }

    /** The row names a transport, and only its application knows which queue that transport reads. */
    private String queueOf(Connection connection, FailedMessage failed) throws SQLException {
        boolean known = !failed.source().isEmpty()
                && !Jdbc.query(
                                connection,
                                sql(HAS_ROWS),
                                statement -> statement.setString(1, failed.source()),
                                row -> row.getLong(1))
                        .isEmpty();
        if (known) {
            return failed.source();
        }
        throw new WaybillException("The failed message " + failed.id() + " is PHP's, and came from the transport '"
                + failed.source() + "'. Say which queue of messenger_messages that transport reads (queue_name in its"
                + " DSN, 'default' without one): --queue NAME. If it reads from a broker, use --to-queue, or let PHP"
                + " handle it: php bin/console messenger:failed:retry " + failed.id() + ".");
    }

    /** A row of PHP keeps what was not changed as Symfony wrote it. */
    @Override
    public boolean edit(Transaction transaction, long id, Envelope changed, String note) {
        return Jdbc.in(transaction, "edit the failed message " + id, connection -> {
            List<FailedMessage> found = locked(connection, List.of(id));
            if (found.isEmpty()) {
                return false;
            }
            FailedMessage old = found.get(0);
            String headers = Jdbc.query(
                            connection, sql(HEADERS), statement -> statement.setLong(1, id), row -> row.getString(1))
                    .get(0);
            boolean ours = !old.handler().isEmpty();
            if (!ours && PhpEnvelope.isOne(old.message().payload().asText())) {
                throw new WaybillException(
                        "The failed message " + id + " (" + old.message().type()
                                + ") is in PHP's own serialization, which only its classes can write. It was not changed."
                                + " Retry it as it is, or discard it and let the application send another.");
            }
            var edited = old.with(changed)
                    .withAttempts(old.retries(), old.attemptLog().plus(AttemptLog.changed(now(), note)));
            return write(
                    connection,
                    edited,
                    ours ? MessengerFailure.headers(edited) : MessengerFailure.edited(headers, changed.headers()));
        });
    }

    private List<FailedMessage> matching(Connection connection, FailedSelection selection, long after, int limit)
            throws SQLException {
        return matching(connection, selection, after, limit, any -> true);
    }

    private List<FailedMessage> matching(
            Connection connection, FailedSelection selection, long after, int limit, Predicate<FailedMessage> condition)
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
                    this::read);
            for (FailedMessage one : page) {
                last = one.id();
                if (found.size() < limit && selection.matches(one) && condition.test(one)) {
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
                                local(time.clock().instant().minus(REDELIVER))),
                        this::read);
    }

    private static List<Long> ids(List<FailedMessage> messages) {
        return messages.stream().map(FailedMessage::id).toList();
    }

    private FailedMessage read(ResultSet row) throws SQLException {
        return MessengerFailure.read(
                row.getLong(1),
                row.getString(2),
                row.getString(3),
                row.getObject(4, LocalDateTime.class).atZone(zone).toInstant());
    }

    private LocalDateTime local(Instant moment) {
        return LocalDateTime.ofInstant(moment, zone);
    }

    private String sql(String template) {
        return dialect.sql(template, prefix);
    }
}

package io.waybill.jdbc.internal.admin;

import io.waybill.Time;
import io.waybill.jdbc.internal.lease.JdbcPauses;
import io.waybill.jdbc.sql.Dialect;
import io.waybill.jdbc.sql.Jdbc;
import io.waybill.message.Envelope;
import io.waybill.store.admin.DestinationStats;
import io.waybill.store.admin.OutboxAdmin;
import io.waybill.store.admin.OutboxStatus;
import io.waybill.store.admin.Selection;
import io.waybill.store.admin.StoredMessage;
import io.waybill.store.outbox.PausedDestination;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Stream;
import javax.sql.DataSource;

/** Looks at the outbox for an operator; {@link OutboxChanges} changes it. */
public final class JdbcOutboxAdmin implements OutboxAdmin {

    private static final String LIST = """
            SELECT ${message_without_payload} FROM ${prefix}outbox o WHERE ${selection} AND o.id > ? ORDER BY o.id LIMIT ?
            """;
    private static final String LAST_ON_PORTABLE = """
            SELECT max(id) FROM ${prefix}outbox
            """;
    /** No index of PostgreSQL has all rows by their id. */
    private static final String LAST_ON_POSTGRESQL = """
            SELECT greatest(
                   (SELECT max(id) FROM ${prefix}outbox WHERE dispatched_at IS NOT NULL),
                   (SELECT max(id) FROM ${prefix}outbox WHERE status = 'PENDING' AND available_at IS NULL),
                   (SELECT max(id) FROM ${prefix}outbox WHERE status = 'PENDING' AND available_at IS NOT NULL),
                   (SELECT max(id) FROM ${prefix}outbox WHERE status IN ('HELD', 'FAILED')))
            """;

    private static final String COUNT = """
            SELECT count(*) FROM ${prefix}outbox o WHERE ${selection}
            """;
    private static final String FIND = """
            SELECT ${message} FROM ${prefix}outbox o WHERE o.outbox_id = ?
            """;

    private final Jdbc jdbc;
    private final Dialect dialect;
    private final String prefix;
    private final Time time;
    private final StoredMessages messages;
    private final OutboxChanges changes;
    private final JdbcPauses pauses;
    private final OutboxCounts counts;

    public JdbcOutboxAdmin(DataSource dataSource, Dialect dialect, String prefix, Time time) {
        this.jdbc = new Jdbc(dataSource, dialect);
        this.dialect = dialect;
        this.prefix = prefix;
        this.time = time;
        this.messages = new StoredMessages(dialect);
        this.changes = new OutboxChanges(dataSource, dialect, prefix, time);
        this.pauses = new JdbcPauses(jdbc, dialect, prefix);
        this.counts = new OutboxCounts(dialect, prefix);
    }

    @Override
    public List<DestinationStats> stats() {
        return OutboxCounts.byDestination(jdbc.autoCommit("count the messages that wait", counts::read));
    }

    @Override
    public List<PausedDestination> paused() {
        return pauses.all();
    }

    @Override
    public boolean pause(String destination, String reason, String operator) {
        return pauses.pause(destination, reason, operator);
    }

    @Override
    public boolean resume(String destination) {
        return pauses.resume(destination);
    }

    @Override
    public List<StoredMessage> list(Selection selection, long after, int limit) {
        // On PostgreSQL what is over has an index of its own; asked for together, no index has the order.
        return Stream.<Predicate<OutboxStatus>>of(OutboxStatus::isOpen, status -> !status.isOpen())
                .flatMap(allowed -> list(selection, allowed, after, limit).stream())
                .sorted(Comparator.comparingLong(StoredMessage::position))
                .limit(limit)
                .toList();
    }

    private List<StoredMessage> list(Selection selection, Predicate<OutboxStatus> allowed, long after, int limit) {
        var matching = SelectionSql.of(selection, allowed, time.offset());
        String list = sql(LIST.replace("${selection}", matching.condition()));
        return jdbc.autoCommit(
                "list messages",
                connection -> Jdbc.query(
                        connection,
                        list,
                        statement -> {
                            int at = matching.bind(statement);
                            statement.setLong(at, after);
                            statement.setInt(at + 1, limit);
                        },
                        messages::read));
    }

    @Override
    public long lastPosition() {
        String last = sql(dialect == Dialect.POSTGRESQL ? LAST_ON_POSTGRESQL : LAST_ON_PORTABLE);
        return jdbc.autoCommit(
                        "look for the last message",
                        connection -> Jdbc.query(connection, last, none -> {}, row -> row.getLong(1)))
                .get(0);
    }

    @Override
    public long count(Selection selection) {
        var matching = SelectionSql.of(selection, any -> true, time.offset());
        return jdbc.autoCommit(
                        "count messages",
                        connection -> Jdbc.query(
                                connection,
                                sql(COUNT.replace("${selection}", matching.condition())),
                                matching::bind,
                                row -> row.getLong(1)))
                .get(0);
    }

    @Override
    public Optional<StoredMessage> find(UUID id) {
        return jdbc
                .autoCommit(
                        "find message " + id,
                        connection -> Jdbc.query(
                                connection, sql(FIND), statement -> statement.setObject(1, id), messages::read))
                .stream()
                .findFirst();
    }

    @Override
    public Batch replay(Selection selection, String note, long after, int limit) {
        return changes.replay(selection, note, after, limit);
    }

    @Override
    public Batch redirect(Selection selection, String destination, String note, long after, int limit) {
        return changes.redirect(selection, destination, note, after, limit);
    }

    @Override
    public boolean replay(Envelope edited, String note) {
        return changes.replay(edited, note);
    }

    @Override
    public Batch discard(Selection selection, String reason, long before, int limit) {
        return changes.discard(selection, reason, before, limit);
    }

    @Override
    public boolean unblock(String destination, String partitionKey, String note) {
        return changes.unblock(destination, partitionKey, note);
    }

    private String sql(String template) {
        return dialect.sql(
                template.replace("${message}", StoredMessages.COLUMNS)
                        .replace("${message_without_payload}", StoredMessages.WITHOUT_PAYLOAD),
                prefix);
    }
}

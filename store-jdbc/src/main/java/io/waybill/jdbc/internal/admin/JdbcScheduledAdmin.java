package io.waybill.jdbc.internal.admin;

import io.waybill.Time;
import io.waybill.jdbc.internal.sql.Envelopes;
import io.waybill.jdbc.sql.Dialect;
import io.waybill.jdbc.sql.Jdbc;
import io.waybill.jdbc.sql.Placeholders;
import io.waybill.store.admin.ScheduledAdmin;
import io.waybill.store.admin.ScheduledMessage;
import io.waybill.store.admin.ScheduledMessage.Position;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;

/** Looks at messages for later, and changes them. */
public final class JdbcScheduledAdmin implements ScheduledAdmin {

    private static final String LIST = """
            SELECT due_at, outbox_id, category, type, message_key, partition_key, NULL, NULL, '', destination
              FROM ${prefix}outbox_scheduled WHERE due_at >= ? AND (due_at > ? OR outbox_id > ?)
             ORDER BY due_at, outbox_id LIMIT ?
            """;
    private static final String FIND = """
            SELECT o.due_at, o.outbox_id, o.category, o.type, o.message_key, o.partition_key, o.payload, o.payload_binary,
                   ${headers}, o.destination
              FROM ${prefix}outbox_scheduled o WHERE o.outbox_id = ?
            """.replace("${headers}", Envelopes.HEADERS);
    private static final String MAKE_DUE = """
            UPDATE ${prefix}outbox_scheduled SET due_at = ${now_plus_millis} WHERE outbox_id IN (${ids})
            """;
    /** What a relay is appending now is locked by it. */
    private static final String LOCK = """
            SELECT outbox_id FROM ${prefix}outbox_scheduled WHERE outbox_id IN (${ids}) FOR UPDATE
            """;

    private static final String KEEP = """
            INSERT INTO ${prefix}outbox (outbox_id, category, type, destination, message_key, partition_key, payload,
                                         payload_binary, headers, status, last_error, dispatched_at)
            SELECT outbox_id, category, type, destination, message_key, partition_key, payload, payload_binary, headers,
                   'DISCARDED', ?, ${now}
              FROM ${prefix}outbox_scheduled WHERE outbox_id IN (${ids})
            """;
    private static final String REMOVE = """
            DELETE FROM ${prefix}outbox_scheduled WHERE outbox_id IN (${ids})
            """;

    private final Jdbc jdbc;
    private final Dialect dialect;
    private final String prefix;
    private final Time time;

    public JdbcScheduledAdmin(DataSource dataSource, Dialect dialect, String prefix, Time time) {
        this.jdbc = new Jdbc(dataSource, dialect);
        this.dialect = dialect;
        this.prefix = prefix;
        this.time = time;
    }

    @Override
    public List<ScheduledMessage> list(Position after, int limit) {
        return jdbc.autoCommit(
                "list scheduled messages",
                connection -> Jdbc.query(
                        connection,
                        sql(LIST),
                        statement -> {
                            dialect.bind(statement, 1, after.dueAt());
                            dialect.bind(statement, 2, after.dueAt());
                            statement.setObject(3, after.id());
                            statement.setInt(4, limit);
                        },
                        this::read));
    }

    @Override
    public Optional<ScheduledMessage> find(UUID id) {
        return jdbc
                .autoCommit(
                        "look for scheduled message " + id,
                        connection ->
                                Jdbc.query(connection, sql(FIND), statement -> statement.setObject(1, id), this::read))
                .stream()
                .findFirst();
    }

    @Override
    public int makeDue(Collection<UUID> ids) {
        return ids.isEmpty()
                ? 0
                : jdbc.autoCommit(
                        "make scheduled messages due",
                        connection -> Jdbc.update(connection, sql(MAKE_DUE, ids), statement -> {
                            statement.setLong(1, time.offset().toMillis() - 1); // what is rounded is due all the same
                            Placeholders.bind(statement, 2, ids);
                        }));
    }

    @Override
    public int discard(Collection<UUID> ids, String reason) {
        return ids.isEmpty()
                ? 0
                : jdbc.transaction("discard scheduled messages", connection -> {
                    List<UUID> there = Jdbc.query(
                            connection,
                            sql(LOCK, ids),
                            statement -> Placeholders.bind(statement, 1, ids),
                            row -> row.getObject(1, UUID.class));
                    if (there.isEmpty()) {
                        return 0;
                    }
                    Jdbc.update(connection, sql(KEEP, there), statement -> {
                        statement.setString(1, reason);
                        Placeholders.bind(statement, 2, there);
                    });
                    return Placeholders.update(connection, dialect.sql(REMOVE, prefix), there);
                });
    }

    private ScheduledMessage read(ResultSet row) throws SQLException {
        return new ScheduledMessage(
                dialect.instant(row, 1), Envelopes.read(row, 2).envelope());
    }

    private String sql(String template) {
        return dialect.sql(template, prefix);
    }

    private String sql(String template, Collection<UUID> ids) {
        return dialect.sql(template, prefix).replace("${ids}", Placeholders.of(ids));
    }
}

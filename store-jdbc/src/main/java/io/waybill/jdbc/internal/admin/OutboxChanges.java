package io.waybill.jdbc.internal.admin;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import io.waybill.Time;
import io.waybill.jdbc.internal.sql.AttemptLogSql;
import io.waybill.jdbc.sql.Dialect;
import io.waybill.jdbc.sql.Jdbc;
import io.waybill.jdbc.sql.Placeholders;
import io.waybill.message.DestinationPattern;
import io.waybill.message.Envelope;
import io.waybill.store.AttemptLog;
import io.waybill.store.admin.OutboxAdmin.Batch;
import io.waybill.store.admin.OutboxStatus;
import io.waybill.store.admin.Selection;
import io.waybill.store.outbox.Lane;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import java.util.UUID;
import javax.sql.DataSource;

/** What an operator changes about messages: found without locks, changed shard by shard. */
final class OutboxChanges {

    private static final String OLDEST_FIRST = """
            SELECT o.id, o.outbox_id, ${shard}, o.destination, o.partition_key FROM ${prefix}outbox o
             WHERE ${selection} AND o.id > ? ORDER BY o.id LIMIT ?
            """;
    private static final String YOUNGEST_FIRST = """
            SELECT o.id, o.outbox_id, ${shard}, o.destination, o.partition_key FROM ${prefix}outbox o
             WHERE ${selection} AND o.id < ? ORDER BY o.id DESC LIMIT ?
            """;
    private static final String ONE = """
            SELECT o.id, o.outbox_id, ${shard}, o.destination, o.partition_key FROM ${prefix}outbox o WHERE o.outbox_id = ?
            """;
    private static final String FIRST_OF_KEY = """
            SELECT 0, outbox_id, shard, destination, partition_key FROM ${prefix}outbox_blocked_key
             WHERE destination = ? AND partition_key = ?
            """;
    private static final String REPLAY = AttemptLogSql.in("""
            UPDATE ${prefix}outbox
               SET status = 'PENDING', retry_count = 0, available_at = NULL, retries = retries + 1, attempt_log = ${more_attempts}
             WHERE outbox_id IN (${ids}) AND (status = 'FAILED' OR status = 'PENDING' AND available_at IS NOT NULL)
            """);
    private static final String REPLAY_EDITED = AttemptLogSql.in("""
            UPDATE ${prefix}outbox
               SET status = 'PENDING', retry_count = 0, available_at = NULL, retries = retries + 1, attempt_log = ${more_attempts},
                   destination = ?, payload = ?, payload_binary = ?
             WHERE outbox_id = ? AND (status = 'FAILED' OR status = 'PENDING' AND available_at IS NOT NULL)
            """);
    private static final String REDIRECT = AttemptLogSql.in("""
            UPDATE ${prefix}outbox
               SET status = 'PENDING', retry_count = 0, available_at = NULL, retries = retries + 1, attempt_log = ${more_attempts},
                   destination = ?
             WHERE destination = ? AND outbox_id IN (${ids}) AND (status = 'FAILED' OR status = 'PENDING' AND available_at IS NOT NULL)
            """);
    private static final String DISCARD = AttemptLogSql.in("""
            UPDATE ${prefix}outbox
               SET status = 'DISCARDED', last_error = ?, attempt_log = ${more_attempts}, available_at = NULL, dispatched_at = ${now}
             WHERE outbox_id IN (${ids}) AND status IN ('PENDING', 'HELD', 'FAILED')
            """);

    private final Jdbc jdbc;
    private final ShardTransactions shards;
    private final Dialect dialect;
    private final String prefix;
    private final Time time;

    OutboxChanges(DataSource dataSource, Dialect dialect, String prefix, Time time) {
        this.jdbc = new Jdbc(dataSource, dialect);
        this.shards = new ShardTransactions(dataSource, dialect, prefix);
        this.dialect = dialect;
        this.prefix = prefix;
        this.time = time;
    }

    /** A message in its lane and key. */
    record Member(long position, UUID id, Lane lane, String partitionKey) {}

    Batch replay(Selection selection, String note, long after, int limit) {
        var matching = SelectionSql.of(selection, OutboxStatus::isReplayable, time.offset());
        List<Member> found = find(OLDEST_FIRST, matching, after, limit);
        return change("replay messages", found, after, limit, (connection, ids) -> replay(connection, ids, note));
    }

    /** What waits behind them goes with them, in the transaction that redirects the first message of its key. */
    Batch redirect(Selection selection, String destination, String note, long after, int limit) {
        var matching = SelectionSql.of(selection, OutboxStatus::isReplayable, time.offset());
        List<Member> found = find(OLDEST_FIRST, matching, after, limit);
        List<Member> ours = found.stream()
                .filter(member -> !DestinationPattern.isReserved(member.lane().destination()))
                .toList();
        int changed = 0;
        for (var lane : ours.stream().collect(groupingBy(Member::lane)).entrySet()) {
            changed += shards.redirect(
                    lane.getValue(),
                    destination,
                    (connection, ids) -> redirect(connection, lane.getKey(), ids, destination, note));
        }
        return batch(changed, found, after, limit);
    }

    Batch discard(Selection selection, String reason, long before, int limit) {
        var matching = SelectionSql.of(selection, OutboxStatus::isOpen, time.offset());
        List<Member> found = find(YOUNGEST_FIRST, matching, before, limit);
        return change("discard messages", found, before, limit, (connection, ids) -> discard(connection, ids, reason));
    }

    boolean replay(Envelope edited, String note) {
        List<Member> found = jdbc.autoCommit(
                "find message " + edited.id(),
                connection ->
                        Jdbc.query(connection, sql(ONE), one -> one.setObject(1, edited.id()), OutboxChanges::member));
        return !found.isEmpty()
                && shards.change(
                                "replay message " + edited.id(),
                                found,
                                (connection, ids) -> replay(connection, edited, note))
                        == 1;
    }

    boolean unblock(String destination, String partitionKey, String note) {
        List<Member> first = jdbc.autoCommit(
                "look for what stops the key '" + partitionKey + "' to " + destination,
                connection -> Jdbc.query(
                        connection,
                        sql(FIRST_OF_KEY),
                        key -> {
                            key.setString(1, destination);
                            key.setString(2, partitionKey);
                        },
                        OutboxChanges::member));
        if (first.isEmpty()) {
            return false;
        }
        shards.change(
                "unblock the key '" + partitionKey + "' to " + destination,
                first,
                (connection, ids) -> replay(connection, ids, note));
        return true;
    }

    private List<Member> find(String template, SelectionSql matching, long from, int limit) {
        String find = sql(template.replace("${selection}", matching.condition()));
        return jdbc.autoCommit(
                "select messages",
                connection -> Jdbc.query(
                        connection,
                        find,
                        statement -> {
                            int at = matching.bind(statement);
                            statement.setLong(at, from);
                            statement.setInt(at + 1, limit);
                        },
                        OutboxChanges::member));
    }

    private static Member member(ResultSet row) throws SQLException {
        return new Member(
                row.getLong(1),
                row.getObject(2, UUID.class),
                new Lane(row.getInt(3), row.getString(4)),
                row.getString(5));
    }

    private Batch change(String what, List<Member> found, long from, int limit, ShardTransactions.Change change) {
        int changed = 0;
        for (List<Member> members : byShard(found)) {
            changed += shards.change(what, members, change);
        }
        return batch(changed, found, from, limit);
    }

    private static Collection<List<Member>> byShard(List<Member> members) {
        return members.stream()
                .collect(groupingBy(member -> member.lane().shard(), TreeMap::new, toList()))
                .values();
    }

    private static Batch batch(int changed, List<Member> found, long from, int limit) {
        long position = found.isEmpty() ? from : found.get(found.size() - 1).position();
        return new Batch(changed, position, found.size() == limit);
    }

    private int replay(Connection connection, List<UUID> ids, String note) throws SQLException {
        return Jdbc.update(connection, sql(REPLAY.replace("${ids}", Placeholders.of(ids))), statement -> {
            statement.setString(1, line(note));
            Placeholders.bind(statement, 2, ids);
        });
    }

    /** One that somebody else has redirected since it was found stays: what is behind it there is not known here. */
    private int redirect(Connection connection, Lane lane, List<UUID> ids, String destination, String note)
            throws SQLException {
        return Jdbc.update(connection, sql(REDIRECT.replace("${ids}", Placeholders.of(ids))), statement -> {
            statement.setString(1, line(note));
            statement.setString(2, destination);
            statement.setString(3, lane.destination());
            Placeholders.bind(statement, 4, ids);
        });
    }

    private int replay(Connection connection, Envelope edited, String note) throws SQLException {
        var payload = edited.payload();
        return Jdbc.update(connection, sql(REPLAY_EDITED), statement -> {
            statement.setString(1, line(note));
            statement.setString(2, edited.destination());
            statement.setString(3, payload.isText() ? payload.asText() : "");
            statement.setBytes(4, payload.isText() ? null : payload.asBytes());
            statement.setObject(5, edited.id());
        });
    }

    private String line(String note) {
        return AttemptLog.changed(time.clock().instant(), note);
    }

    private int discard(Connection connection, List<UUID> ids, String reason) throws SQLException {
        return Jdbc.update(connection, sql(DISCARD.replace("${ids}", Placeholders.of(ids))), statement -> {
            statement.setString(1, reason);
            statement.setString(2, line("discarded: " + reason));
            Placeholders.bind(statement, 3, ids);
        });
    }

    private String sql(String template) {
        return dialect.sql(template, prefix);
    }
}

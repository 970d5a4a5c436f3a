package io.waybill.jdbc.internal.admin;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;
import static java.util.stream.Collectors.toSet;

import io.waybill.jdbc.internal.admin.OutboxChanges.Member;
import io.waybill.jdbc.sql.Dialect;
import io.waybill.jdbc.sql.Jdbc;
import io.waybill.jdbc.sql.Placeholders;
import io.waybill.store.outbox.Lane;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * Transactions that change messages of one shard and set their keys free.
 *
 * <p>The lease is locked first, then keys, then messages: the same order as everybody who changes them. A transaction holds the
 * leases of one shard only, so it never waits for one relay while it makes another of the same pool wait.
 */
final class ShardTransactions {

    private static final String LOCK_LEASE = """
            SELECT shard FROM ${prefix}relay_lease WHERE shard = ? ORDER BY pool FOR UPDATE
            """;
    private static final String LOCK_KEYS = """
            SELECT partition_key FROM ${prefix}outbox_blocked_key
             WHERE destination = ? AND partition_key IN (${keys}) AND outbox_id IN (${ids}) FOR UPDATE
            """;
    private static final String UNBLOCK = """
            DELETE FROM ${prefix}outbox_blocked_key WHERE destination = ? AND partition_key IN (${keys})
            """;
    private static final String FREE_THE_HELD = """
            UPDATE ${prefix}outbox o SET status = 'PENDING'
             WHERE status = 'HELD' AND ${shard} = ? AND destination = ? AND partition_key IN (${keys})
            """;
    private static final String REDIRECT_THE_HELD = """
            UPDATE ${prefix}outbox o SET status = 'PENDING', destination = ?
             WHERE status = 'HELD' AND ${shard} = ? AND destination = ? AND partition_key IN (${keys})
            """;
    private static final String LOOK_BACK = """
            UPDATE ${prefix}relay_lease SET rewind = rewind + 1 WHERE shard = ?
            """;

    private final Jdbc jdbc;
    private final Dialect dialect;
    private final String prefix;

    ShardTransactions(DataSource dataSource, Dialect dialect, String prefix) {
        this.jdbc = new Jdbc(dataSource, dialect);
        this.dialect = dialect;
        this.prefix = prefix;
    }

    /** What happens to the messages. */
    @FunctionalInterface
    interface Change {
        int to(Connection connection, List<UUID> ids) throws SQLException;
    }

    /**
     * Changes the messages; where one of them is what its key waits for, the key is free and what was held behind it is
     * pending.
     *
     * @param members of one shard
     */
    int change(String what, List<Member> members, Change change) {
        return change(what, members, change, this::freeTheHeld);
    }

    /** The same, and what was held goes to this destination, pending. The shard of a message does not depend on it. */
    int redirect(List<Member> members, String destination, Change change) {
        return change(
                "redirect messages",
                members,
                change,
                (connection, lane, keys) -> redirectTheHeld(connection, lane, keys, destination));
    }

    /** What happens to what was held behind keys that are free now. */
    @FunctionalInterface
    private interface Followers {
        void of(Connection connection, Lane lane, List<String> keys) throws SQLException;
    }

    private int change(String what, List<Member> members, Change change, Followers followers) {
        int shard = members.get(0).lane().shard();
        return jdbc.transaction(what, connection -> {
            Jdbc.query(connection, sql(LOCK_LEASE), lease -> lease.setInt(1, shard), row -> row.getInt(1));
            Map<Lane, List<String>> stopped = lockedKeys(connection, members);
            int changed = change.to(connection, members.stream().map(Member::id).toList());
            for (var keys : stopped.entrySet()) {
                unblock(connection, keys.getKey(), keys.getValue());
                followers.of(connection, keys.getKey(), keys.getValue());
            }
            Jdbc.update(connection, sql(LOOK_BACK), lease -> lease.setInt(1, shard));
            return changed;
        });
    }

    /** The keys that wait for one of the messages. */
    private Map<Lane, List<String>> lockedKeys(Connection connection, List<Member> members) throws SQLException {
        Map<Lane, List<Member>> byLane = members.stream()
                .filter(member -> !member.partitionKey().isEmpty())
                .collect(groupingBy(Member::lane, LinkedHashMap::new, toList()));
        Map<Lane, List<String>> stopped = new LinkedHashMap<>();
        for (var lane : byLane.entrySet()) {
            List<String> keys = lockedKeys(connection, lane.getKey(), lane.getValue());
            if (!keys.isEmpty()) {
                stopped.put(lane.getKey(), keys);
            }
        }
        return stopped;
    }

    private List<String> lockedKeys(Connection connection, Lane lane, List<Member> members) throws SQLException {
        Set<String> keys = members.stream().map(Member::partitionKey).collect(toSet());
        List<UUID> ids = members.stream().map(Member::id).toList();
        return Jdbc.query(
                connection,
                sql(LOCK_KEYS.replace("${keys}", Placeholders.of(keys)).replace("${ids}", Placeholders.of(ids))),
                statement -> {
                    statement.setString(1, lane.destination());
                    Placeholders.bind(statement, Placeholders.bind(statement, 2, keys), ids);
                },
                row -> row.getString(1));
    }

    private void unblock(Connection connection, Lane lane, List<String> keys) throws SQLException {
        Jdbc.update(connection, sql(UNBLOCK.replace("${keys}", Placeholders.of(keys))), statement -> {
            statement.setString(1, lane.destination());
            Placeholders.bind(statement, 2, keys);
        });
    }

    private void freeTheHeld(Connection connection, Lane lane, List<String> keys) throws SQLException {
        Jdbc.update(connection, sql(FREE_THE_HELD.replace("${keys}", Placeholders.of(keys))), statement -> {
            statement.setInt(1, lane.shard());
            statement.setString(2, lane.destination());
            Placeholders.bind(statement, 3, keys);
        });
    }

    private void redirectTheHeld(Connection connection, Lane lane, List<String> keys, String destination)
            throws SQLException {
        Jdbc.update(connection, sql(REDIRECT_THE_HELD.replace("${keys}", Placeholders.of(keys))), statement -> {
            statement.setString(1, destination);
            statement.setInt(2, lane.shard());
            statement.setString(3, lane.destination());
            Placeholders.bind(statement, 4, keys);
        });
    }

    private String sql(String template) {
        return dialect.sql(template, prefix);
    }
}

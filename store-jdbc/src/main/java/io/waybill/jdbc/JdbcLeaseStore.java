package io.waybill.jdbc;

import io.waybill.store.LeaseStore;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;

final class JdbcLeaseStore implements LeaseStore {

    private static final String JOIN = """
            INSERT INTO ${prefix}relay_node (relay, expires_at) VALUES (?, ${now_plus_millis})
            """;
    private static final String LIVE = """
            UPDATE ${prefix}relay_node SET expires_at = ${now_plus_millis} WHERE relay = ?
            """;
    private static final String FORGET_THE_DEAD = """
            DELETE FROM ${prefix}relay_node WHERE expires_at < ${now}
            """;
    private static final String RENEW = """
            UPDATE ${prefix}relay_lease SET expires_at = ${now_plus_millis} WHERE owner = ? AND expires_at >= ${now}
            """;
    private static final String COUNT_LIVE = """
            SELECT count(*) FROM ${prefix}relay_node
            """;
    private static final String TABLE = """
            SELECT shard, owner, token, expires_at < ${now} AS expired FROM ${prefix}relay_lease ORDER BY shard
            """;
    private static final String TAKE = """
            UPDATE ${prefix}relay_lease SET owner = ?, token = token + 1, expires_at = ${now_plus_millis}
             WHERE shard = ? AND token = ? AND (owner = '' OR expires_at < ${now})
            """;
    private static final String RELEASE = """
            UPDATE ${prefix}relay_lease SET owner = '' WHERE owner = ? AND shard = ?
            """;
    private static final String RELEASE_ALL = """
            UPDATE ${prefix}relay_lease SET owner = '' WHERE owner = ?
            """;
    private static final String LEAVE = """
            DELETE FROM ${prefix}relay_node WHERE relay = ?
            """;

    private final Jdbc jdbc;
    private final Dialect dialect;
    private final String prefix;

    JdbcLeaseStore(DataSource dataSource, Dialect dialect, String prefix) {
        this.jdbc = new Jdbc(dataSource, dialect);
        this.dialect = dialect;
        this.prefix = prefix;
    }

    @Override
    public LeaseTable renew(String relay, Duration claimTimeout) {
        return jdbc.autoCommit("renew the leases of relay " + relay, connection -> {
            int known = Jdbc.update(connection, sql(LIVE), statement -> {
                statement.setLong(1, claimTimeout.toMillis());
                statement.setString(2, relay);
            });
            if (known == 0) {
                Jdbc.update(connection, sql(JOIN), statement -> {
                    statement.setString(1, relay);
                    statement.setLong(2, claimTimeout.toMillis());
                });
            }
            Jdbc.update(connection, sql(FORGET_THE_DEAD), statement -> {});
            Jdbc.update(connection, sql(RENEW), statement -> {
                statement.setLong(1, claimTimeout.toMillis());
                statement.setString(2, relay);
            });
            int live = Jdbc.query(connection, sql(COUNT_LIVE), statement -> {}, row -> row.getInt(1))
                    .get(0);
            List<LeaseTable.Row> rows = Jdbc.query(
                    connection,
                    sql(TABLE),
                    statement -> {},
                    row -> new LeaseTable.Row(row.getInt(1), row.getString(2), row.getLong(3), row.getBoolean(4)));
            return new LeaseTable(rows, Math.max(1, live));
        });
    }

    @Override
    public Set<Integer> take(Collection<LeaseTable.Row> seen, String relay, Duration claimTimeout) {
        List<LeaseTable.Row> inOrder = seen.stream()
                .sorted(Comparator.comparingInt(LeaseTable.Row::shard))
                .toList();
        return jdbc.transaction("take shards for relay " + relay, connection -> {
            Set<Integer> taken = new HashSet<>();
            for (var row : inOrder) {
                int changed = Jdbc.update(connection, sql(TAKE), statement -> {
                    statement.setString(1, relay);
                    statement.setLong(2, claimTimeout.toMillis());
                    statement.setInt(3, row.shard());
                    statement.setLong(4, row.token());
                });
                if (changed == 1) {
                    taken.add(row.shard());
                }
            }
            return taken;
        });
    }

    @Override
    public void release(String relay, Collection<Integer> shards) {
        jdbc.autoCommit("release shards of relay " + relay, connection -> {
            for (int shard : shards) {
                Jdbc.update(connection, sql(RELEASE), statement -> {
                    statement.setString(1, relay);
                    statement.setInt(2, shard);
                });
            }
            return shards.size();
        });
    }

    @Override
    public void leave(String relay) {
        jdbc.autoCommit("release the leases of relay " + relay, connection -> {
            Jdbc.update(connection, sql(RELEASE_ALL), statement -> statement.setString(1, relay));
            return Jdbc.update(connection, sql(LEAVE), statement -> statement.setString(1, relay));
        });
    }

    private String sql(String template) {
        return dialect.sql(template, prefix);
    }
}

package io.waybill.jdbc;

import io.waybill.WaybillException;
import io.waybill.store.Lease;
import io.waybill.store.LeaseStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;

final class JdbcLeaseStore implements LeaseStore {

    private static final String JOIN = """
            INSERT INTO ${prefix}relay_node (relay, pool, expires_at) VALUES (?, ?, ${now_plus_millis})
            """;
    private static final String FOUND = """
            INSERT INTO ${prefix}relay_lease (shard, pool)
            SELECT shard, ? FROM ${prefix}relay_lease
             WHERE pool = 'default' AND NOT EXISTS (SELECT 1 FROM ${prefix}relay_lease WHERE pool = ?)
            """;
    private static final String LIVE = """
            UPDATE ${prefix}relay_node SET expires_at = ${now_plus_millis} WHERE relay = ?
            """;
    private static final String FORGET_THE_DEAD = """
            DELETE FROM ${prefix}relay_node WHERE expires_at < ${now}
            """;
    private static final String RENEW = """
            UPDATE ${prefix}relay_lease SET expires_at = ${now_plus_millis}
             WHERE owner = ? AND expires_at >= ${now} AND ${held}
            """;
    private static final String COUNT_LIVE = """
            SELECT count(*) FROM ${prefix}relay_node WHERE pool = ?
            """;
    private static final String TABLE = """
            SELECT shard, owner, token, expires_at, ${now} FROM ${prefix}relay_lease
             WHERE pool = ? ORDER BY shard
            """;
    private static final String TAKE = """
            UPDATE ${prefix}relay_lease SET owner = ?, token = token + 1, expires_at = ${now_plus_millis}
             WHERE shard = ? AND pool = ? AND token = ? AND (owner IN ('', ?) OR expires_at < ${now})
            """;
    private static final String RELEASE = """
            UPDATE ${prefix}relay_lease SET owner = '' WHERE owner = ? AND shard = ? AND pool = ?
            """;
    private static final String ABANDON = """
            UPDATE ${prefix}relay_lease SET expires_at = ${now_plus_millis} WHERE owner = ? AND shard = ? AND pool = ?
            """;
    private static final String RELEASE_ALL = """
            UPDATE ${prefix}relay_lease SET owner = '' WHERE owner = ? AND expires_at >= ${now}
            """;
    private static final String LEAVE = """
            DELETE FROM ${prefix}relay_node WHERE relay = ?
            """;

    private final Jdbc jdbc;
    private final Dialect dialect;
    private final String prefix;
    private final String pool;

    JdbcLeaseStore(DataSource dataSource, Dialect dialect, String prefix, String pool) {
        if (!LeaseStore.isPoolName(pool)) {
            throw new WaybillException("The pool '" + pool + "' must have 1 to 64 letters, digits, '.', '_' or '-'.");
        }
        this.jdbc = new Jdbc(dataSource, dialect);
        this.dialect = dialect;
        this.prefix = prefix;
        this.pool = pool;
    }

    @Override
    public String pool() {
        return pool;
    }

    @Override
    public LeaseTable renew(String relay, Collection<Lease> held, Duration leaseTime) {
        return jdbc.autoCommit("renew the leases of relay " + relay, connection -> {
            int known = Jdbc.update(connection, sql(LIVE), statement -> {
                statement.setLong(1, leaseTime.toMillis());
                statement.setString(2, relay);
            });
            if (known == 0) {
                found(connection);
                Jdbc.update(connection, sql(JOIN), statement -> {
                    statement.setString(1, relay);
                    statement.setString(2, pool);
                    statement.setLong(3, leaseTime.toMillis());
                });
            }
            Jdbc.update(connection, sql(FORGET_THE_DEAD), statement -> {});
            if (!held.isEmpty()) {
                Jdbc.update(connection, sql(RENEW.replace("${held}", Settling.held(held))), statement -> {
                    statement.setLong(1, leaseTime.toMillis());
                    statement.setString(2, relay);
                });
            }
            int live = Jdbc.query(
                            connection,
                            sql(COUNT_LIVE),
                            statement -> statement.setString(1, pool),
                            row -> row.getInt(1))
                    .get(0);
            List<LeaseTable.Row> rows = Jdbc.query(
                    connection,
                    sql(TABLE),
                    statement -> statement.setString(1, pool),
                    row -> new LeaseTable.Row(
                            row.getInt(1),
                            row.getString(2),
                            row.getLong(3),
                            Duration.between(dialect.instant(row, 5), dialect.instant(row, 4))));
            return new LeaseTable(rows, Math.max(1, live));
        });
    }

    /** The first relay of a pool writes its leases, all of them in one statement; of several first ones, one does. */
    private void found(Connection connection) throws SQLException {
        try {
            Jdbc.update(connection, sql(FOUND), statement -> {
                statement.setString(1, pool);
                statement.setString(2, pool);
            });
        } catch (SQLException e) {
            if (!Jdbc.isDuplicate(e)) {
                throw e;
            }
        }
    }

    @Override
    public Set<Integer> take(Collection<LeaseTable.Row> seen, String relay, Duration leaseTime) {
        List<LeaseTable.Row> inOrder = seen.stream()
                .sorted(Comparator.comparingInt(LeaseTable.Row::shard))
                .toList();
        return jdbc.transaction("take shards for relay " + relay, connection -> {
            Set<Integer> taken = new HashSet<>();
            for (var row : inOrder) {
                int changed = Jdbc.update(connection, sql(TAKE), statement -> {
                    statement.setString(1, relay);
                    statement.setLong(2, leaseTime.toMillis());
                    statement.setInt(3, row.shard());
                    statement.setString(4, pool);
                    statement.setLong(5, row.token());
                    statement.setString(6, relay);
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
        jdbc.autoCommit(
                "release shards of relay " + relay,
                connection -> Jdbc.batch(connection, sql(RELEASE), shards, (statement, shard) -> {
                    statement.setString(1, relay);
                    statement.setInt(2, shard);
                    statement.setString(3, pool);
                }));
    }

    @Override
    public void abandon(String relay, Collection<Integer> shards) {
        jdbc.autoCommit(
                "give shards of relay " + relay + " up",
                connection -> Jdbc.batch(connection, sql(ABANDON), shards, (statement, shard) -> {
                    statement.setLong(1, -1);
                    statement.setString(2, relay);
                    statement.setInt(3, shard);
                    statement.setString(4, pool);
                }));
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

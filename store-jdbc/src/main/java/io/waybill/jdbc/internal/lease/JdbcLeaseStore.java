package io.waybill.jdbc.internal.lease;

import static java.util.stream.Collectors.joining;

import io.waybill.WaybillException;
import io.waybill.jdbc.sql.Dialect;
import io.waybill.jdbc.sql.Jdbc;
import io.waybill.jdbc.sql.Placeholders;
import io.waybill.store.outbox.Lease;
import io.waybill.store.outbox.LeaseStore;
import io.waybill.store.outbox.PausedDestination;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;

public final class JdbcLeaseStore implements LeaseStore {

    private static final String JOIN = """
            INSERT INTO ${prefix}relay_node (relay, pool, kind, serves, activity, expires_at)
            VALUES (?, ?, ?, ?, ?, ${now_plus_millis})
            """;
    private static final String CHANGE = """
            UPDATE ${prefix}relay_node SET kind = ?, serves = ? WHERE relay = ?
            """;
    private static final String FOUND = """
            INSERT INTO ${prefix}relay_lease (shard, pool)
            SELECT shard, ? FROM ${prefix}relay_lease
             WHERE pool = 'default' AND NOT EXISTS (SELECT 1 FROM ${prefix}relay_lease WHERE pool = ?)
            """;
    private static final String LIVE = """
            UPDATE ${prefix}relay_node SET activity = ?, renewed_at = ${now}, expires_at = ${now_plus_millis}
             WHERE relay = ? AND kind = ?
            """;
    private static final String FORGET_THE_DEAD = """
            DELETE FROM ${prefix}relay_node WHERE expires_at < ${now}
            """;
    private static final String RENEW = """
            UPDATE ${prefix}relay_lease SET expires_at = ${now_plus_millis}
             WHERE owner = ? AND expires_at >= ${now} AND ${held}
            """;
    /** After the leases: who has one has said before what it serves. */
    private static final String RELAYS = """
            SELECT relay, kind FROM ${prefix}relay_node WHERE pool = ?
            """;

    private static final String SERVES = """
            SELECT kind, serves FROM ${prefix}relay_node WHERE pool = ? AND kind IN (${kinds})
            """;
    private static final String TABLE = """
            SELECT shard, pool, owner, token, expires_at, ${now} FROM ${prefix}relay_lease
             WHERE pool = ? OR pool LIKE ?
            """;

    /** Taking a lease of a shard, at any level, locks the row of its owner. */
    private static final String LOCK = """
            SELECT shard FROM ${prefix}relay_lease WHERE pool = ? AND shard IN (${shards}) ORDER BY shard FOR UPDATE
            """;

    /** Changes the row of the owner, so that a transaction that began before, and repeats its reads, does not overlook it. */
    private static final String TOUCH = """
            UPDATE ${prefix}relay_lease SET rewind = rewind WHERE pool = ? AND shard IN (${shards})
            """;

    private static final String OF_SHARDS = """
            SELECT shard, pool, owner, token, expires_at, ${now} FROM ${prefix}relay_lease
             WHERE shard IN (${shards}) AND (pool = ? OR pool LIKE ?)
            """;
    private static final String TAKE = """
            UPDATE ${prefix}relay_lease SET owner = ?, token = token + ?, expires_at = ${now_plus_millis}
             WHERE shard = ? AND pool = ? AND token = ? AND (owner IN ('', ?) OR expires_at < ${now})
            """;
    private static final String END = """
            UPDATE ${prefix}relay_lease SET owner = '', token = token + 2
             WHERE shard = ? AND pool = ? AND token = ? AND owner <> '' AND expires_at < ${now}
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
    private final JdbcPauses pauses;

    /** What relays of a kind serve, by the kind. */
    private final Map<String, String> served = new ConcurrentHashMap<>();

    public JdbcLeaseStore(DataSource dataSource, Dialect dialect, String prefix, String pool) {
        if (!LeaseStore.isPoolName(pool)) {
            throw new WaybillException("The pool '" + pool + "' must have 1 to 60 letters, digits, '.', '_' or '-'.");
        }
        this.jdbc = new Jdbc(dataSource, dialect);
        this.dialect = dialect;
        this.prefix = prefix;
        this.pool = pool;
        this.pauses = new JdbcPauses(jdbc, dialect, prefix);
    }

    @Override
    public String pool() {
        return pool;
    }

    @Override
    public LeaseTable renew(String relay, String serves, String activity, Collection<Lease> held, Duration leaseTime) {
        String kind = kindOf(serves);
        return jdbc.autoCommit("renew the leases of relay " + relay, connection -> {
            if (!live(connection, relay, kind, activity, leaseTime)) {
                announce(connection, relay, kind, serves, activity, leaseTime);
            }
            Jdbc.update(connection, sql(FORGET_THE_DEAD), statement -> {});
            if (!held.isEmpty()) {
                Jdbc.update(connection, sql(RENEW.replace("${held}", HeldLeasesSql.are(held))), statement -> {
                    statement.setLong(1, leaseTime.toMillis());
                    statement.setString(2, relay);
                });
            }
            List<LeaseTable.Row> rows = rows(connection, TABLE);
            return new LeaseTable(rows, relays(connection));
        });
    }

    private boolean live(Connection connection, String relay, String kind, String activity, Duration leaseTime)
            throws SQLException {
        return Jdbc.update(connection, sql(LIVE), statement -> {
                    statement.setString(1, activity);
                    statement.setLong(2, leaseTime.toMillis());
                    statement.setString(3, relay);
                    statement.setString(4, kind);
                })
                == 1;
    }

    /** A relay that is new, or that has more routes than before. */
    private void announce(
            Connection connection, String relay, String kind, String serves, String activity, Duration leaseTime)
            throws SQLException {
        int known = Jdbc.update(connection, sql(CHANGE), statement -> {
            statement.setString(1, kind);
            statement.setString(2, serves);
            statement.setString(3, relay);
        });
        if (known == 1) {
            return;
        }
        found(connection, pool);
        Jdbc.update(connection, sql(JOIN), statement -> {
            statement.setString(1, relay);
            statement.setString(2, pool);
            statement.setString(3, kind);
            statement.setString(4, serves);
            statement.setString(5, activity);
            statement.setLong(6, leaseTime.toMillis());
        });
    }

    /** What they serve is read once for each kind of relay. */
    private Map<String, String> relays(Connection connection) throws SQLException {
        Map<String, String> kinds = new HashMap<>();
        Jdbc.query(
                connection,
                sql(RELAYS),
                statement -> statement.setString(1, pool),
                row -> kinds.put(row.getString(1), row.getString(2)));
        Set<String> unknown = new TreeSet<>(kinds.values());
        unknown.removeAll(served.keySet());
        if (!unknown.isEmpty()) {
            Jdbc.query(
                    connection,
                    sql(SERVES.replace("${kinds}", Placeholders.of(unknown))),
                    statement -> {
                        statement.setString(1, pool);
                        Placeholders.bind(statement, 2, unknown);
                    },
                    row -> served.put(row.getString(1), row.getString(2)));
        }
        Map<String, String> relays = new HashMap<>();
        kinds.forEach((relay, kind) -> {
            String serves = served.get(kind);
            if (serves != null) {
                relays.put(relay, serves);
            }
        });
        return relays;
    }

    private static String kindOf(String serves) {
        return UUID.nameUUIDFromBytes(serves.getBytes(StandardCharsets.UTF_8)).toString();
    }

    /** The dots and dashes of a pool's name may match others. */
    private List<LeaseTable.Row> rows(Connection connection, String template) throws SQLException {
        return Jdbc.query(
                        connection,
                        sql(template),
                        statement -> {
                            statement.setString(1, pool);
                            statement.setString(2, pool + "+%");
                        },
                        this::row)
                .stream()
                .flatMap(Optional::stream)
                .toList();
    }

    private Optional<LeaseTable.Row> row(ResultSet row) throws SQLException {
        String of = row.getString(2);
        return Lease.basePool(of).equals(pool)
                ? Optional.of(new LeaseTable.Row(
                        row.getInt(1),
                        Lease.level(of),
                        row.getString(3),
                        row.getLong(4),
                        Duration.between(dialect.instant(row, 6), dialect.instant(row, 5))))
                : Optional.empty();
    }

    /** The first relay of a pool writes its leases, all of them in one statement; of several first ones, one does. */
    private void found(Connection connection, String which) throws SQLException {
        try {
            Jdbc.update(connection, sql(FOUND), statement -> {
                statement.setString(1, which);
                statement.setString(2, which);
            });
        } catch (SQLException e) {
            if (!Jdbc.isDuplicate(e)) {
                throw e;
            }
        }
    }

    @Override
    public List<PausedDestination> paused() {
        return pauses.all();
    }

    @Override
    public List<Taken> take(Collection<Wanted> wanted, String relay, Duration leaseTime) {
        List<Wanted> inOrder = wanted.stream()
                .sorted(Comparator.comparingInt(lease -> lease.row().shard()))
                .toList();
        wanted.stream()
                .mapToInt(lease -> lease.row().level())
                .filter(level -> level > 0)
                .distinct()
                .forEach(level -> jdbc.autoCommit("add leases of level " + level, connection -> {
                    found(connection, Lease.poolAt(pool, level));
                    return level;
                }));
        return jdbc.transaction("take shards for relay " + relay, connection -> {
            List<LeaseTable.Row> rows = locked(connection, inOrder);
            List<Taken> taken = new ArrayList<>();
            for (Wanted lease : inOrder) {
                List<LeaseTable.Row> ofShard = rows.stream()
                        .filter(row -> row.shard() == lease.row().shard())
                        .toList();
                Optional<Taken> got = take(connection, lease, ofShard, relay, leaseTime);
                got.ifPresent(taken::add);
            }
            return taken;
        });
    }

    private List<LeaseTable.Row> locked(Connection connection, List<Wanted> wanted) throws SQLException {
        String shards = wanted.stream()
                .map(lease -> String.valueOf(lease.row().shard()))
                .collect(joining(", "));
        Jdbc.query(
                connection,
                sql(LOCK.replace("${shards}", shards)),
                statement -> statement.setString(1, pool),
                row -> row.getInt(1));
        if (wanted.stream().anyMatch(lease -> lease.row().level() > 0)) {
            Jdbc.update(connection, sql(TOUCH.replace("${shards}", shards)), statement -> statement.setString(1, pool));
        }
        return rows(connection, OF_SHARDS.replace("${shards}", shards));
    }

    /** @param rows all leases of the shard, as they are now */
    private Optional<Taken> take(
            Connection connection, Wanted wanted, List<LeaseTable.Row> rows, String relay, Duration leaseTime)
            throws SQLException {
        LeaseTable.Row seen = wanted.row();
        boolean asSeen = wanted.below().stream()
                .allMatch(below -> rows.stream().anyMatch(row -> row.level() == below.level() && below.isSame(row)));
        LeaseTable.Row now = rows.stream()
                .filter(row -> row.level() == seen.level())
                .findFirst()
                .orElse(seen);
        if (!asSeen) {
            return Optional.empty();
        }
        int step = now.owner().isEmpty() || now.owner().equals(relay) ? 1 : 2;
        int changed = Jdbc.update(connection, sql(TAKE), statement -> {
            statement.setString(1, relay);
            statement.setInt(2, step);
            statement.setLong(3, leaseTime.toMillis());
            statement.setInt(4, seen.shard());
            statement.setString(5, Lease.poolAt(pool, seen.level()));
            statement.setLong(6, seen.token());
            statement.setString(7, relay);
        });
        return changed == 0
                ? Optional.empty()
                : Optional.of(new Taken(
                        seen.shard(),
                        seen.level(),
                        seen.token() + step,
                        rows.stream()
                                .filter(row -> row.level() > seen.level()
                                        && !row.owner().isEmpty())
                                .toList()));
    }

    @Override
    public void release(String relay, Collection<Lease> leases) {
        jdbc.autoCommit(
                "release shards of relay " + relay,
                connection -> Jdbc.batch(connection, sql(RELEASE), leases, (statement, lease) -> {
                    statement.setString(1, relay);
                    statement.setInt(2, lease.shard());
                    statement.setString(3, lease.pool());
                }));
    }

    @Override
    public void abandon(String relay, Collection<Lease> leases) {
        jdbc.autoCommit(
                "give shards of relay " + relay + " up",
                connection -> Jdbc.batch(connection, sql(ABANDON), leases, (statement, lease) -> {
                    statement.setLong(1, -1);
                    statement.setString(2, relay);
                    statement.setInt(3, lease.shard());
                    statement.setString(4, lease.pool());
                }));
    }

    @Override
    public void end(Collection<LeaseTable.Row> expired) {
        jdbc.autoCommit(
                "end leases that have expired",
                connection -> Jdbc.batch(connection, sql(END), expired, (statement, row) -> {
                    statement.setInt(1, row.shard());
                    statement.setString(2, Lease.poolAt(pool, row.level()));
                    statement.setLong(3, row.token());
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

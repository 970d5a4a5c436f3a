package io.waybill.jdbc.ops;

import io.waybill.jdbc.sql.Dialect;
import io.waybill.jdbc.sql.Jdbc;
import io.waybill.store.outbox.RelayActivity;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import javax.sql.DataSource;

/** Looks at the relays that live, and changes nothing: to renew is to be one of them. */
public final class RelayNodes {

    private static final String ALL = """
            SELECT n.relay, n.pool, n.started_at, n.renewed_at, n.expires_at, ${now},
                   (SELECT count(*) FROM ${prefix}relay_lease l WHERE l.owner = n.relay AND l.pool = n.pool AND l.expires_at >= ${now}),
                   n.serves, n.activity
              FROM ${prefix}relay_node n ORDER BY n.pool, n.started_at
            """;

    private static final String LEASES = """
            SELECT l.pool, l.shard, l.owner, l.token, l.expires_at, ${now} FROM ${prefix}relay_lease l ORDER BY l.pool, l.shard
            """;

    private static final String SERVED = "SELECT n.serves FROM ${prefix}relay_node n WHERE n.expires_at >= ${now}";

    private final Jdbc jdbc;
    private final Dialect dialect;
    private final String prefix;

    /** Those whose tables have this prefix: Waybill's own, or those beside an adopted table. */
    public RelayNodes(DataSource dataSource, Dialect dialect, String prefix) {
        this.jdbc = new Jdbc(dataSource, dialect);
        this.dialect = dialect;
        this.prefix = prefix;
    }

    public List<RelayNode> all() {
        return jdbc.autoCommit(
                "look for relays",
                connection -> Jdbc.query(connection, dialect.sql(ALL, prefix), none -> {}, this::read));
    }

    /**
     * The lease of a shard.
     *
     * @param owner empty when no relay has it
     * @param left how long it is valid if it is not renewed; negative when it has ended
     */
    public record ShardLease(String pool, int shard, String owner, long token, Duration left) {}

    /** Which relay has which shard. */
    public List<ShardLease> leases() {
        return jdbc.autoCommit(
                "look for leases",
                connection -> Jdbc.query(
                        connection,
                        dialect.sql(LEASES, prefix),
                        none -> {},
                        row -> new ShardLease(
                                row.getString(1),
                                row.getInt(2),
                                row.getString(3),
                                row.getLong(4),
                                Duration.between(dialect.instant(row, 6), dialect.instant(row, 5)))));
    }

    /** What the relays that live serve, as they have written it. */
    public List<String> served() {
        return jdbc.autoCommit(
                "look what relays serve",
                connection -> Jdbc.query(connection, dialect.sql(SERVED, prefix), none -> {}, row -> row.getString(1)));
    }

    private RelayNode read(ResultSet row) throws SQLException {
        Instant renewed = dialect.instant(row, 4);
        Instant now = dialect.instant(row, 6);
        return new RelayNode(
                row.getString(1),
                row.getString(2),
                dialect.instant(row, 3),
                row.getInt(7),
                row.getString(8),
                RelayActivity.of(row.getString(9)),
                renewed,
                Duration.between(renewed, now),
                Duration.between(now, dialect.instant(row, 5)));
    }
}

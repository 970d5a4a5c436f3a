package io.waybill.jdbc.internal.lease;

import io.waybill.jdbc.internal.sql.SignalChannel;
import io.waybill.jdbc.sql.Dialect;
import io.waybill.jdbc.sql.Jdbc;
import io.waybill.store.outbox.PausedDestination;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The destinations to which relays send nothing, as operators have written them. For the packages of this module only. */
public final class JdbcPauses {

    private static final Logger log = LoggerFactory.getLogger(JdbcPauses.class);

    private static final String ALL = """
            SELECT destination, reason, operator, paused_at FROM ${prefix}relay_paused_destination ORDER BY destination
            """;
    private static final String PAUSE = """
            INSERT INTO ${prefix}relay_paused_destination (destination, reason, operator) VALUES (?, ?, ?)
            """;
    private static final String RESUME = """
            DELETE FROM ${prefix}relay_paused_destination WHERE destination = ?
            """;
    private static final String SIGNAL_ON_POSTGRESQL = """
            SELECT pg_notify(?, '')
            """;

    private final Jdbc jdbc;
    private final Dialect dialect;
    private final String prefix;

    public JdbcPauses(Jdbc jdbc, Dialect dialect, String prefix) {
        this.jdbc = jdbc;
        this.dialect = dialect;
        this.prefix = prefix;
    }

    public List<PausedDestination> all() {
        return jdbc.autoCommit("read which destinations are paused", this::all);
    }

    /** The same on this connection. */
    public List<PausedDestination> all(Connection connection) throws SQLException {
        return Jdbc.query(connection, sql(ALL), none -> {}, this::read);
    }

    private PausedDestination read(ResultSet row) throws SQLException {
        return new PausedDestination(row.getString(1), row.getString(2), row.getString(3), dialect.instant(row, 4));
    }

    /** Returns false when it is paused already. */
    public boolean pause(String destination, String reason, String operator) {
        return jdbc.autoCommit(
                "pause " + destination,
                connection -> Jdbc.insertIfMissing(connection, dialect, sql(PAUSE), statement -> {
                    statement.setString(1, destination);
                    statement.setString(2, reason);
                    statement.setString(3, operator);
                }));
    }

    /** Returns false when it is not paused. Relays that listen look at once. */
    public boolean resume(String destination) {
        return jdbc.autoCommit("resume " + destination, connection -> {
            int changed = Jdbc.update(connection, sql(RESUME), statement -> statement.setString(1, destination));
            if (changed > 0 && dialect == Dialect.POSTGRESQL) {
                signal(connection);
            }
            return changed > 0;
        });
    }

    /** A hint: what it misses, relays see when they look. */
    private void signal(Connection connection) {
        try {
            Jdbc.query(
                    connection,
                    SIGNAL_ON_POSTGRESQL,
                    statement -> statement.setString(1, SignalChannel.of(prefix)),
                    row -> row.wasNull());
        } catch (SQLException e) {
            log.debug("No signal was sent; relays look within their sweep interval: {}", e.getMessage());
        }
    }

    private String sql(String template) {
        return dialect.sql(template, prefix);
    }
}

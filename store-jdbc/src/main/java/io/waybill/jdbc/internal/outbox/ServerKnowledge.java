package io.waybill.jdbc.internal.outbox;

import io.waybill.Time;
import io.waybill.jdbc.sql.Jdbc;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;
import org.postgresql.PGConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What was learnt about the ids of a PostgreSQL server, and on which connections it may be used. After a fail-over to a replica that
 * lagged, and after a crash, ids are handed out again: what the server before had made certain would hide new messages.
 *
 * <p>A connection that was there before something was learnt, and still is, leads to the server that taught it. So whenever a connection is
 * used for the first time, everything is forgotten. Behind a proxy connections survive their server: there the start of the server and the
 * timeline of its log tell one from the other.
 *
 * <p><i>Threads:</i> safe.
 */
final class ServerKnowledge {

    private static final Logger log = LoggerFactory.getLogger(ServerKnowledge.class);

    /** How many bits the number of a server has. */
    static final int SERVER_BITS = 32;

    private static final String START = "extract(epoch FROM pg_postmaster_start_time())::bigint";
    private static final String TIMELINE =
            "(('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::bigint << 24)";

    private final String prefix;
    private final Time time;
    private final Set<PGConnection> seen = Collections.newSetFromMap(new WeakHashMap<>());
    private String server = "";
    private Learnt learnt;

    ServerKnowledge(String prefix, Time time) {
        this.prefix = prefix;
        this.time = time;
        this.learnt = new Learnt(new LowWaterMarks(), new VisibilityHorizon("0", prefix, time));
    }

    /** How far lanes have been read, and up to where that can be certain. */
    record Learnt(LowWaterMarks marks, VisibilityHorizon horizon) {}

    /** What may be used, and added to, on this connection. */
    synchronized Learnt on(Connection connection) throws SQLException {
        boolean isNew = !connection.isWrapperFor(PGConnection.class) || seen.add(connection.unwrap(PGConnection.class));
        if (isNew) {
            learnt = new Learnt(new LowWaterMarks(), new VisibilityHorizon(server(connection), prefix, time));
        }
        return learnt;
    }

    /** What was learnt last, to take note of what has been settled. */
    synchronized Learnt latest() {
        return learnt;
    }

    /** The number of the server, as SQL: another one after a restart or a promotion. */
    synchronized String server(Connection connection) {
        if (server.isEmpty()) {
            String both = isKnown(connection, TIMELINE) ? START + " # " + TIMELINE : START;
            server = "((" + both + ") & ((1::bigint << " + SERVER_BITS + ") - 1))";
        }
        return server;
    }

    /** Some services that speak PostgreSQL's protocol do not tell where their log is. */
    private static boolean isKnown(Connection connection, String expression) {
        try {
            Jdbc.query(connection, "SELECT " + expression, statement -> {}, row -> row.getLong(1));
            return true;
        } catch (SQLException e) {
            log.debug("The timeline of this server is not known.", e);
            return false;
        }
    }
}

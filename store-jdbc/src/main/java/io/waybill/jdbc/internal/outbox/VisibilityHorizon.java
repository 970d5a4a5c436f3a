package io.waybill.jdbc.internal.outbox;

import io.waybill.Time;
import io.waybill.jdbc.sql.Dialect;
import io.waybill.jdbc.sql.Jdbc;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The id below which nothing new can appear in the outbox on PostgreSQL, although ids are handed out before commit.
 *
 * <p>A transaction that takes an id holds a lock on the table from before it takes it until it ends. So: read the last id that was
 * handed out, then who holds such a lock. Once all of these have ended, every id up to that one is either visible to new statements or
 * will never be. Transactions that do not write to the outbox hold no such lock and delay nothing. A prepared transaction holds it
 * too, but has another name after the server was restarted: as long as there is one, nothing more is certain.
 *
 * <p><i>Threads:</i> safe.
 */
final class VisibilityHorizon {

    private static final String LAST_ID = """
            SELECT coalesce(pg_sequence_last_value(pg_get_serial_sequence('${prefix}outbox', 'id')), 0), ${server}
            """;
    private static final String WRITERS = """
            SELECT virtualtransaction, pid IS NULL FROM pg_locks
             WHERE locktype = 'relation' AND relation = '${prefix}outbox'::regclass
               AND mode IN ('RowExclusiveLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
               AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
            """;
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(20);

    /** A claim walks over so many remains in less time than a look takes. */
    private static final int BETWEEN_LOOKS_ROWS = 500;

    private final String lastId;
    private final String writers;
    private final Time time;
    private final ReentrantLock looking = new ReentrantLock();
    private volatile Certain certain = new Certain(0, 0);
    private long candidate;
    private Set<String> awaited = Set.of();
    private Time.@Nullable Stopwatch sinceLook;
    private int rows;

    /** @param server the number of the server, as SQL */
    VisibilityHorizon(String server, String prefix, Time time) {
        Dialect dialect = Dialect.POSTGRESQL;
        this.lastId = dialect.sql(LAST_ID.replace("${server}", server), prefix);
        this.writers = dialect.sql(WRITERS, prefix);
        this.time = time;
    }

    /**
     * Every row with an id up to this one that will ever be committed is visible to statements that start now.
     *
     * @param server on which server that is so
     */
    record Certain(long id, long server) {

        long on(long other) {
            return server == other ? id : 0;
        }
    }

    Certain certain() {
        return certain;
    }

    /**
     * Looks whether more is certain by now, if it is time for that and nobody else is looking: nobody waits for it.
     *
     * @param settled how many rows have been settled since the last time
     */
    void advance(Connection connection, int settled) throws SQLException {
        if (looking.tryLock()) {
            try {
                lookIfItIsTime(connection, settled);
            } finally {
                looking.unlock();
            }
        }
    }

    private void lookIfItIsTime(Connection connection, int settled) throws SQLException {
        rows += settled;
        if (rows >= BETWEEN_LOOKS_ROWS && (sinceLook == null || sinceLook.hasReached(BETWEEN_LOOKS))) {
            sinceLook = time.stopwatch();
            rows = 0;
            look(connection);
        }
    }

    void look(Connection connection) throws SQLException {
        Certain next = Jdbc.query(
                        connection, lastId, statement -> {}, row -> new Certain(row.getLong(1), row.getLong(2)))
                .get(0);
        if (next.server() != certain.server()) {
            certain = new Certain(0, next.server());
            candidate = 0;
            awaited = Set.of();
        }
        Set<String> busy = new HashSet<>();
        Set<String> prepared = new HashSet<>();
        Jdbc.query(
                connection,
                writers,
                statement -> {},
                row -> (row.getBoolean(2) ? prepared : busy).add(row.getString(1)));
        if (!prepared.isEmpty()) {
            return;
        }
        if (busy.isEmpty()) {
            certain = next;
        } else if (Collections.disjoint(awaited, busy)) {
            certain = new Certain(Math.max(certain.id(), candidate), next.server());
            candidate = next.id();
            awaited = busy;
        }
    }
}

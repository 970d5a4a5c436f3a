package io.waybill.jdbc.internal.sql;

import io.waybill.Time;
import io.waybill.jdbc.schema.TableRights;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads for which the user of a connection may lack the right, as the user of a relay does for processes. What is refused is said once, has
 * no rows, and is tried again after a minute: the right may be given later, or may be missing only while tables are changed.
 *
 * <p><i>Threads:</i> safe.
 */
public final class PermittedReads {

    private static final Logger log = LoggerFactory.getLogger(PermittedReads.class);
    private static final Duration AGAIN = Duration.ofMinutes(1);

    private final Time time;
    private final Map<String, Time.Stopwatch> refused = new ConcurrentHashMap<>();

    public PermittedReads(Time time) {
        this.time = time;
    }

    /** A read of the database. */
    @FunctionalInterface
    public interface Read<T, E extends Exception> {
        T run() throws E;
    }

    /** What is read, or {@code none} without the right. The name is that of the read among those of this object. */
    public <T, E extends Exception> T orElse(String name, T none, Read<T, E> read) throws E {
        Time.Stopwatch since = refused.get(name);
        if (since != null && !since.hasReached(AGAIN)) {
            return none;
        }
        try {
            T rows = read.run();
            refused.remove(name);
            return rows;
        } catch (Exception e) {
            if (!isForbidden(e)) {
                throw e;
            }
            if (refused.put(name, time.stopwatch()) == null) {
                log.info(
                        "The database user may not read all that can wait; this instance reports the rest: {}",
                        e.getMessage());
            }
            return none;
        }
    }

    private static boolean isForbidden(Exception e) {
        return (e instanceof SQLException direct && TableRights.isForbidden(direct))
                || (e.getCause() instanceof SQLException cause && TableRights.isForbidden(cause));
    }
}

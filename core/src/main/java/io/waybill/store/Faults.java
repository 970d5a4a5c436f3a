package io.waybill.store;

import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransactionRollbackException;
import java.sql.SQLTransientConnectionException;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Whose fault an error is: a database that is away, or that chose a victim, says nothing about the message. */
public final class Faults {

    /** H2: the connection or the database was closed. */
    private static final Set<String> CLOSED = Set.of("90007", "90067", "90098", "90121");

    /** PostgreSQL: the transaction did nothing for too long, and its connection was ended. */
    private static final String IDLE_TOO_LONG = "25P03";

    /** H2 and MariaDB: waited too long for a lock. */
    private static final Set<String> LOCK_TIMEOUTS = Set.of("HYT00", "41000");

    private static final int MARIADB_LOCK_TIMEOUT = 1205;

    private Faults() {}

    /** The database cannot be reached: nothing can be handled, whatever it is. */
    public static boolean isOutage(Throwable error) {
        return anyCause(error, Faults::isOutage);
    }

    /** The transaction was given up for the sake of others, and may be repeated. */
    public static boolean isVictim(Throwable error) {
        return error instanceof OutdatedException || anyCause(error, Faults::isVictim);
    }

    /** What was written must not be so: a value or a constraint, found perhaps only at the commit. */
    public static boolean isWrongData(Throwable error) {
        return anyCause(error, e -> stateOf(e).startsWith("22") || stateOf(e).startsWith("23"));
    }

    private static boolean isOutage(SQLException e) {
        String state = stateOf(e);
        return e instanceof SQLTransientConnectionException
                || e instanceof SQLNonTransientConnectionException
                || e instanceof SQLRecoverableException
                || state.startsWith("08")
                || state.startsWith("57P")
                || state.startsWith("53")
                || state.equals(IDLE_TOO_LONG)
                || CLOSED.contains(state);
    }

    private static boolean isVictim(SQLException e) {
        return e instanceof SQLTransactionRollbackException
                || stateOf(e).startsWith("40")
                || LOCK_TIMEOUTS.contains(stateOf(e))
                || e.getErrorCode() == MARIADB_LOCK_TIMEOUT;
    }

    private static String stateOf(SQLException e) {
        return e.getSQLState() == null ? "" : e.getSQLState();
    }

    private static boolean anyCause(Throwable error, Predicate<SQLException> test) {
        int depth = 0;
        for (@Nullable Throwable cause = error; cause != null && depth < 20; cause = cause.getCause(), depth++) {
            if (cause instanceof SQLException e && test.test(e)) {
                return true;
            }
        }
        return false;
    }
}

package io.waybill.server.database;

import io.waybill.WaybillException;
import io.waybill.jdbc.schema.TableRights;
import java.sql.SQLException;
import java.util.Set;
import java.util.function.Supplier;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Says in one line what a database objects to, where, and what to do. */
public final class DatabaseErrors {

    /** A table or column is missing: PostgreSQL's codes, then those of MariaDB, MySQL and H2. */
    private static final Set<String> MISSING = Set.of("42P01", "42703", "42S02", "42S03", "42S04", "42S22");

    private static final int MARIADB_UNKNOWN_DATABASE = 1049;
    private static final int MARIADB_NO_RIGHT_TO_DATABASE = 1044;

    private DatabaseErrors() {}

    public static WaybillException explained(DatabaseUrl url, SQLException e) {
        return new WaybillException(explanation(url, e), e);
    }

    /** The error of a store: the database behind it is named, and what it objects to explained where it is known. */
    public static WaybillException explained(DatabaseUrl url, WaybillException e) {
        return explained(url, e, () -> "");
    }

    /**
     * @param lacking names the rights that this user lacks, when the database refused it for that; it may say nothing
     */
    static WaybillException explained(DatabaseUrl url, WaybillException e, Supplier<String> lacking) {
        SQLException cause = sqlCause(e);
        if (cause == null) {
            return e;
        }
        if (isMissingTable(cause)) {
            return explained(url, cause);
        }
        String advice = TableRights.isForbidden(cause) ? ". " + advice(lacking) : "";
        return new WaybillException(url.redacted(e.getMessage() + " (in " + url + ")") + advice, e);
    }

    private static String advice(Supplier<String> lacking) {
        String named;
        try {
            named = lacking.get();
        } catch (WaybillException e) {
            named = "";
        }
        return named.isEmpty()
                ? "This user may not do that: 'waybill schema grants' prints the rights of each role."
                : named;
    }

    private static String explanation(DatabaseUrl url, SQLException e) {
        String state = e.getSQLState() == null ? "" : e.getSQLState();
        if (state.startsWith("28")) {
            return "The database " + url
                    + " refused the user or the password. Check the user in --db, and the password in"
                    + " --password-file or WAYBILL_DB_PASSWORD.";
        }
        if (state.equals("3D000")
                || e.getErrorCode() == MARIADB_UNKNOWN_DATABASE
                || e.getErrorCode() == MARIADB_NO_RIGHT_TO_DATABASE) {
            return "There is no database " + url
                    + ", or this user may not see it. Create it, or correct the name in --db.";
        }
        if (isMissingTable(e)) {
            return "The tables of Waybill are missing or outdated in " + url
                    + ". Create them: waybill schema apply --db ... (with --table-prefix, if they have one).";
        }
        if (isDistrusted(e)) {
            return "The certificate of the database " + url + " is not accepted: "
                    + url.redacted(String.valueOf(e.getMessage()))
                    + " Name the certificate of its authority in the URL (sslrootcert, serverSslCert), and the host as it"
                    + " stands in the certificate.";
        }
        if (state.startsWith("08")) {
            return "Could not connect to " + url + ": " + url.redacted(String.valueOf(e.getMessage()))
                    + " Check that it runs, and the host and port in --db.";
        }
        return "The database " + url + " responded: " + url.redacted(String.valueOf(e.getMessage()));
    }

    /** PostgreSQL's driver has a message of its own for a certificate that is for another host. */
    private static boolean isDistrusted(SQLException e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof SSLException
                    || String.valueOf(cause.getMessage()).contains("hostnameverifier")) {
                return true;
            }
        }
        return false;
    }

    private static boolean isMissingTable(SQLException e) {
        return e.getSQLState() != null && MISSING.contains(e.getSQLState());
    }

    private static @Nullable SQLException sqlCause(Throwable e) {
        for (Throwable cause = e.getCause(); cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql) {
                return sql;
            }
        }
        return null;
    }
}

package io.waybill.console;

import io.waybill.console.api.ApiJson;
import io.waybill.console.request.ConsoleResponse;
import io.waybill.store.Faults;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a request that failed at its database is answered with: without the statement, which helps nobody who reads the page. */
final class DatabaseProblem {

    /** A table or a column is missing, in the words of PostgreSQL, MariaDB and H2. */
    private static final Set<String> MISSING = Set.of("42P01", "42703", "42S02", "42S03", "42S04", "42S22");

    private static final int MAX_CAUSES = 20;

    private DatabaseProblem() {}

    static ConsoleResponse of(RuntimeException error) {
        Optional<SQLException> cause = cause(error);
        if (Faults.isOutage(error)) {
            return ApiJson.problem(
                    503,
                    "The database cannot be reached: "
                            + cause.map(DatabaseProblem::text).orElse("")
                            + ". The console tries again with the next request.");
        }
        if (cause.filter(e -> MISSING.contains(String.valueOf(e.getSQLState()))).isPresent()) {
            return ApiJson.problem(
                    409,
                    "The tables of Waybill are missing or outdated in this database: "
                            + cause.map(DatabaseProblem::text).orElse("")
                            + ". Create them with 'waybill schema apply'.");
        }
        return ApiJson.problem(409, String.valueOf(error.getMessage()));
    }

    /** The innermost one: the error of a pool has the one of the driver as its cause. */
    private static Optional<SQLException> cause(Throwable error) {
        Optional<SQLException> found = Optional.empty();
        int depth = 0;
        for (@Nullable Throwable cause = error;
                cause != null && depth < MAX_CAUSES;
                cause = cause.getCause(), depth++) {
            if (cause instanceof SQLException sql) {
                found = Optional.of(sql);
            }
        }
        return found;
    }

    /** H2 adds the statement to its message, PostgreSQL a position in it. */
    private static String text(SQLException e) {
        return String.valueOf(e.getMessage())
                .replaceAll("(?s)(; SQL statement:|\\n).*", "")
                .replaceAll("\\.+$", "");
    }
}

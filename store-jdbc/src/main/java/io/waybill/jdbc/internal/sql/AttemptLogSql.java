package io.waybill.jdbc.internal.sql;

import io.waybill.store.AttemptLog;

/** How statements write the history of a message. */
public final class AttemptLogSql {

    /** The column {@code attempt_log} with the lines of a parameter at its end. The inner COALESCE gives the parameter a type on PostgreSQL. */
    public static final String MORE =
            "RIGHT(CONCAT(COALESCE(attempt_log, ''), COALESCE(?, '')), " + AttemptLog.MAX_LENGTH + ")";

    private AttemptLogSql() {}

    /** The statement with {@link #MORE} at {@code ${more_attempts}}. */
    public static String in(String statement) {
        return statement.replace("${more_attempts}", MORE);
    }
}

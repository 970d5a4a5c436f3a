package io.waybill.jdbc.schema;

import io.waybill.WaybillException;
import java.util.Locale;

/** Whether an application creates its tables when it starts: {@code initialize-schema}. */
public enum InitializeSchema {
    /** Creates them or brings them up to date. */
    ALWAYS,
    /** Does so in an embedded database, H2 in memory or in a file; in any other the tables are only checked. */
    EMBEDDED,
    /** Only checks them: they are somebody else's task. */
    NEVER;

    /** The setting as it is written in a configuration. */
    public static InitializeSchema of(String setting) {
        return switch (setting.toLowerCase(Locale.ROOT)) {
            case "always" -> ALWAYS;
            case "embedded" -> EMBEDDED;
            case "never" -> NEVER;
            default ->
                throw new WaybillException(
                        "initialize-schema (" + setting + ") must be one of: always, embedded, never.");
        };
    }
}

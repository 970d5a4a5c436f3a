package io.waybill.jdbc.layout.table;

import java.util.Locale;

/** What a column of an adopted table is for. */
public enum ColumnMeaning {
    /** Tells a row from all others. */
    ID(Kind.ANY, "BIGINT"),
    /** The order of insertion; without it that of the id, where it is a number. */
    ORDER(Kind.SORTED, "BIGINT"),
    /** Where the message goes. */
    DESTINATION(Kind.TEXT, "VARCHAR(255)"),
    TYPE(Kind.TEXT, "VARCHAR(255)"),
    KEY(Kind.TEXT, "VARCHAR(255)"),
    /** Messages of one key keep their order; where it is empty, the key counts. */
    PARTITION_KEY(Kind.TEXT, "VARCHAR(255)"),
    PAYLOAD(Kind.BODY, "TEXT"),
    /** A JSON object. */
    HEADERS(Kind.BODY, "TEXT"),
    /** How often the message was tried. */
    ATTEMPTS(Kind.NUMBER, "INT"),
    /** Why it was refused last. */
    ERROR(Kind.TEXT, "VARCHAR(255)"),
    /** Not to be sent before. */
    AVAILABLE_AT(Kind.TIME, "TIMESTAMP"),
    /** When it was written, for those who ask how long it waits. */
    CREATED_AT(Kind.TIME, "TIMESTAMP"),
    /** When the batch it was sent with was claimed. */
    STARTED_AT(Kind.TIME, "TIMESTAMP"),
    /** Which batch that was. */
    BATCH(Kind.TEXT, "VARCHAR(36)");

    private final Kind kind;
    private final String ddl;

    ColumnMeaning(Kind kind, String ddl) {
        this.kind = kind;
        this.ddl = ddl;
    }

    public Kind kind() {
        return kind;
    }

    /** The type to give it where it is missing. */
    public String ddl() {
        return ddl;
    }

    /** Its name in a mapping: {@code partition-key}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Which types of columns will do. */
    public enum Kind {
        ANY,
        SORTED,
        TEXT,
        BODY,
        NUMBER,
        TIME
    }
}

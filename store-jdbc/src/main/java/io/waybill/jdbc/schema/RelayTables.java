package io.waybill.jdbc.schema;

import io.waybill.jdbc.sql.Dialect;
import java.util.List;
import java.util.stream.Collectors;

/** The tables by which relays share their work: the part of the schema that an adopted table needs beside it. */
public final class RelayTables {

    private RelayTables() {}

    /** What creates and upgrades them, in order. */
    public static List<SchemaStatement> statements(Dialect dialect, String prefix) {
        return Schema.VERSIONS.stream()
                .flatMap(version -> SchemaScript.version(version, dialect, prefix).statements().stream())
                .filter(statement -> withoutComments(statement.sql()).contains(prefix + "relay_"))
                .toList();
    }

    private static String withoutComments(String sql) {
        return sql.lines().filter(line -> !line.strip().startsWith("--")).collect(Collectors.joining("\n"));
    }
}

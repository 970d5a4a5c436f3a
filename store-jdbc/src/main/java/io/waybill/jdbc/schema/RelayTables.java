package io.waybill.jdbc.schema;

import io.waybill.WaybillException;
import io.waybill.jdbc.sql.Dialect;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
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

    /**
     * Refuses tables with leases of an earlier form: relays of the two forms do not see each other's leases, and would both send what
     * is in a shard. A relay of the earlier form is refused by the database: it does not fill the columns that are missing there.
     *
     * @throws WaybillException that names the columns that are missing
     */
    public static void requireForm(Connection connection, Dialect dialect, String prefix) throws SQLException {
        var tables = new Tables(connection);
        for (SchemaStatement statement : statements(dialect, prefix)) {
            if (statement.table().isPresent() && tables.exists(statement.table().get())) {
                refuseOtherForm(statement.table().get(), tables.missingColumns(statement), prefix);
            }
        }
    }

    private static void refuseOtherForm(String table, Set<String> missing, String prefix) {
        if (!missing.isEmpty()) {
            throw new WaybillException("The table " + table + " has no " + String.join(", ", missing)
                    + ": relays of another version of Waybill use it, with leases of another form, and this version cannot share"
                    + " shards with them. Stop them, drop " + prefix + "relay_node and " + prefix
                    + "relay_lease, which contain no messages, and run the statements of 'waybill schema print' that create these"
                    + " two tables.");
        }
    }

    private static String withoutComments(String sql) {
        return sql.lines().filter(line -> !line.strip().startsWith("--")).collect(Collectors.joining("\n"));
    }
}

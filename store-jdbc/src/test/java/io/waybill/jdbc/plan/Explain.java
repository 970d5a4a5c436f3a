package io.waybill.jdbc.plan;

import static java.util.stream.Collectors.joining;

import io.waybill.jdbc.sql.Dialect;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Asks the database how it would run a statement, and whether it would read a big table from end to end. */
enum Explain {
    POSTGRESQL("EXPLAIN (COSTS OFF) ") {

        private final Pattern scan = Pattern.compile("Seq Scan on (" + BigTables.NAMES + ")\\b");

        /** An index without a condition is read as a whole, which is fine only where the index itself is small... */
        private final Pattern wholeIndex =
                Pattern.compile("Scan using (?!outbox_ready|outbox_due|outbox_set_aside)\\w+ on (" + BigTables.NAMES
                        + ")\\b[^\\n]*\\n(?!\\s*Index Cond)");

        /** ...and not when it is the index that should have known the time. */
        private final Pattern filteredTime = Pattern.compile("Scan using \\w+ on (" + BigTables.NAMES
                + ")\\b[^\\n]*\\n\\s*Filter: \\((available_at|due_at|dispatched_at|processed_at) <");

        @Override
        boolean isFullScan(String plan) {
            return Stream.of(scan, wholeIndex, filteredTime)
                    .anyMatch(pattern -> pattern.matcher(plan + "\n").find());
        }
    },
    MARIADB("EXPLAIN ") {

        private final Pattern scan = Pattern.compile("table=(" + BigTables.NAMES + ") type=(ALL|index) ");

        /** All that has one status. A range may be long too, but what reads it stops early or counts. */
        private final Pattern manyRows = Pattern.compile("table=(" + BigTables.NAMES + ") type=ref .* rows=\\d{5,} ");

        @Override
        boolean isFullScan(String plan) {
            return plan.lines()
                    .anyMatch(line ->
                            scan.matcher(line).find() || manyRows.matcher(line).find());
        }
    },
    H2("EXPLAIN ") {

        private final Pattern scan =
                Pattern.compile("PUBLIC\\.(" + BigTables.NAMES + ")\\.tableScan", Pattern.CASE_INSENSITIVE);

        /** An index without a condition is read as a whole. */
        private final Pattern wholeIndex = Pattern.compile(
                "\"PUBLIC\"\\.\"(" + BigTables.NAMES + ")\"[^/]*/\\* PUBLIC\\.\\w+ \\*/", Pattern.CASE_INSENSITIVE);

        @Override
        boolean isFullScan(String plan) {
            // The first or the last of an index is found without reading the others.
            return !plan.contains("/* direct lookup */")
                    && (scan.matcher(plan).find() || wholeIndex.matcher(plan).find());
        }
    };

    private final String command;

    Explain(String command) {
        this.command = command;
    }

    static Explain in(Dialect dialect) {
        return switch (dialect) {
            case POSTGRESQL -> POSTGRESQL;
            case MARIADB, MYSQL -> MARIADB;
            case H2 -> H2;
        };
    }

    abstract boolean isFullScan(String plan);

    String plan(Connection connection, RecordedStatement recorded) throws SQLException {
        try (var statement = connection.prepareStatement(command + recorded.sql())) {
            recorded.bind(statement);
            try (var rows = statement.executeQuery()) {
                var lines = new ArrayList<String>();
                while (rows.next()) {
                    lines.add(line(rows));
                }
                return String.join("\n", lines);
            }
        }
    }

    private static String line(ResultSet row) throws SQLException {
        int columns = row.getMetaData().getColumnCount();
        if (columns == 1) {
            return row.getString(1);
        }
        List<String> values = new ArrayList<>();
        for (int i = 1; i <= columns; i++) {
            values.add(row.getMetaData().getColumnLabel(i) + "=" + row.getString(i));
        }
        return values.stream().collect(joining(" "));
    }
}

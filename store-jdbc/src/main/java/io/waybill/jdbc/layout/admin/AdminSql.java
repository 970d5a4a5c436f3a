package io.waybill.jdbc.layout.admin;

import io.waybill.jdbc.layout.table.ColumnMeaning;
import io.waybill.jdbc.layout.table.Layout;
import io.waybill.jdbc.layout.table.LayoutColumns;
import io.waybill.jdbc.layout.table.LayoutRows;
import io.waybill.jdbc.layout.table.LayoutSql;
import io.waybill.jdbc.layout.table.RowIds;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The statements by which an operator looks at an adopted table and changes it. */
final class AdminSql {

    /** What {@link LayoutRows} reads, then status, last error, and how many seconds ago the row was written, is due and was sent. */
    private static final String ROWS = """
            SELECT ${id} AS c1, ${position} AS c2, ${destination} AS c3, ${type} AS c4, ${key} AS c5, ${partition_key} AS c6,
                   ${shown_payload} AS c7, ${length} AS c8, ${headers} AS c9, ${attempts} AS c10, w.attempts AS c11,
                   CASE WHEN ${failed} THEN 'FAILED'
                        WHEN NOT (${pending}${unacknowledged}) THEN 'DISPATCHED'
                        WHEN w.state = 'BLOCKED' THEN 'FAILED'
                        WHEN w.state = 'RETRY' OR ${delayed} THEN 'WAITING'
                        WHEN EXISTS (SELECT 1 FROM ${prefix}relay_waiting k
                                      WHERE k.destination = ${exact_destination} AND k.partition_key = ${exact_key}
                                        AND k.partition_key <> '' AND k.state <> 'NOTED') THEN 'HELD'
                        ELSE 'PENDING' END AS c12,
                   COALESCE(w.last_error, ${error}) AS c13, ${written} AS c14, ${due} AS c15, ${over} AS c16
              FROM ${table} t LEFT JOIN ${prefix}relay_waiting w ON w.row_id = ${exact_id}
             WHERE ${visible}
            """;

    private static final String PAGE = """
            ${rows} AND ${position} ${beyond} ? ORDER BY ${position} ${direction} LIMIT ?
            """;

    /** Where no number tells the place of a row, it is counted. */
    private static final String COUNTED_PAGE = """
            SELECT * FROM (${rows}) r WHERE c2 ${beyond} ? ORDER BY c2 ${direction} LIMIT ?
            """;

    private static final String RESTORE =
            "UPDATE ${table} t ${by_primary_key} SET ${sets} WHERE ${among} AND ${condition}";

    private final Layout layout;
    private final LayoutSql sql;
    private final LayoutColumns columns;

    AdminSql(Layout layout, LayoutSql sql) {
        this.layout = layout;
        this.sql = sql;
        this.columns = sql.columns();
    }

    /** Which way a table is walked through. */
    enum Direction {
        FORWARD(">", "ASC"),
        BACKWARD("<", "DESC");

        private final String beyond;
        private final String order;

        Direction(String beyond, String order) {
            this.beyond = beyond;
            this.order = order;
        }
    }

    /** Which payloads are read. */
    enum Payloads {
        ALL("${payload}"),
        NONE("NULL");

        private final String sql;

        Payloads(String sql) {
            this.sql = sql;
        }
    }

    RowIds ids() {
        return sql.ids();
    }

    /**
     * Rows in their order; the parameters are the ids, where there are any, from where, and how many.
     *
     * @param over whether those that were sent are among them
     */
    String page(Direction direction, List<String> ids, boolean over, Payloads payloads) {
        boolean numbered = ids().areNumbers() && !columns.has(ColumnMeaning.ORDER);
        String visible = (ids.isEmpty() ? "" : ids().among(columns.column(ColumnMeaning.ID), ids) + " AND ")
                + (over ? everything() : "(" + columns.pending() + columns.unacknowledged() + " OR " + failed() + ")");
        String page = (numbered ? PAGE : COUNTED_PAGE)
                .replace("${rows}", ROWS)
                .replace(
                        "${position}",
                        numbered ? columns.column(ColumnMeaning.ID) : "ROW_NUMBER() OVER (ORDER BY ${order})")
                .replace("${order}", columns.order())
                .replace("${beyond}", direction.beyond)
                .replace("${direction}", direction.order)
                .replace("${shown_payload}", payloads.sql)
                .replace("${failed}", failed())
                .replace("${unacknowledged}", columns.unacknowledged())
                .replace("${delayed}", delayed())
                .replace("${error}", columns.has(ColumnMeaning.ERROR) ? columns.column(ColumnMeaning.ERROR) : "NULL")
                .replace("${written}", age(ColumnMeaning.CREATED_AT))
                .replace("${due}", age(ColumnMeaning.AVAILABLE_AT))
                .replace("${over}", doneAge())
                .replace("${visible}", visible);
        return sql.complete(page);
    }

    /** Of a table that several queues share, the rows of this one and what failed of it. */
    private String everything() {
        return layout.rowClaims().isPresent() ? "(" + columns.pending() + " OR " + failed() + ")" : "1 = 1";
    }

    private String failed() {
        if (layout.failed().isEmpty()) {
            return "1 = 0";
        }
        return layout.reading() == Layout.Reading.MESSENGER
                ? "(" + columns.failed() + columns.unacknowledged() + " AND NOT " + columns.failedInPhp() + ")"
                : "(" + columns.failed() + ")";
    }

    private String delayed() {
        return columns.has(ColumnMeaning.AVAILABLE_AT)
                ? columns.column(ColumnMeaning.AVAILABLE_AT) + " > "
                        + columns.now(columns.of(ColumnMeaning.AVAILABLE_AT), 0)
                : "1 = 0";
    }

    private String age(ColumnMeaning meaning) {
        return columns.has(meaning) && columns.of(meaning).isTime()
                ? columns.age(columns.of(meaning), columns.column(meaning))
                : columns.noAge();
    }

    private String doneAge() {
        return layout.done().entrySet().stream()
                .filter(mark -> mark.getValue().equals(Layout.NOW))
                .map(mark -> columns.named(mark.getKey()))
                .findFirst()
                .map(column -> columns.age(column, "t." + columns.quoted(column)))
                .orElseGet(columns::noAge);
    }

    /** Takes the mark of failure away from rows that have it, and lets those be due now that wait. */
    List<String> restore(List<String> wanted) {
        Map<String, String> marks = new TreeMap<>(layout.pending());
        marks.keySet().retainAll(layout.failed().keySet());
        List<String> fresh = new ArrayList<>();
        if (columns.has(ColumnMeaning.ATTEMPTS)) {
            fresh.add(columns.quoted(columns.of(ColumnMeaning.ATTEMPTS)) + " = 0");
        }
        if (columns.has(ColumnMeaning.AVAILABLE_AT)) {
            // A column of whole seconds rounds up what is now.
            fresh.add(columns.setTime(ColumnMeaning.AVAILABLE_AT, -1_000));
        }
        List<String> statements = new ArrayList<>();
        if (!marks.isEmpty()) {
            List<String> sets = new ArrayList<>(fresh);
            sets.add(columns.sets(marks));
            layout.rowClaims().ifPresent(claim -> sets.add(columns.setNull(columns.claimColumn())));
            statements.add(changing(sets, wanted, failed()));
        }
        if (!fresh.isEmpty()) {
            statements.add(changing(fresh, wanted, columns.pending()));
        }
        return statements;
    }

    private String changing(List<String> sets, List<String> wanted, String condition) {
        return sql.complete(RESTORE.replace("${sets}", String.join(", ", sets))
                .replace("${condition}", condition)
                .replace("${among}", ids().among(columns.column(ColumnMeaning.ID), wanted)));
    }

    String remove(List<String> wanted) {
        return sql.removeOf(wanted);
    }
}

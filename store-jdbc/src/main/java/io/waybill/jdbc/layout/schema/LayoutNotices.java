package io.waybill.jdbc.layout.schema;

import static java.util.stream.Collectors.joining;

import io.waybill.jdbc.layout.table.ColumnMeaning;
import io.waybill.jdbc.layout.table.Layout;
import io.waybill.jdbc.layout.table.LayoutSql;
import io.waybill.jdbc.sql.Jdbc;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Looks at the rows of an adopted table for signs that it is read in another way than it is written. */
public record LayoutNotices(Layout layout, LayoutSql sql) {

    /** The offsets of all time zones are multiples of this. */
    private static final long QUARTER = Duration.ofMinutes(15).toSeconds();

    /** So old the last row may be, and is taken to be new. */
    private static final long LATELY = Duration.ofMinutes(2).toSeconds();

    /** No zone is farther from UTC. */
    private static final long FARTHEST = Duration.ofHours(14).toSeconds();

    public List<Notice> look(Connection connection) throws SQLException {
        List<Notice> notices = new ArrayList<>();
        if (sql.columns().tellsAges()) {
            Jdbc.query(connection, sql.newestAge(), none -> {}, row -> row.getLong(1)).stream()
                    .filter(LayoutNotices::isOfAnotherZone)
                    .map(this::ofAnotherZone)
                    .forEach(notices::add);
        }
        if (layout.rowClaims().isPresent()) {
            otherQueues(connection, notices);
        }
        return notices;
    }

    /** Rows of the future are; those of the past may be, when they are a multiple of a quarter of an hour and a little more old. */
    static boolean isOfAnotherZone(long age) {
        return age < -LATELY || (age >= QUARTER && age <= FARTHEST && age % QUARTER <= LATELY);
    }

    private Notice ofAnotherZone(long age) {
        Duration off = Duration.ofSeconds(Math.abs(age));
        String zone = layout.zone()
                .filter(one -> !one.equals(ZoneOffset.UTC))
                .map(ZoneId::getId)
                .orElse("UTC");
        return new Notice(
                "WB-150",
                "The newest row of " + layout.table() + " is "
                        + (off.toHours() > 0 ? off.toHours() + " h " : "") + off.toMinutesPart() + " min "
                        + (age < 0 ? "in the future" : "old") + " by the database's clock, if "
                        + layout.column(ColumnMeaning.CREATED_AT) + " is a time of " + zone + ".",
                (age < 0 ? "Set" : "If newer rows were written, set")
                        + " the time zone of the application: --time-zone Europe/Warsaw, or time-zone of the source.");
    }

    private void otherQueues(Connection connection, List<Notice> notices) throws SQLException {
        for (String mark : layout.pending().keySet()) {
            Map<String, Long> queues = new LinkedHashMap<>();
            Jdbc.query(connection, sql.queues(mark), none -> {}, row -> queues.put(row.getString(1), row.getLong(2)));
            queues.keySet().removeAll(layout.failed().values());
            if (!queues.isEmpty() && !queues.containsKey(layout.destination())) {
                notices.add(new Notice(
                        "WB-152",
                        "The table " + layout.table() + " has no rows for the queue " + layout.destination()
                                + ", but for "
                                + queues.entrySet().stream()
                                        .map(queue -> queue.getKey() + " (" + queue.getValue() + ")")
                                        .collect(joining(", "))
                                + ".",
                        "If you mean one of them, name it: --layout '" + scheme() + "://default?table_name="
                                + layout.table() + "&queue_name="
                                + queues.keySet().iterator().next() + "'."));
            }
        }
    }

    private String scheme() {
        return layout.columns().containsKey(ColumnMeaning.PARTITION_KEY) ? "ordered-doctrine" : "doctrine";
    }
}

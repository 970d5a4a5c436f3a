package io.waybill.jdbc.internal.waiting;

import io.waybill.jdbc.internal.waiting.JdbcWaitingSource.Found;
import io.waybill.jdbc.internal.waiting.JdbcWaitingSource.Judge;
import io.waybill.observe.WaitingItem;
import io.waybill.observe.WaitingItem.Kind;
import io.waybill.process.state.StepKind;
import io.waybill.process.state.StepStatus;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What waits of commands and processes: replies, steps, child processes, timers. */
final class WaitingProcesses {

    private static final String TIMED = """
            SELECT type, count(*), min(created_at), min(timeout_at), min(business_key)
              FROM (SELECT type, created_at, timeout_at, business_key FROM ${prefix}command
                     WHERE timeout_at IS NOT NULL AND timeout_at < (SELECT ${now_plus_millis})
                     ORDER BY timeout_at LIMIT 1000) next GROUP BY type
            """;

    /** No index tells which commands are open: the latest are looked through. */
    private static final String UNTIMED = """
            SELECT type, count(*), min(created_at), max(created_at), min(business_key)
              FROM (SELECT type, created_at, timeout_at, business_key, status FROM ${prefix}command
                     WHERE created_at > (SELECT ${now_plus_millis}) ORDER BY created_at DESC LIMIT 5000) latest
             WHERE timeout_at IS NULL AND status IN ('PENDING', 'PROCESSING') GROUP BY type
            """;

    private static final String SOME = """
            SELECT * FROM (SELECT process_id, process_type, business_key FROM ${prefix}process_instance
                            WHERE status = '${status}' ORDER BY created_at LIMIT 500) ${status}_""";

    private static final String STEPS = """
            SELECT i.process_type, count(*), min(s.since), min(s.due_at), min(i.business_key), s.step_name, s.kind, s.status
              FROM (${some}) i JOIN ${prefix}process_step s ON s.process_id = i.process_id
             WHERE s.kind IN ('COMMAND', 'DELAY', 'SIGNAL', 'CHILD')
               AND s.status IN ('RUNNING', 'WAITING', 'REFUSING', 'COMPENSATING', 'COMPENSATION_WAITING', 'COMPENSATION_BLOCKED')
             GROUP BY i.process_type, s.step_name, s.kind, s.status
            """.replace(
                    "${some}",
                    String.join(
                            " UNION ALL ",
                            List.of("NEW", "RUNNING", "COMPENSATING", "PAUSED", "FAILED").stream()
                                    .map(status -> SOME.replace("${status}", status))
                                    .toList()));
    private static final String DUE = """
            SELECT process_type, count(*), min(due_at), max(due_at), min(business_key)
              FROM (SELECT process_type, due_at, business_key FROM ${prefix}process_instance
                     WHERE due_at IS NOT NULL AND due_at < (SELECT ${now_plus_millis}) ORDER BY due_at LIMIT 1000) late
             GROUP BY process_type
            """;

    private static final long RECENT_MILLIS = Duration.ofDays(7).toMillis();

    private final JdbcWaitingSource rows;
    private final Judge judge;

    WaitingProcesses(JdbcWaitingSource rows, Judge judge) {
        this.rows = rows;
        this.judge = judge;
    }

    List<WaitingItem> in(Connection connection) throws SQLException {
        var all = new ArrayList<WaitingItem>();
        rows.found(connection, TIMED, List.of(WaitingMessages.SOON_MILLIS))
                .forEach(found -> all.add(reply(found, found.name(), " or it times out at " + found.until())));
        rows.found(connection, UNTIMED, List.of(-RECENT_MILLIS))
                .forEach(found -> all.add(reply(found, found.name() + " (without a timeout)", "")));
        all.addAll(rows.query(connection, STEPS, List.of(), this::step));
        long late = judge.offset().minus(judge.patience()).toMillis();
        rows.found(connection, DUE, List.of(late)).forEach(found -> all.add(overdue(found)));
        return all;
    }

    private WaitingItem reply(Found found, String name, String orElse) {
        return WaitingItem.of(
                Kind.REPLY,
                name,
                found.count(),
                found.since(),
                judge.isVeryLate(found.since()) || (!orElse.isEmpty() && judge.isOverdue(found.until())),
                found.count() + " commands have no reply, such as that of " + found.note(),
                "its handler replies" + orElse + ": waybill command list --status pending,processing");
    }

    private WaitingItem overdue(Found found) {
        return WaitingItem.of(
                Kind.TIMER,
                found.name(),
                found.count(),
                found.since(),
                true,
                found.count() + " processes have something to do that is due, such as " + found.note(),
                "an instance that has their definition runs on this database");
    }

    private WaitingItem step(ResultSet row) throws SQLException {
        StepKind kind = StepKind.valueOf(row.getString(7));
        StepStatus status = StepStatus.valueOf(row.getString(8));
        Instant since = rows.instant(row, 3);
        @Nullable Instant due = rows.moment(row, 4);
        long count = row.getLong(2);
        boolean late = (kind == StepKind.COMMAND || kind == StepKind.CHILD) && judge.isVeryLate(since);
        return WaitingItem.of(
                kind == StepKind.CHILD ? Kind.CHILD : kind == StepKind.DELAY ? Kind.TIMER : Kind.STEP,
                row.getString(1) + "." + row.getString(6)
                        + (status == StepStatus.RUNNING
                                ? ""
                                : " (" + status.name().toLowerCase(Locale.ROOT).replace('_', ' ') + ")"),
                count,
                since,
                status == StepStatus.COMPENSATION_BLOCKED || late || judge.isOverdue(due),
                count + (count == 1 ? " process, " : " processes, such as ") + row.getString(5) + ": "
                        + why(kind, status) + (due == null ? "" : ", until " + due),
                endedBy(kind, status) + ": waybill process list --type " + row.getString(1) + ", then explain");
    }

    private static String why(StepKind kind, StepStatus status) {
        return switch (status) {
            case RUNNING ->
                switch (kind) {
                    case DELAY -> "it lets time pass";
                    case SIGNAL -> "it waits for a signal";
                    case CHILD -> "it waits for its own process";
                    default -> "it waits for the reply to its command";
                };
            case WAITING -> "it failed and waits for its next attempt";
            case REFUSING -> "it is in doubt, and its worker was asked";
            case COMPENSATING -> "its compensation is on the way";
            case COMPENSATION_WAITING -> "its compensation failed and waits for its next attempt";
            default -> "its compensation failed for the last time";
        };
    }

    private static String endedBy(StepKind kind, StepStatus status) {
        if (status == StepStatus.COMPENSATION_BLOCKED) {
            return "an operator retries, skips or resolves it";
        }
        if (status == StepStatus.WAITING || status == StepStatus.COMPENSATION_WAITING || kind == StepKind.DELAY) {
            return "its time has come";
        }
        return kind == StepKind.SIGNAL
                ? "the signal comes"
                : kind == StepKind.CHILD ? "that process ends" : "the reply comes";
    }
}

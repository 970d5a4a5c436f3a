package io.waybill.jdbc.internal.process;

import io.waybill.jdbc.internal.sql.Values;
import io.waybill.jdbc.sql.Dialect;
import io.waybill.jdbc.sql.Jdbc;
import io.waybill.jdbc.sql.Placeholders;
import io.waybill.process.store.StuckProcess;
import io.waybill.process.store.StuckProcess.Missing;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

/**
 * Finds steps that wait for something that does not exist. Everything that is asked about a step is found by a key, so that the cost grows with
 * the processes that are not finished, and not with those that were. Subqueries are counted or scalar: of others a database makes a join that
 * reads whole tables.
 */
final class StuckReads {

    /** What processes were told and have not heard yet; each part as an index has it. */
    private static final String TOLD = """
            SELECT o.partition_key FROM ${prefix}outbox o
             WHERE o.status = 'PENDING' AND o.available_at IS NULL
               AND o.destination >= 'waybill.process' AND o.destination < 'waybill.process/'
            UNION ALL
            SELECT o.partition_key FROM ${prefix}outbox o
             WHERE o.status = 'PENDING' AND o.available_at IS NOT NULL
               AND o.destination >= 'waybill.process' AND o.destination < 'waybill.process/'
            UNION ALL
            SELECT o.partition_key FROM ${prefix}outbox o
             WHERE o.status IN ('HELD', 'FAILED')
               AND o.destination >= 'waybill.process' AND o.destination < 'waybill.process/'
            """;

    private static final String STUCK = """
            SELECT w.process_id, w.process_type, w.business_key, w.step_name, w.missing, w.since
              FROM (SELECT i.process_id, i.process_type, i.business_key, i.current_step AS step_name, i.created_at,
                           i.updated_at AS since, i.process_id AS child_id, 'STEP' AS missing
                      FROM ${prefix}process_instance i
                     WHERE i.status IN ('NEW', 'RUNNING', 'COMPENSATING')
                       AND 0 = (SELECT count(*) FROM ${prefix}process_step s
                                 WHERE s.process_id = i.process_id AND s.kind IN ('COMMAND', 'DELAY', 'SIGNAL', 'CHILD')
                                   AND s.status IN ('RUNNING', 'WAITING', 'REFUSING', 'COMPENSATING', 'COMPENSATION_WAITING'))
                    UNION ALL
                    SELECT i.process_id, i.process_type, i.business_key, s.step_name, i.created_at, s.since,
                           CASE WHEN s.kind = 'CHILD' THEN s.command_id ELSE i.process_id END,
                           CASE WHEN s.kind = 'DELAY' OR s.status IN ('WAITING', 'COMPENSATION_WAITING') THEN 'TIME'
                                WHEN s.kind = 'CHILD' THEN
                                     CASE WHEN 0 < (SELECT count(*) FROM ${prefix}process_instance k
                                                     WHERE k.process_id = s.command_id
                                                       AND (k.status NOT IN ('SUCCEEDED', 'COMPENSATED', 'CANCELLED', 'FAILED')
                                                            OR 0 < (SELECT count(*) FROM ${prefix}process_step b
                                                                     WHERE b.process_id = k.process_id
                                                                       AND b.status = 'COMPENSATION_BLOCKED')))
                                          THEN '' ELSE 'CHILD' END
                                WHEN 0 = (SELECT count(*) FROM ${prefix}command c
                                           WHERE c.command_id = ${command} AND c.status IN ('PENDING', 'PROCESSING'))
                                     THEN 'COMMAND'
                                WHEN 0 < (SELECT count(*) FROM ${prefix}outbox m
                                           WHERE m.outbox_id = ${message} AND m.status = 'DISCARDED')
                                     THEN 'MESSAGE'
                                WHEN s.attempt < 1000
                                     AND 0 < (SELECT count(*) FROM ${prefix}command c
                                               WHERE c.command_id = ${command} AND ${handled})
                                     AND 0 = (SELECT count(*) FROM ${prefix}outbox m WHERE m.outbox_id = ${message})
                                     AND 0 = (SELECT count(*) FROM ${prefix}outbox_scheduled m WHERE m.outbox_id = ${message})
                                     THEN 'MESSAGE'
                                ELSE '' END
                      FROM ${prefix}process_instance i JOIN ${prefix}process_step s ON s.process_id = i.process_id
                     WHERE i.status IN ('NEW', 'RUNNING', 'COMPENSATING')
                       AND s.kind IN ('COMMAND', 'DELAY', 'CHILD') AND s.due_at IS NULL
                       AND s.status IN ('RUNNING', 'WAITING', 'REFUSING', 'COMPENSATING', 'COMPENSATION_WAITING')) w
             WHERE w.missing <> ''
               AND ${process_text} NOT IN (${told})
               AND ${child_text} NOT IN (${told})
             ORDER BY w.created_at, w.process_id
             LIMIT ?
            """;

    /** A compensation, and the refusal of a step in doubt, have a command of their own. */
    private static final String COMMAND =
            "CASE WHEN s.status = 'RUNNING' THEN s.command_id ELSE s.compensation_command_id END";

    private final Jdbc jdbc;
    private final Dialect dialect;
    private final String prefix;

    StuckReads(Jdbc jdbc, Dialect dialect, String prefix) {
        this.jdbc = jdbc;
        this.dialect = dialect;
        this.prefix = prefix;
    }

    /** H2 reads the tables of subqueries later than the others: what a commit has changed in between would look stuck, but not twice. */
    List<StuckProcess> find(Collection<String> handledHere, int limit) {
        List<StuckProcess> found = read(handledHere, limit);
        if (found.isEmpty()) {
            return found;
        }
        List<StuckProcess> again = read(handledHere, limit);
        return found.stream().filter(again::contains).toList();
    }

    private List<StuckProcess> read(Collection<String> handledHere, int limit) {
        var values = new Values();
        handledHere.forEach(values::and);
        values.and(limit);
        String handled = handledHere.isEmpty() ? "1 = 0" : "c.type IN (" + Placeholders.of(handledHere) + ")";
        String sql = dialect.sql(
                STUCK.replace("${told}", TOLD)
                        .replace("${message}", message())
                        .replace("${command}", COMMAND)
                        .replace("${handled}", handled)
                        .replace("${process_text}", text("w.process_id"))
                        .replace("${child_text}", text("w.child_id")),
                prefix);
        return jdbc.autoCommit(
                "look for processes that wait for nothing",
                connection -> Jdbc.query(
                        connection,
                        sql,
                        statement -> values.bind(dialect, statement, 1),
                        row -> new StuckProcess(
                                row.getObject(1, UUID.class),
                                row.getString(2),
                                row.getString(3),
                                row.getString(4),
                                Missing.valueOf(row.getString(5)),
                                dialect.instant(row, 6))));
    }

    /** The id of the message for an attempt of a command: see {@code CommandMessage.id}. */
    private String message() {
        String command = text("(${command})");
        String id = "CONCAT(SUBSTRING(" + command + ", 1, 15), LPAD(" + text("s.attempt") + ", 3, '0'), SUBSTRING("
                + command + ", 19))";
        return dialect.isMySql() ? "CONVERT(" + id + " USING ascii) COLLATE ascii_bin" : "CAST(" + id + " AS UUID)";
    }

    private String text(String value) {
        return "CAST(" + value + (dialect.isMySql() ? " AS CHAR(36))" : " AS VARCHAR(36))");
    }
}

package io.waybill.jdbc.internal.process;

import io.waybill.Time;
import io.waybill.jdbc.internal.sql.Values;
import io.waybill.jdbc.sql.Dialect;
import io.waybill.jdbc.sql.Jdbc;
import io.waybill.jdbc.sql.Placeholders;
import io.waybill.process.state.LoggedEvent;
import io.waybill.process.state.ProcessHeader;
import io.waybill.process.state.ProcessInstance;
import io.waybill.process.state.ProcessState;
import io.waybill.process.state.ProcessStatus;
import io.waybill.process.state.StepExecution;
import io.waybill.process.state.StepKind;
import io.waybill.process.store.ProcessQuery;
import io.waybill.process.store.ProcessStore.InFlight;
import io.waybill.process.store.ProcessStore.Version;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** What is looked at, and what is removed, outside of anybody's transaction. */
final class ProcessReads {

    private static final String DUE = """
            SELECT process_id FROM ${prefix}process_instance
             WHERE due_at <= (SELECT ${now_plus_millis}) AND (${versions}) ORDER BY due_at LIMIT ?
            """;

    private static final String VERSION = "process_type = ? AND definition_version = ?";

    private static final String ONE =
            "SELECT " + ProcessRows.HEADER + "  FROM ${prefix}process_instance i WHERE i.process_id = ?";

    private static final String ONE_WITH_STEPS = "SELECT " + ProcessRows.HEADER + ", " + ProcessRows.STEP
            + "  FROM ${prefix}process_instance i LEFT JOIN ${prefix}process_step s ON s.process_id = i.process_id"
            + " WHERE i.process_id = ? ORDER BY s.number";

    private static final int FIRST_OF_STEP = ProcessRows.HEADER_COLUMNS + 1;

    /** Below 1 are the events of a log that was taken over. */
    private static final String HISTORY = """
            SELECT event_no, created_at, event_type, event_data
              FROM ${prefix}process_log WHERE process_id = ? AND event_no > 0 ORDER BY event_no
            """;

    private static final String SEARCH = "SELECT " + ProcessRows.HEADER
            + "  FROM ${prefix}process_instance i WHERE ${conditions} ORDER BY i.updated_at LIMIT ?";

    private static final String IN_FLIGHT = """
            SELECT i.process_type, i.definition_version, s.step_name, s.kind, COUNT(DISTINCT i.process_id)
              FROM ${prefix}process_instance i JOIN ${prefix}process_step s ON s.process_id = i.process_id
             WHERE i.status IN ('NEW', 'RUNNING', 'COMPENSATING', 'PAUSED', 'FAILED')
               AND (i.status <> 'FAILED'
                    OR 0 < (SELECT count(*) FROM ${prefix}process_step b
                             WHERE b.process_id = i.process_id AND b.status = 'COMPENSATION_BLOCKED'))
             GROUP BY i.process_type, i.definition_version, s.step_name, s.kind
             ORDER BY i.process_type, i.definition_version, s.step_name
            """;

    /** A sub-process may be compensated as long as its parent is there. */
    private static final String FINISHED = """
              FROM ${prefix}process_instance i
             WHERE i.status IN ('SUCCEEDED', 'COMPENSATED', 'CANCELLED', 'FAILED')
               AND i.created_at < (SELECT ${now_plus_millis}) AND i.updated_at < (SELECT ${now_plus_millis})
               AND 0 = (SELECT count(*) FROM ${prefix}process_step s
                         WHERE s.process_id = i.process_id AND s.status = 'COMPENSATION_BLOCKED')
               AND 0 = (SELECT count(*) FROM ${prefix}process_instance p WHERE p.process_id = i.parent_process_id)
            """;

    private static final String COUNT_FINISHED = "SELECT count(*)" + FINISHED;
    private static final String SOME_FINISHED = "SELECT i.process_id" + FINISHED + " LIMIT ?";

    private static final List<String> REMOVE = List.of(
            "DELETE FROM ${prefix}process_log WHERE process_id IN (${ids})",
            "DELETE FROM ${prefix}process_step WHERE process_id IN (${ids})",
            "DELETE FROM ${prefix}process_instance WHERE process_id IN (${ids})");

    private final Jdbc jdbc;
    private final Dialect dialect;
    private final String prefix;
    private final ProcessRows rows;
    private final ProcessEvents events;
    private final Time time;

    ProcessReads(Jdbc jdbc, Dialect dialect, String prefix, ProcessRows rows, ProcessEvents events, Time time) {
        this.jdbc = jdbc;
        this.dialect = dialect;
        this.prefix = prefix;
        this.rows = rows;
        this.events = events;
        this.time = time;
    }

    List<UUID> due(Collection<Version> definitions, int limit) {
        if (definitions.isEmpty()) {
            return List.of();
        }
        var values = new Values().and(time.offset().toMillis());
        definitions.forEach(definition -> values.and(definition.processType()).and(definition.version()));
        String versions = String.join(" OR ", Collections.nCopies(definitions.size(), VERSION));
        return ids("look for due processes", DUE.replace("${versions}", versions), values.and(limit));
    }

    Optional<ProcessHeader> find(UUID processId) {
        return jdbc.autoCommit(
                "read process " + processId,
                connection -> Jdbc.query(
                                connection,
                                sql(ONE),
                                statement -> statement.setObject(1, processId),
                                row -> rows.header(row, 1))
                        .stream()
                        .findFirst());
    }

    /** In one statement, so that the steps are those of the process as it was read. */
    Optional<ProcessState> read(UUID processId) {
        return jdbc.autoCommit("read process " + processId, connection -> read(connection, processId));
    }

    Optional<ProcessState> read(Connection connection, UUID processId) throws SQLException {
        var found = new ArrayList<ProcessHeader>(1);
        var steps = new ArrayList<StepExecution>();
        Jdbc.query(connection, sql(ONE_WITH_STEPS), statement -> statement.setObject(1, processId), row -> {
            if (found.isEmpty()) {
                found.add(rows.header(row, 1));
            }
            return row.getObject(FIRST_OF_STEP) == null || steps.add(rows.step(row, FIRST_OF_STEP));
        });
        return found.stream().findFirst().map(header -> ProcessState.restored(header, steps));
    }

    List<LoggedEvent> history(UUID processId) {
        return jdbc.autoCommit(
                "read the log of process " + processId,
                connection -> Jdbc.query(
                        connection,
                        sql(HISTORY),
                        statement -> statement.setObject(1, processId),
                        row -> new LoggedEvent(
                                row.getInt(1),
                                dialect.instant(row, 2),
                                events.read(row.getString(3), row.getString(4)))));
    }

    List<ProcessInstance> search(ProcessQuery query) {
        var conditions = new ArrayList<String>(List.of("1 = 1"));
        var values = new Values();
        query.processType().ifPresent(type -> add(conditions, values, "i.process_type = ?", type));
        query.businessKey().ifPresent(key -> add(conditions, values, "i.business_key = ?", key));
        query.ids().ifPresent(range -> {
            conditions.add("i.process_id BETWEEN ? AND ?");
            values.and(range.first()).and(range.last());
        });
        if (!query.statuses().isEmpty()) {
            conditions.add("i.status IN (" + Placeholders.of(query.statuses()) + ")");
            query.statuses().stream().map(ProcessStatus::name).sorted().forEach(values::and);
        }
        query.step().ifPresent(step -> add(conditions, values, """
                EXISTS (SELECT 1 FROM ${prefix}process_step s
                         WHERE s.process_id = i.process_id AND s.step_name = ?
                           AND s.status IN ('RUNNING', 'WAITING', 'REFUSING', 'COMPENSATING', 'COMPENSATION_WAITING', 'COMPENSATION_BLOCKED'))""", step));
        query.untouchedSince().ifPresent(moment -> add(conditions, values, "i.updated_at < ?", moment));
        values.and(query.limit());
        String sql = sql(SEARCH.replace("${conditions}", String.join(" AND ", conditions)));
        return jdbc.autoCommit(
                "search processes",
                connection -> Jdbc.query(
                        connection, sql, statement -> values.bind(dialect, statement, 1), row -> rows.instance(row)));
    }

    List<InFlight> inFlight() {
        return jdbc.autoCommit(
                "look for processes in flight",
                connection -> Jdbc.query(
                        connection,
                        sql(IN_FLIGHT),
                        statement -> {},
                        row -> new InFlight(
                                row.getString(1),
                                row.getInt(2),
                                row.getString(3),
                                StepKind.valueOf(row.getString(4)),
                                row.getLong(5))));
    }

    long countFinished(Duration ago) {
        long millis = millisFromNow(ago);
        return jdbc.autoCommit(
                "count finished processes",
                connection -> Jdbc.query(
                                connection,
                                sql(COUNT_FINISHED),
                                statement ->
                                        new Values().and(millis).and(millis).bind(dialect, statement, 1),
                                row -> row.getLong(1))
                        .get(0));
    }

    int removeFinished(Duration ago, int limit) {
        long millis = millisFromNow(ago);
        return jdbc.transaction("remove finished processes", connection -> {
            List<UUID> ids = Jdbc.query(
                    connection,
                    sql(SOME_FINISHED),
                    statement -> new Values().and(millis).and(millis).and(limit).bind(dialect, statement, 1),
                    row -> row.getObject(1, UUID.class));
            for (String remove : REMOVE) {
                Placeholders.update(connection, sql(remove), ids);
            }
            return ids.size();
        });
    }

    private long millisFromNow(Duration ago) {
        return time.offset().minus(ago).toMillis();
    }

    private List<UUID> ids(String what, String template, Values values) {
        return jdbc.autoCommit(
                what,
                connection -> Jdbc.query(
                        connection,
                        sql(template),
                        statement -> values.bind(dialect, statement, 1),
                        row -> row.getObject(1, UUID.class)));
    }

    private static void add(List<String> conditions, Values values, String condition, Object value) {
        conditions.add(condition);
        values.and(value);
    }

    private String sql(String template) {
        return dialect.sql(template, prefix);
    }
}

package io.waybill.jdbc;

import io.waybill.message.UuidV7;
import io.waybill.process.Decision;
import io.waybill.process.LoggedEvent;
import io.waybill.process.ProcessHeader;
import io.waybill.process.StepExecution;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One statement for everything: a step costs one round trip, however many rows it writes.
 *
 * <p>Arrays are selected: their length is hidden so from the planner, which would otherwise find a plan for these very arrays cheaper than
 * the one it has, and make one at every execution; that takes longer than the statement.
 */
final class PostgresProcessWrites implements ProcessWrites {

    private static final String INSERT = """
            WITH written AS (
                INSERT INTO ${prefix}process_instance (
                    process_id, process_type, business_key, created_at, definition_version, start_data, status,
                    current_step, data, retries, updated_at, event_count, due_at, deadline, paused_from, reason,
                    parent_process_id, parent_command_id, parent_undo_command_id)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT DO NOTHING
                RETURNING process_id),
            """;

    private static final String UPDATE = """
            WITH written AS (
                UPDATE ${prefix}process_instance
                   SET status = ?, current_step = ?, data = ?, retries = ?, updated_at = ?, event_count = ?, due_at = ?,
                       deadline = ?, paused_from = ?, reason = ?, parent_process_id = ?, parent_command_id = ?,
                       parent_undo_command_id = ?
                 WHERE process_id = ? AND event_count = ?
                RETURNING process_id),
            changed AS (
                UPDATE ${prefix}process_step s
                   SET status = c.status, attempt = c.attempt, undo_command_id = c.undo_command_id, due_at = c.due_at,
                       in_doubt = c.in_doubt, reply = c.reply, error = c.error, since = c.since
                  FROM written w,
                       unnest((SELECT ?::int[]), (SELECT ?::text[]), (SELECT ?::int[]), (SELECT ?::uuid[]),
                              (SELECT ?::timestamptz[]), (SELECT ?::boolean[]), (SELECT ?::text[]), (SELECT ?::text[]),
                              (SELECT ?::timestamptz[]))
                         AS c (number, status, attempt, undo_command_id, due_at, in_doubt, reply, error, since)
                 WHERE s.process_id = w.process_id AND s.number = c.number),
            """;

    private static final String REST = """
            added AS (
                INSERT INTO ${prefix}process_step (
                    process_id, number, parent, kind, step_name, position, command_id, input, status, attempt,
                    undo_command_id, due_at, in_doubt, reply, error, since)
                SELECT w.process_id, a.*
                  FROM written w,
                       unnest((SELECT ?::int[]), (SELECT ?::int[]), (SELECT ?::text[]), (SELECT ?::text[]),
                              (SELECT ?::int[]), (SELECT ?::uuid[]), (SELECT ?::text[]), (SELECT ?::text[]),
                              (SELECT ?::int[]), (SELECT ?::uuid[]), (SELECT ?::timestamptz[]), (SELECT ?::boolean[]),
                              (SELECT ?::text[]), (SELECT ?::text[]), (SELECT ?::timestamptz[])) AS a),
            logged AS (
                INSERT INTO ${prefix}process_log (
                    process_id, log_id, event_no, event_type, step_name, event_data, created_at)
                SELECT w.process_id, l.*
                  FROM written w,
                       unnest((SELECT ?::uuid[]), (SELECT ?::int[]), (SELECT ?::text[]), (SELECT ?::text[]),
                              (SELECT ?::text[]), (SELECT ?::timestamptz[])) AS l)
            SELECT process_id FROM written
            """;

    private final String insert;
    private final String update;
    private final ProcessRows rows;
    private final ProcessEvents events;

    PostgresProcessWrites(String prefix, ProcessRows rows, ProcessEvents events) {
        this.insert = Dialect.POSTGRESQL.sql(INSERT + REST, prefix);
        this.update = Dialect.POSTGRESQL.sql(UPDATE + REST, prefix);
        this.rows = rows;
        this.events = events;
    }

    @Override
    public boolean insert(Connection connection, Decision decision) throws SQLException {
        ProcessHeader header = decision.after().header();
        return isWritten(connection, insert, statement -> {
            int next = rows.bindStart(statement, 1, header);
            next = rows.bindChanges(
                    statement, next, header, header.nextDue(decision.after().executions()));
            bindRest(new Arrays(connection, statement, next), decision);
        });
    }

    @Override
    public boolean save(Connection connection, Decision decision) throws SQLException {
        ProcessHeader header = decision.after().header();
        return isWritten(connection, update, statement -> {
            int next = rows.bindChanges(
                    statement, 1, header, header.nextDue(decision.after().executions()));
            statement.setObject(next++, header.processId());
            statement.setInt(next++, decision.before().orElseThrow().header().events());
            var arrays = new Arrays(connection, statement, next);
            List<StepExecution> changed = ProcessWrites.changed(decision);
            arrays.add("int4", changed, StepExecution::number);
            bindState(arrays, changed);
            bindRest(arrays, decision);
        });
    }

    private static boolean isWritten(Connection connection, String sql, Jdbc.Binder binder) throws SQLException {
        return !Jdbc.query(connection, sql, binder, row -> row.getObject(1, UUID.class))
                .isEmpty();
    }

    private void bindRest(Arrays arrays, Decision decision) throws SQLException {
        List<StepExecution> added = ProcessWrites.added(decision);
        arrays.add("int4", added, StepExecution::number);
        arrays.add("int4", added, StepExecution::parent);
        arrays.add("text", added, step -> step.kind().name());
        arrays.add("text", added, StepExecution::step);
        arrays.add("int4", added, StepExecution::position);
        arrays.add("uuid", added, StepExecution::commandId);
        arrays.add("text", added, step -> rows.json(step.input()));
        bindState(arrays, added);
        List<LoggedEvent> log = decision.events();
        arrays.add("uuid", log, entry -> UuidV7.SYSTEM.get());
        arrays.add("int4", log, LoggedEvent::number);
        arrays.add("text", log, entry -> ProcessEvents.type(entry.event()));
        arrays.add("text", log, entry -> entry.event().step());
        arrays.add("text", log, entry -> events.json(entry.event()));
        arrays.add("text", log, entry -> entry.at().toString());
    }

    private void bindState(Arrays arrays, List<StepExecution> steps) throws SQLException {
        arrays.add("text", steps, step -> step.status().name());
        arrays.add("int4", steps, StepExecution::attempt);
        arrays.add("uuid", steps, StepExecution::undoCommandId);
        arrays.add("text", steps, step -> moment(step.dueAt()));
        arrays.add("bool", steps, StepExecution::inDoubt);
        arrays.add("text", steps, step -> rows.json(step.reply()));
        arrays.add("text", steps, StepExecution::error);
        arrays.add("text", steps, step -> moment(step.since()));
    }

    private static @Nullable String moment(@Nullable Instant at) {
        return at == null ? null : at.toString();
    }

    /** Sets one array after the other: a column of all rows each. */
    private static final class Arrays {

        private final Connection connection;
        private final PreparedStatement statement;
        private int next;

        Arrays(Connection connection, PreparedStatement statement, int next) {
            this.connection = connection;
            this.statement = statement;
            this.next = next;
        }

        <T> void add(String type, List<T> rows, Function<T, @Nullable Object> column) throws SQLException {
            statement.setArray(
                    next++,
                    connection.createArrayOf(type, rows.stream().map(column).toArray()));
        }
    }
}

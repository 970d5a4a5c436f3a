package io.waybill.jdbc;

import io.waybill.message.UuidV7;
import io.waybill.process.Decision;
import io.waybill.process.ProcessHeader;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/** A few statements, each for all rows of a table. */
final class PortableProcessWrites implements ProcessWrites {

    private static final String INSERT = """
            INSERT INTO ${prefix}process_instance (
                process_id, process_type, business_key, created_at, definition_version, start_data, status, current_step,
                data, retries, updated_at, event_count, due_at, deadline, paused_from, reason, parent_process_id,
                parent_command_id, parent_undo_command_id)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """;

    private static final String UPDATE = """
            UPDATE ${prefix}process_instance
               SET status = ?, current_step = ?, data = ?, retries = ?, updated_at = ?, event_count = ?, due_at = ?,
                   deadline = ?, paused_from = ?, reason = ?, parent_process_id = ?, parent_command_id = ?,
                   parent_undo_command_id = ?
             WHERE process_id = ? AND event_count = ?
            """;

    private static final String INSERT_STEP = """
            INSERT INTO ${prefix}process_step (
                process_id, number, parent, kind, step_name, position, command_id, input, status, attempt,
                undo_command_id, due_at, in_doubt, reply, error, since)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """;

    private static final String UPDATE_STEP = """
            UPDATE ${prefix}process_step
               SET status = ?, attempt = ?, undo_command_id = ?, due_at = ?, in_doubt = ?, reply = ?, error = ?, since = ?
             WHERE process_id = ? AND number = ?
            """;

    private static final String LOG = """
            INSERT INTO ${prefix}process_log (log_id, process_id, event_no, event_type, step_name, event_data, created_at)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """;

    private final Dialect dialect;
    private final String prefix;
    private final ProcessRows rows;
    private final ProcessEvents events;

    PortableProcessWrites(Dialect dialect, String prefix, ProcessRows rows, ProcessEvents events) {
        this.dialect = dialect;
        this.prefix = prefix;
        this.rows = rows;
        this.events = events;
    }

    @Override
    public boolean insert(Connection connection, Decision decision) throws SQLException {
        ProcessHeader header = decision.after().header();
        try {
            Jdbc.update(connection, sql(INSERT), statement -> {
                int next = rows.bindStart(statement, 1, header);
                rows.bindChanges(
                        statement, next, header, header.nextDue(decision.after().executions()));
            });
        } catch (SQLException e) {
            if (Jdbc.isDuplicate(e)) {
                return false;
            }
            throw e;
        }
        writeRest(connection, decision);
        return true;
    }

    @Override
    public boolean save(Connection connection, Decision decision) throws SQLException {
        ProcessHeader header = decision.after().header();
        int updated = Jdbc.update(connection, sql(UPDATE), statement -> {
            int next = rows.bindChanges(
                    statement, 1, header, header.nextDue(decision.after().executions()));
            statement.setObject(next, header.processId());
            statement.setInt(next + 1, decision.before().orElseThrow().header().events());
        });
        if (updated == 1) {
            writeRest(connection, decision);
        }
        return updated == 1;
    }

    private void writeRest(Connection connection, Decision decision) throws SQLException {
        UUID id = decision.after().processId();
        batch(connection, INSERT_STEP, ProcessWrites.added(decision), (statement, step) -> {
            statement.setObject(1, id);
            rows.bindStep(statement, rows.bindNewStep(statement, 2, step), step);
        });
        batch(connection, UPDATE_STEP, ProcessWrites.changed(decision), (statement, step) -> {
            int next = rows.bindStep(statement, 1, step);
            statement.setObject(next, id);
            statement.setInt(next + 1, step.number());
        });
        batch(connection, LOG, decision.events(), (statement, entry) -> {
            statement.setObject(1, UuidV7.SYSTEM.get());
            statement.setObject(2, id);
            statement.setInt(3, entry.number());
            statement.setString(4, ProcessEvents.type(entry.event()));
            statement.setString(5, entry.event().step());
            statement.setString(6, events.json(entry.event()));
            dialect.bind(statement, 7, entry.at());
        });
    }

    private interface RowBinder<T> {
        void bind(PreparedStatement statement, T row) throws SQLException;
    }

    private <T> void batch(Connection connection, String template, List<T> values, RowBinder<T> binder)
            throws SQLException {
        if (values.isEmpty()) {
            return;
        }
        try (PreparedStatement statement = connection.prepareStatement(sql(template))) {
            for (T value : values) {
                binder.bind(statement, value);
                statement.addBatch();
            }
            statement.executeBatch();
        }
    }

    private String sql(String template) {
        return dialect.sql(template, prefix);
    }
}

package io.waybill.jdbc;

import io.waybill.message.UuidV7;
import io.waybill.process.Decision;
import io.waybill.process.LoggedEvent;
import io.waybill.process.ProcessHeader;
import io.waybill.process.StepExecution;
import io.waybill.store.OutdatedException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.UUID;

/** Writes what was decided about a process: its row, the rows of its steps, and its log. */
final class ProcessWrites {

    private static final String INSERT = """
            INSERT INTO ${prefix}process_instance (
                process_id, process_type, business_key, created_at, definition_version, start_data, status, current_step,
                retries, updated_at, event_count, due_at, data, deadline, paused_from, reason, parent_process_id,
                parent_command_id, parent_undo_command_id)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """;

    private static final String UPDATE = """
            UPDATE ${prefix}process_instance
               SET status = ?, current_step = ?, retries = ?, updated_at = ?, event_count = ?, due_at = ?, data = ?,
                   deadline = ?, paused_from = ?, reason = ?, parent_process_id = ?, parent_command_id = ?,
                   parent_undo_command_id = ?
             WHERE process_id = ? AND event_count = ?
            """;

    /** What changes with every step, and no more. */
    private static final String PROGRESS = """
            UPDATE ${prefix}process_instance
               SET status = ?, current_step = ?, retries = ?, updated_at = ?, event_count = ?, due_at = ?
             WHERE process_id = ? AND event_count = ?
            """;

    private static final String INSERT_STEP = """
            INSERT INTO ${prefix}process_step (
                process_id, number, parent, kind, step_name, position, command_id, input, status, attempt,
                undo_command_id, due_at, in_doubt, reply, error, since)
            VALUES """;
    private static final String STEP_ROW = " (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

    private static final String UPDATE_STEP = """
            UPDATE ${prefix}process_step
               SET status = ?, attempt = ?, undo_command_id = ?, due_at = ?, in_doubt = ?, reply = ?, error = ?, since = ?
             WHERE process_id = ? AND number = ?
            """;

    private static final String LOG = """
            INSERT INTO ${prefix}process_log (log_id, process_id, event_no, event_type, step_name, event_data, created_at)
            VALUES """;
    private static final String LOG_ROW = " (?, ?, ?, ?, ?, ?, ?)";

    private final String insert;
    private final RowStatement update;
    private final RowStatement progress;
    private final RowStatement insertStep;
    private final RowStatement updateStep;
    private final RowStatement log;
    private final Dialect dialect;
    private final ProcessRows rows;
    private final ProcessEvents events;
    private final RoundTrips roundTrips;

    ProcessWrites(Dialect dialect, String prefix, ProcessRows rows, ProcessEvents events, RoundTrips roundTrips) {
        this.insert = dialect.sql(INSERT, prefix);
        this.update = RowStatement.update(dialect.sql(UPDATE, prefix));
        this.progress = RowStatement.update(dialect.sql(PROGRESS, prefix));
        this.insertStep = RowStatement.insert(dialect.sql(INSERT_STEP, prefix), STEP_ROW);
        this.updateStep = RowStatement.update(dialect.sql(UPDATE_STEP, prefix));
        this.log = RowStatement.insert(dialect.sql(LOG, prefix), LOG_ROW);
        this.dialect = dialect;
        this.rows = rows;
        this.events = events;
        this.roundTrips = roundTrips;
    }

    /** False when there is a process of this type about this key: nothing is written then. */
    boolean insert(Connection connection, Decision decision) throws SQLException {
        ProcessHeader header = decision.after().header();
        boolean isNew = Jdbc.insertIfMissing(connection, dialect, insert, statement -> {
            rows.start(header).and(rows.changes(header, decision.after())).bind(dialect, statement, 1);
        });
        if (isNew) {
            roundTrips.together(connection, () -> writeRest(connection, decision));
        }
        return isNew;
    }

    /** @throws OutdatedException when somebody else has written the process since it was read; perhaps not before it is sent */
    void save(Connection connection, Decision decision) throws SQLException {
        roundTrips.together(connection, () -> {
            writeHeader(connection, decision);
            writeRest(connection, decision);
        });
    }

    private void writeHeader(Connection connection, Decision decision) throws SQLException {
        ProcessHeader header = decision.after().header();
        ProcessHeader known = decision.before().orElseThrow().header();
        boolean all = !header.differsOnlyInProgress(known);
        Values changes = all ? rows.changes(header, decision.after()) : rows.progress(header, decision.after());
        roundTrips.writeOne(
                connection,
                all ? update : progress,
                changes.and(header.processId()).and(known.events()),
                () -> outdated(header.processId()));
    }

    private void writeRest(Connection connection, Decision decision) throws SQLException {
        writeSteps(connection, decision);
        writeLog(connection, decision);
    }

    /** New rows come first: in a batch of several decisions a later one may change them. */
    private void writeSteps(Connection connection, Decision decision) throws SQLException {
        UUID id = decision.after().processId();
        int known = decision.before().map(before -> before.executions().size()).orElse(0);
        Collection<StepExecution> steps = decision.after().executions();
        for (StepExecution step : steps) {
            if (step.number() > known) {
                roundTrips.write(connection, insertStep, rows.start(id, step).and(rows.changes(step)));
            }
        }
        for (StepExecution step : steps) {
            if (step.number() <= known
                    && !step.equals(decision.before().orElseThrow().execution(step.number()))) {
                roundTrips.write(
                        connection, updateStep, rows.changes(step).and(id).and(step.number()));
            }
        }
    }

    private void writeLog(Connection connection, Decision decision) throws SQLException {
        UUID id = decision.after().processId();
        for (LoggedEvent entry : decision.events()) {
            roundTrips.write(
                    connection,
                    log,
                    new Values()
                            .and(UuidV7.SYSTEM.get())
                            .and(id)
                            .and(entry.number())
                            .and(ProcessEvents.type(entry.event()))
                            .and(entry.event().step())
                            .and(events.json(entry.event()))
                            .and(entry.at()));
        }
    }

    private static OutdatedException outdated(UUID processId) {
        return new OutdatedException("Process " + processId + " was changed by somebody else since it was read: nothing"
                + " of this decision may be written. Roll the transaction back and decide again.");
    }
}

package io.waybill.jdbc.internal.process;

import io.waybill.jdbc.internal.sql.RoundTrips;
import io.waybill.jdbc.internal.sql.RowStatement;
import io.waybill.jdbc.internal.sql.Values;
import io.waybill.jdbc.sql.Dialect;
import io.waybill.jdbc.sql.Jdbc;
import io.waybill.message.UuidV7;
import io.waybill.process.message.Decision;
import io.waybill.process.state.LoggedEvent;
import io.waybill.process.state.ProcessHeader;
import io.waybill.process.state.StepExecution;
import io.waybill.store.OutdatedException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;

/** Writes what was decided about a process: its row, the rows of its steps, and its log. */
final class ProcessWrites {

    private static final String INSERT = """
            INSERT INTO ${prefix}process_instance (
                process_id, process_type, business_key, created_at, definition_version, start_data, trace, status,
                current_step, retries, updated_at, event_count, due_at, data, deadline, paused_from, reason, parent_process_id,
                parent_command_id, parent_compensation_command_id)
            VALUES """;
    private static final String PROCESS_ROW = " (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
    private static final String IF_MISSING = " ON CONFLICT DO NOTHING RETURNING process_id";

    /** Processes that are started with one statement. */
    private static final int MAX_ROWS = 50;

    private static final String UPDATE = """
            UPDATE ${prefix}process_instance
               SET status = ?, current_step = ?, retries = ?, updated_at = ?, event_count = ?, due_at = ?, data = ?,
                   deadline = ?, paused_from = ?, reason = ?, parent_process_id = ?, parent_command_id = ?,
                   parent_compensation_command_id = ?
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
                compensation_command_id, due_at, in_doubt, reply, error, since)
            VALUES """;
    private static final String STEP_ROW = " (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

    private static final String UPDATE_STEP = """
            UPDATE ${prefix}process_step
               SET status = ?, attempt = ?, compensation_command_id = ?, due_at = ?, in_doubt = ?, reply = ?, error = ?, since = ?
             WHERE process_id = ? AND number = ?
            """;

    private static final String LOG = """
            INSERT INTO ${prefix}process_log (log_id, process_id, event_no, event_type, step_name, event_data, created_at)
            VALUES """;
    private static final String LOG_ROW = " (?, ?, ?, ?, ?, ?, ?)";

    private final RowStatement insert;
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
        this.insert = RowStatement.insert(dialect.sql(INSERT, prefix), PROCESS_ROW);
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

    /** Two round trips on PostgreSQL: which processes are new, then everything that follows from those. Returns which are. */
    Set<UUID> insert(Connection connection, List<Decision> starts, Consumer<Decision> sends) throws SQLException {
        roundTrips.flush();
        var written = new HashSet<UUID>();
        for (int from = 0; from < starts.size(); from += MAX_ROWS) {
            written.addAll(insertHeaders(connection, starts.subList(from, Math.min(starts.size(), from + MAX_ROWS))));
        }
        roundTrips.together(connection, () -> {
            for (Decision start : starts) {
                if (written.contains(start.after().processId())) {
                    writeRest(connection, start);
                    sends.accept(start);
                }
            }
        });
        return written;
    }

    private List<UUID> insertHeaders(Connection connection, List<Decision> starts) throws SQLException {
        if (dialect == Dialect.POSTGRESQL) {
            return Jdbc.query(
                    connection,
                    insert.of(starts.size()) + IF_MISSING,
                    statement -> {
                        int next = 1;
                        for (Decision start : starts) {
                            next = header(start).bind(dialect, statement, next);
                        }
                    },
                    row -> row.getObject(1, UUID.class));
        }
        var written = new ArrayList<UUID>();
        for (Decision start : starts) {
            if (Jdbc.insertIfMissing(
                    connection,
                    dialect,
                    insert.one(),
                    statement -> header(start).bind(dialect, statement, 1))) {
                written.add(start.after().processId());
            }
        }
        return written;
    }

    private Values header(Decision start) {
        ProcessHeader header = start.after().header();
        return rows.start(header).and(rows.changes(header, start.after()));
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
        return new OutdatedException(
                "Process " + processId
                        + " was changed by another transaction since it was read. Roll this transaction back and decide again.");
    }
}

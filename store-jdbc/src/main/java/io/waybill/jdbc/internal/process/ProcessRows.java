package io.waybill.jdbc.internal.process;

import io.waybill.jdbc.internal.sql.Values;
import io.waybill.jdbc.sql.Dialect;
import io.waybill.message.Payload;
import io.waybill.message.PayloadCodec;
import io.waybill.process.state.ProcessHeader;
import io.waybill.process.state.ProcessInstance;
import io.waybill.process.state.ProcessParent;
import io.waybill.process.state.ProcessState;
import io.waybill.process.state.ProcessStatus;
import io.waybill.process.state.StepExecution;
import io.waybill.process.state.StepKind;
import io.waybill.process.state.StepStatus;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Processes and their steps as rows. The order of columns is that of the statements of {@link JdbcProcessStore}. */
final class ProcessRows {

    /** The columns of a process, without those that are only written. */
    static final String HEADER = """
            i.process_id, i.process_type, i.business_key, i.status, i.current_step, i.data, i.retries, i.created_at,
            i.updated_at, i.definition_version, i.event_count, i.deadline, i.paused_from, i.reason, i.start_data,
            i.parent_process_id, i.parent_command_id, i.parent_compensation_command_id, i.trace
            """;

    static final int HEADER_COLUMNS = 19;

    /** The columns of a step. */
    static final String STEP = """
            s.number, s.parent, s.kind, s.step_name, s.position, s.status, s.attempt, s.command_id, s.compensation_command_id,
            s.due_at, s.in_doubt, s.input, s.reply, s.error, s.since
            """;

    private static final Map<String, Object> NOTHING = Map.of();

    private final Dialect dialect;
    private final PayloadCodec codec;

    ProcessRows(Dialect dialect, PayloadCodec codec) {
        this.dialect = dialect;
        this.codec = codec;
    }

    /** A process, whose columns begin at this one. */
    ProcessHeader header(ResultSet row, int from) throws SQLException {
        @Nullable String pausedFrom = row.getString(from + 12);
        @Nullable UUID parent = row.getObject(from + 15, UUID.class);
        return new ProcessHeader(
                row.getObject(from, UUID.class),
                row.getString(from + 1),
                row.getInt(from + 9),
                row.getString(from + 2),
                ProcessStatus.valueOf(row.getString(from + 3)),
                pausedFrom == null ? null : ProcessStatus.valueOf(pausedFrom),
                row.getString(from + 4),
                row.getInt(from + 6),
                row.getString(from + 13),
                map(row.getString(from + 5)),
                map(row.getString(from + 14)),
                instant(row, from + 11),
                parent == null
                        ? null
                        : new ProcessParent(
                                parent, row.getObject(from + 16, UUID.class), row.getObject(from + 17, UUID.class)),
                trace(row.getString(from + 18)),
                row.getInt(from + 10),
                dialect.instant(row, from + 7),
                dialect.instant(row, from + 8));
    }

    @SuppressWarnings("unchecked")
    private Map<String, String> trace(@Nullable String json) {
        return json == null ? Map.of() : codec.decode(Payload.text(json), LinkedHashMap.class);
    }

    ProcessInstance instance(ResultSet row) throws SQLException {
        return header(row, 1).instance();
    }

    StepExecution step(ResultSet row, int from) throws SQLException {
        return new StepExecution(
                row.getInt(from),
                row.getInt(from + 1),
                StepKind.valueOf(row.getString(from + 2)),
                row.getString(from + 3),
                row.getInt(from + 4),
                StepStatus.valueOf(row.getString(from + 5)),
                row.getInt(from + 6),
                row.getObject(from + 7, UUID.class),
                row.getObject(from + 8, UUID.class),
                instant(row, from + 9),
                row.getBoolean(from + 10),
                map(row.getString(from + 11)),
                map(row.getString(from + 12)),
                row.getString(from + 13),
                dialect.instant(row, from + 14));
    }

    /** What changes in a process. */
    Values changes(ProcessHeader header, ProcessState state) {
        @Nullable ProcessParent parent = header.parent();
        return progress(header, state)
                .and(json(header.data()))
                .and(header.deadline())
                .and(header.pausedFrom())
                .and(header.reason())
                .and(parent == null ? null : parent.processId())
                .and(parent == null ? null : parent.commandId())
                .and(parent == null ? null : parent.compensationCommandId());
    }

    /** What changes in a process with every step. */
    Values progress(ProcessHeader header, ProcessState state) {
        return new Values()
                .and(header.status())
                .and(header.currentStep())
                .and(header.retries())
                .and(header.updatedAt())
                .and(header.events())
                .and(header.nextDue(state.executions()).orElse(null));
    }

    /** What never changes in a process. */
    Values start(ProcessHeader header) {
        return new Values()
                .and(header.processId())
                .and(header.processType())
                .and(header.businessKey())
                .and(header.createdAt())
                .and(header.version())
                .and(json(header.startData()))
                .and(
                        header.trace().isEmpty()
                                ? null
                                : codec.encode(header.trace()).asText());
    }

    /** What never changes in a step. */
    Values start(UUID processId, StepExecution step) {
        return new Values()
                .and(processId)
                .and(step.number())
                .and(step.parent())
                .and(step.kind())
                .and(step.step())
                .and(step.position())
                .and(step.commandId())
                .and(json(step.input()));
    }

    Values changes(StepExecution step) {
        return new Values()
                .and(step.status())
                .and(step.attempt())
                .and(step.compensationCommandId())
                .and(step.dueAt())
                .and(step.inDoubt())
                .and(json(step.reply()))
                .and(step.error())
                .and(step.since());
    }

    @Nullable
    Instant instant(ResultSet row, int column) throws SQLException {
        return row.getObject(column) == null ? null : dialect.instant(row, column);
    }

    String json(Map<String, Object> data) {
        return data.isEmpty() ? "{}" : codec.encode(data).asText();
    }

    @SuppressWarnings("unchecked")
    private Map<String, Object> map(String json) {
        return json.equals("{}") ? NOTHING : codec.decode(Payload.text(json), LinkedHashMap.class);
    }
}

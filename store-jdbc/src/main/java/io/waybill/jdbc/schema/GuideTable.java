package io.waybill.jdbc.schema;

import io.waybill.jdbc.sql.Dialect;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A table as the guide has it, and what a table of its name has to be so that it can be taken over.
 *
 * @param script makes ours of it
 * @param columns those of the guide, with the types that they may have
 * @param strangeRows counts rows that would not be understood as they are meant, one column for each reason
 */
record GuideTable(
        String name, String script, Map<String, Set<String>> columns, String strangeRows, List<String> reasons) {

    private static final Set<String> TEXT = Set.of(
            "varchar",
            "text",
            "bpchar",
            "char",
            "character",
            "character varying",
            "character large object",
            "mediumtext",
            "longtext",
            "enum");
    private static final Set<String> JSON = Set.of("varchar", "text", "json", "jsonb");
    private static final Set<String> NUMBER =
            Set.of("int2", "int4", "int8", "smallint", "int", "integer", "bigint", "tinyint");
    private static final Set<String> TIME = Set.of("timestamp", "timestamptz", "timestamp with time zone", "datetime");
    private static final Set<String> UUID = Set.of("uuid");

    /** The guide has its tables on PostgreSQL; an outbox like its own may be elsewhere too. */
    static List<GuideTable> of(Dialect dialect) {
        return dialect == Dialect.POSTGRESQL
                ? List.of(outbox(dialect), command(), processInstance(), processLog())
                : List.of(outbox(dialect));
    }

    private static GuideTable outbox(Dialect dialect) {
        var columns = new LinkedHashMap<String, Set<String>>();
        columns.put("outbox_id", dialect.isMySql() ? Set.of("uuid", "char", "varchar") : UUID);
        columns.put("category", TEXT);
        columns.put("destination", TEXT);
        columns.put("payload", TEXT);
        columns.put("status", TEXT);
        columns.put("retry_count", NUMBER);
        columns.put("created_at", TIME);
        return new GuideTable(
                "outbox",
                "A001__guide_outbox",
                columns,
                """
                SELECT COALESCE(SUM(CASE WHEN status IN ('PENDING', 'DISPATCHED', 'FAILED') THEN 0 ELSE 1 END), 0),
                       COALESCE(SUM(CASE WHEN LOWER(category) IN ('command', 'reply', 'event') THEN 0 ELSE 1 END), 0),
                       COALESCE(SUM(CASE WHEN CHAR_LENGTH(destination) BETWEEN 1 AND 255 THEN 0 ELSE 1 END), 0),
                       COALESCE(SUM(CASE WHEN payload IS NULL OR created_at IS NULL THEN 1 ELSE 0 END), 0)
                  FROM ${prefix}outbox
                """,
                List.of(
                        "a status other than PENDING, DISPATCHED and FAILED",
                        "a category other than command, reply and event",
                        "a destination that is empty or longer than 255 characters",
                        "no payload or no created_at"));
    }

    private static GuideTable command() {
        var columns = new LinkedHashMap<String, Set<String>>();
        columns.put("command_id", UUID);
        columns.put("type", TEXT);
        columns.put("idempotency_key", TEXT);
        columns.put("business_key", TEXT);
        columns.put("payload", JSON);
        columns.put("status", TEXT);
        columns.put("created_at", TIME);
        return new GuideTable(
                "command",
                "A003__guide_command",
                columns,
                """
                SELECT COALESCE(SUM(CASE WHEN status IN ('PENDING', 'PROCESSING', 'COMPLETED', 'FAILED') THEN 0 ELSE 1 END), 0),
                       COALESCE(SUM(CASE WHEN type IS NULL OR created_at IS NULL THEN 1 ELSE 0 END), 0),
                       count(*) - count(DISTINCT idempotency_key)
                  FROM ${prefix}command
                """,
                List.of(
                        "a status other than PENDING, PROCESSING, COMPLETED and FAILED",
                        "no type or no created_at",
                        "no idempotency_key, or that of another row"));
    }

    private static GuideTable processInstance() {
        var columns = new LinkedHashMap<String, Set<String>>();
        columns.put("process_id", UUID);
        columns.put("process_type", TEXT);
        columns.put("business_key", TEXT);
        columns.put("status", TEXT);
        columns.put("current_step", TEXT);
        columns.put("data", JSON);
        columns.put("retries", NUMBER);
        columns.put("created_at", TIME);
        columns.put("updated_at", TIME);
        return new GuideTable(
                "process_instance",
                "A004__guide_process_instance",
                columns,
                """
                SELECT COALESCE(SUM(CASE WHEN status IN ('SUCCEEDED', 'FAILED', 'COMPENSATED', 'CANCELLED') THEN 0 ELSE 1 END), 0),
                       COALESCE(SUM(CASE WHEN process_type IS NULL OR business_key IS NULL OR created_at IS NULL THEN 1 ELSE 0 END), 0),
                       count(*) - count(DISTINCT (process_type, business_key))
                  FROM ${prefix}process_instance
                """,
                List.of(
                        "a status other than SUCCEEDED, FAILED, COMPENSATED and CANCELLED: which of their steps are done is not in"
                                + " the table, so let the application that started these processes end them first",
                        "no process_type, business_key or created_at",
                        "the process_type and business_key of another row"));
    }

    private static GuideTable processLog() {
        var columns = new LinkedHashMap<String, Set<String>>();
        columns.put("log_id", UUID);
        columns.put("process_id", UUID);
        columns.put("event_type", TEXT);
        columns.put("step_name", TEXT);
        columns.put("event_data", JSON);
        columns.put("created_at", TIME);
        return new GuideTable(
                "process_log",
                "A005__guide_process_log",
                columns,
                """
                SELECT COALESCE(SUM(CASE WHEN process_id IS NULL OR event_type IS NULL OR created_at IS NULL THEN 1 ELSE 0 END), 0)
                  FROM ${prefix}process_log
                """,
                List.of("no process_id, event_type or created_at"));
    }
}

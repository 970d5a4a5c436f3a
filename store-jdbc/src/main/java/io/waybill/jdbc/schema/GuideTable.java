package io.waybill.jdbc.schema;

import io.waybill.jdbc.sql.Dialect;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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

    /** An id that MySQL and MariaDB may have as text. */
    private static final Set<String> ID = Set.of("uuid", "char", "varchar");

    private static final Map<String, Set<String>> KINDS =
            Map.of("text", TEXT, "json", JSON, "number", NUMBER, "time", TIME, "uuid", UUID, "id", ID);

    private static final GuideTable COMMAND = new GuideTable(
            "command",
            "A003__guide_command",
            columns("""
                    command_id uuid
                    type text
                    idempotency_key text
                    business_key text
                    payload json
                    status text
                    created_at time
                    """),
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

    private static final GuideTable PROCESS_INSTANCE = new GuideTable(
            "process_instance",
            "A004__guide_process_instance",
            columns("""
                    process_id uuid
                    process_type text
                    business_key text
                    status text
                    current_step text
                    data json
                    retries number
                    created_at time
                    updated_at time
                    """),
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

    private static final GuideTable PROCESS_LOG = new GuideTable(
            "process_log",
            "A005__guide_process_log",
            columns("""
                    log_id uuid
                    process_id uuid
                    event_type text
                    step_name text
                    event_data json
                    created_at time
                    """),
            """
            SELECT COALESCE(SUM(CASE WHEN process_id IS NULL OR event_type IS NULL OR created_at IS NULL THEN 1 ELSE 0 END), 0)
              FROM ${prefix}process_log
            """,
            List.of("no process_id, event_type or created_at"));

    /** The guide has its tables on PostgreSQL; an outbox like its own may be elsewhere too. */
    static List<GuideTable> of(Dialect dialect) {
        return dialect == Dialect.POSTGRESQL
                ? List.of(outbox(dialect), COMMAND, PROCESS_INSTANCE, PROCESS_LOG)
                : List.of(outbox(dialect));
    }

    private static GuideTable outbox(Dialect dialect) {
        String id = dialect.isMySql() ? "id" : "uuid";
        return new GuideTable(
                "outbox",
                "A001__guide_outbox",
                columns("""
                        outbox_id ${id}
                        category text
                        destination text
                        payload text
                        status text
                        retry_count number
                        created_at time
                        """.replace("${id}", id)),
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

    /** A line for each: its name, and the kind of its types. */
    private static Map<String, Set<String>> columns(String text) {
        var columns = new LinkedHashMap<String, Set<String>>();
        text.lines().forEach(column -> {
            int space = column.indexOf(' ');
            columns.put(column.substring(0, space), Objects.requireNonNull(KINDS.get(column.substring(space + 1))));
        });
        return columns;
    }
}

package io.waybill.jdbc.plan;

import io.waybill.jdbc.sql.Dialect;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;

/**
 * Tables as they look after a week, or many times as large: 100,000 messages of 1,000 keys, of which a few thousand are pending,
 * waiting, held or failed; 100,000 rows in the inbox, 10,000 failed and 10,000 scheduled messages and as many numbered keys; 100,000 commands;
 * 20,000 processes of two steps each, of which every thousandth is not finished.
 */
public final class BigTables {

    /** Their names, and the names under which statements join them. */
    static final String NAMES = "outbox|o|inbox|outbox_scheduled|outbox_sequence|failed_message|f|command|c|waiting_key"
            + "|process_instance|i|p|process_step|s|b|process_log";

    /** What is said differently: rows numbered from 1, the time a number of seconds ago, and whole division. */
    private record Words(String numbers, String secondsAgo, String uuid, String div, List<String> analyze) {}

    private static final String OUTBOX = """
            INSERT INTO outbox (category, type, destination, partition_key, payload, status, retry_count, last_error,
                                available_at, created_at, dispatched_at)
            SELECT 'event', 'OrderPlaced', CONCAT('destination-', m.n % 7), m.partition_key, REPEAT('x', 200), m.status,
                   CASE WHEN m.status = 'FAILED' OR m.waiting = 1 THEN 3 ELSE 0 END,
                   CASE WHEN m.status = 'FAILED' OR m.waiting = 1 THEN 'Connection timed out' END,
                   CASE WHEN m.waiting = 1 THEN ${ago(60 * (m.n % 100) - 3600)} END,
                   ${ago(6 * (${all} - m.n) / ${scale})},
                   CASE WHEN m.status = 'DISPATCHED' THEN ${ago(6 * (${all} - m.n) / ${scale} - 1)} END
              FROM (SELECT n,
                           CASE WHEN n % 10 = 5 THEN '' ELSE CONCAT('key-', (n ${div} 100 + n) % 1000) END AS partition_key,
                           CASE WHEN n % 100 = 4 THEN 1 ELSE 0 END AS waiting,
                           CASE WHEN n % 100 = 1 THEN 'FAILED'
                                WHEN n % 100 IN (2, 3) THEN 'HELD'
                                WHEN n % 100 = 4 OR n > 97 * ${all} ${div} 100 THEN 'PENDING'
                                ELSE 'DISPATCHED' END AS status
                      FROM ${rows(100000)}) m
            """;
    private static final String INBOX = """
            INSERT INTO inbox (message_id, handler, processed_at)
            SELECT ${uuid}, 'billing', ${ago(26 * (${all} - n) / ${scale})} FROM ${rows(100000)}
            """;
    private static final String FAILED = """
            INSERT INTO failed_message (message_id, handler, source, category, type, message_key, partition_key, payload, headers,
                                        attempts, error_class, error, stack_trace, fingerprint, first_failed_at, last_failed_at,
                                        parks_key)
            SELECT ${uuid}, 'billing', 'orders', 'event', 'OrderPlaced', '', CONCAT('key-', n % 1000), 'x', '', 3,
                   'IllegalStateException', 'no ink', 'at', CONCAT(n % 100, '0'),
                   ${ago(n)},
                   ${ago(n)},
                   TRUE
              FROM ${rows(10000)}
            """;
    private static final String SCHEDULED = """
            INSERT INTO outbox_scheduled (destination, payload, due_at)
            SELECT 'destination-1', 'later', ${ago(600 - 60 * n / ${scale})} FROM ${rows(10000)}
            """;
    private static final String SEQUENCE = """
            INSERT INTO outbox_sequence (destination, partition_key, last_number)
            SELECT 'destination-1', CONCAT('key-', n), n FROM ${rows(10000)}
            """;

    private static final String COMMAND = """
            INSERT INTO command (command_id, type, idempotency_key, correlation_id, payload, status, timeout_at, created_at, updated_at)
            SELECT ${uuid}, 'BookSeat', CONCAT('key-', n), ${uuid}, '{}',
                   CASE WHEN n % 100 = 0 THEN 'PENDING' ELSE 'COMPLETED' END,
                   CASE WHEN n % 1000 = 0 THEN ${ago(60 * (n % 100) - 3600)} END,
                   ${ago(6 * (${all} - n) / ${scale})},
                   ${ago(6 * (${all} - n) / ${scale})}
              FROM ${rows(100000)}
            """;

    private static final String WAITING = """
            INSERT INTO waiting_key (destination, partition_key, messages)
            SELECT 'destination-1', CONCAT('key-', n), 1 FROM ${rows(10000)}
            """;

    private static final String PROCESSES = """
            INSERT INTO process_instance (process_id, process_type, business_key, status, current_step, data, retries, created_at,
                                          updated_at, definition_version, event_count, due_at, reason, start_data)
            SELECT ${uuid}, 'Work', CONCAT('big-', n),
                   CASE WHEN n % 1000 = 0 THEN 'RUNNING' WHEN n % 1000 = 1 THEN 'FAILED' ELSE 'SUCCEEDED' END,
                   'More', '{}', 0,
                   ${ago(6 * (${all} - 5 * n) / ${scale})},
                   ${ago(6 * (${all} - 5 * n) / ${scale})},
                   1, 5,
                   CASE WHEN n % 1000 = 0 THEN ${ago(60 * (n % 100) - 3600)} END, '', '{}'
              FROM ${rows(20000)}
            """;
    private static final String STEPS = """
            INSERT INTO process_step (process_id, number, parent, kind, step_name, position, status, attempt, command_id, in_doubt,
                                      input, reply, error, since)
            SELECT i.process_id, m.n, 0, 'COMMAND', CASE WHEN m.n = 1 THEN 'Work' ELSE 'More' END, 0,
                   CASE WHEN i.status = 'RUNNING' AND m.n = 2 THEN 'RUNNING' ELSE 'COMPLETED' END, 1, ${uuid}, FALSE,
                   '{}', '{}', '', i.created_at
              FROM process_instance i CROSS JOIN (SELECT n FROM ${numbers(2)}) m
            """;
    private static final String LOG = """
            INSERT INTO process_log (log_id, process_id, event_no, event_type, step_name, event_data, created_at)
            SELECT ${uuid}, i.process_id, m.n, 'BranchChosen', '', '{}', i.created_at
              FROM process_instance i CROSS JOIN (SELECT n FROM ${numbers(5)}) m
            """;

    private BigTables() {}

    /**
     * Fills the tables of this database.
     *
     * @param scale how many times as large
     */
    public static void fill(DataSource dataSource, Dialect dialect, int scale) throws SQLException {
        Words words = words(dialect);
        try (Connection connection = dataSource.getConnection();
                var statement = connection.createStatement()) {
            for (String sql :
                    List.of(OUTBOX, INBOX, FAILED, SCHEDULED, SEQUENCE, COMMAND, WAITING, PROCESSES, STEPS, LOG)) {
                statement.execute(in(words, scaled(sql, scale)));
            }
            for (String sql : words.analyze()) {
                statement.execute(sql);
            }
        }
    }

    private static String scaled(String sql, int scale) {
        return Pattern.compile("\\$\\{rows\\((\\d+)\\)}")
                .matcher(sql)
                .replaceAll(
                        rows -> Matcher.quoteReplacement("${numbers(" + Integer.parseInt(rows.group(1)) * scale + ")}"))
                .replace("${all}", String.valueOf(100_000 * scale))
                .replace("${scale}", String.valueOf(scale));
    }

    private static String in(Words words, String sql) {
        return sql.replaceAll("\\$\\{numbers\\((\\d+)\\)}", words.numbers())
                .replaceAll("\\$\\{ago\\((.*)\\)}", words.secondsAgo())
                .replace("${uuid}", words.uuid())
                .replace("${div}", words.div());
    }

    private static Words words(Dialect dialect) {
        return switch (dialect) {
            case POSTGRESQL ->
                new Words(
                        "generate_series(1, $1) AS n",
                        "now() - interval '1 second' * ($1)",
                        "gen_random_uuid()",
                        "/",
                        List.of("VACUUM ANALYZE"));
            case MARIADB, MYSQL ->
                new Words(
                        "(SELECT CAST(seq AS SIGNED) AS n FROM seq_1_to_$1) AS numbers",
                        "UTC_TIMESTAMP(6) - INTERVAL ($1) SECOND",
                        "UUID()",
                        "DIV",
                        List.of(
                                "ANALYZE TABLE outbox, inbox, failed_message, outbox_scheduled, outbox_sequence, command, waiting_key,"
                                        + " process_instance, process_step, process_log"));
            case H2 ->
                new Words(
                        "(SELECT x AS n FROM SYSTEM_RANGE(1, $1)) AS numbers",
                        "DATEADD(SECOND, -($1), CURRENT_TIMESTAMP)",
                        "RANDOM_UUID()",
                        "/",
                        List.of("ANALYZE"));
        };
    }
}

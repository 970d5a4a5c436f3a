package io.waybill.jdbc.ops;

import static java.util.stream.Collectors.joining;

import io.waybill.command.store.CommandStatus;
import io.waybill.jdbc.sql.Dialect;
import io.waybill.jdbc.sql.Jdbc;
import io.waybill.jdbc.sql.Placeholders;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Commands as an operator sees them. Nothing is changed: a command belongs to its sender. */
public final class CommandAdmin {

    private static final String COLUMNS = """
            command_id, type, idempotency_key, business_key, correlation_id, attempt, payload, status, reply, timeout_at,
            created_at, updated_at""";

    /** What is looked through, however few of them match. */
    public static final int MAX_SCANNED = 5_000;

    /** Only the time has an index: the latest are taken by it, and looked through. */
    private static final String LATEST = """
            SELECT ${columns}
              FROM (SELECT ${columns} FROM ${prefix}command
                     WHERE created_at > (SELECT ${now_plus_millis}) AND created_at <= ? AND (created_at < ? OR command_id < ?)
                     ORDER BY created_at DESC, command_id DESC LIMIT ${most}) latest
             WHERE ${query} ORDER BY created_at DESC, command_id DESC LIMIT ?
            """;

    private static final String FIND = """
            SELECT ${columns} FROM ${prefix}command WHERE command_id = ?
            """;

    private static final String FIND_ALL = """
            SELECT ${columns} FROM ${prefix}command WHERE command_id IN (${ids})
            """;

    private static final Duration EVER = Duration.ofDays(36_500);

    private final Jdbc jdbc;
    private final Dialect dialect;
    private final String prefix;

    public CommandAdmin(DataSource dataSource, Dialect dialect, String prefix) {
        this.jdbc = new Jdbc(dataSource, dialect);
        this.dialect = dialect;
        this.prefix = prefix;
    }

    /**
     * Which commands: those that match all that is given. Empty asks for nothing.
     *
     * @param key the business key
     */
    public record Query(String type, String key, Set<CommandStatus> statuses) {

        /** Every command there is. */
        public static final Query ANY = new Query("", "", Set.of());

        public Query {
            statuses = Set.copyOf(statuses);
        }
    }

    /** Where a page ends: the next one begins behind it. Commands of one statement may have the same time. */
    public record Position(Instant createdAt, UUID id) {

        /** Before the first page. */
        public static final Position START = new Position(Instant.parse("9999-01-01T00:00:00Z"), new UUID(-1, -1));
    }

    /**
     * A row of the table.
     *
     * @param reply JSON of the answer, empty until there is one
     * @param timeoutAt when its sender stops waiting; null when it is over, or its sender waits for ever
     */
    public record Stored(
            UUID id,
            String type,
            String idempotencyKey,
            String businessKey,
            UUID correlationId,
            int attempt,
            String payload,
            CommandStatus status,
            String reply,
            @Nullable Instant timeoutAt,
            Instant createdAt,
            Instant updatedAt) {

        public Position position() {
            return new Position(createdAt, id);
        }
    }

    /** Matching ones of the latest {@value #MAX_SCANNED} commands that were accepted within this time, the latest first. */
    public List<Stored> latest(Query query, Duration within, int limit) {
        return before(query, Position.START, within, limit);
    }

    /** The same of those behind this position. */
    public List<Stored> before(Query query, Position position, Duration within, int limit) {
        List<Object> values = new ArrayList<>();
        List<String> conditions = new ArrayList<>();
        text(query.type(), "type = ?", conditions, values);
        text(query.key(), "business_key = ?", conditions, values);
        if (!query.statuses().isEmpty()) {
            conditions.add(
                    query.statuses().stream().map(Enum::name).sorted().collect(joining("', '", "status IN ('", "')")));
        }
        return search(
                conditions.isEmpty() ? "1 = 1" : String.join(" AND ", conditions), values, position, within, limit);
    }

    /** Those of the latest {@value #MAX_SCANNED} commands whose replies are for this, a process for example. */
    public List<Stored> correlated(UUID correlationId, int limit) {
        return search("correlation_id = ?", List.of(correlationId), Position.START, EVER, limit);
    }

    private List<Stored> search(String where, List<?> values, Position position, Duration within, int limit) {
        return jdbc.autoCommit(
                "list commands",
                connection -> Jdbc.query(
                        connection,
                        sql(LATEST.replace("${query}", where)),
                        statement -> {
                            statement.setLong(1, -within.toMillis());
                            dialect.bind(statement, 2, position.createdAt());
                            dialect.bind(statement, 3, position.createdAt());
                            statement.setObject(4, position.id());
                            statement.setInt(Placeholders.bind(statement, 5, values), limit);
                        },
                        this::read));
    }

    private static void text(String value, String condition, List<String> conditions, List<Object> values) {
        if (!value.isEmpty()) {
            conditions.add(condition);
            values.add(value);
        }
    }

    public Optional<Stored> find(UUID id) {
        return jdbc
                .autoCommit(
                        "look for command " + id,
                        connection ->
                                Jdbc.query(connection, sql(FIND), statement -> statement.setObject(1, id), this::read))
                .stream()
                .findFirst();
    }

    /** Those of these commands that are there. */
    public List<Stored> all(Collection<UUID> ids) {
        return ids.isEmpty()
                ? List.of()
                : jdbc.autoCommit(
                        "look for commands",
                        connection -> Jdbc.query(
                                connection,
                                sql(FIND_ALL.replace("${ids}", Placeholders.of(ids))),
                                statement -> Placeholders.bind(statement, 1, ids),
                                this::read));
    }

    private Stored read(ResultSet row) throws SQLException {
        return new Stored(
                row.getObject(1, UUID.class),
                row.getString(2),
                row.getString(3),
                row.getString(4),
                row.getObject(5, UUID.class),
                row.getInt(6),
                row.getString(7),
                CommandStatus.valueOf(row.getString(8)),
                row.getString(9),
                row.getObject(10) == null ? null : dialect.instant(row, 10),
                dialect.instant(row, 11),
                dialect.instant(row, 12));
    }

    private String sql(String template) {
        return dialect.sql(
                template.replace("${columns}", COLUMNS).replace("${most}", String.valueOf(MAX_SCANNED)), prefix);
    }
}

package io.waybill.jdbc.ops;

import io.waybill.jdbc.internal.sql.Values;
import io.waybill.jdbc.sql.Dialect;
import io.waybill.jdbc.sql.Jdbc;
import io.waybill.jdbc.sql.Placeholders;
import io.waybill.process.state.ProcessStatus;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Processes as an operator lists them: the latest first, page by page, each page by an index. */
public final class ProcessAdmin {

    /** How many processes of a status are searched for those of one type. */
    public static final int MAX_SEARCHED = 5_000;

    private static final int MAX_TYPES = 200;

    private static final String COLUMNS = """
            process_id, process_type, business_key, status, current_step, retries, created_at, updated_at, definition_version,
            reason, due_at""";

    /** The part of one status: the index has the status and then the time. */
    private static final String OF_STATUS = """
            SELECT * FROM (SELECT ${columns} FROM ${prefix}process_instance
                            WHERE status = ? AND created_at <= ? AND (created_at < ? OR process_id < ?)
                            ORDER BY created_at DESC, process_id DESC LIMIT ?) ${name}""";

    private static final String LATEST = """
            SELECT * FROM (${parts}) page WHERE ${type} ORDER BY created_at DESC, process_id DESC LIMIT ?
            """;

    private static final String ABOUT = """
            SELECT ${columns} FROM ${prefix}process_instance
             WHERE process_type IN (${types}) AND business_key = ? ORDER BY created_at DESC, process_id DESC LIMIT ?
            """;

    /** The index begins with the type, so each next one is one step. */
    private static final String NEXT_TYPE = """
            SELECT min(process_type) FROM ${prefix}process_instance WHERE process_type > ?
            """;

    private static final String COUNT_OF_STATUS = """
            SELECT ${status}, count(*) FROM (SELECT process_id FROM ${prefix}process_instance
                                              WHERE status = ? AND created_at <= ? ORDER BY created_at LIMIT ?) ${name}""";

    private final Jdbc jdbc;
    private final Dialect dialect;
    private final String prefix;

    public ProcessAdmin(DataSource dataSource, Dialect dialect, String prefix) {
        this.jdbc = new Jdbc(dataSource, dialect);
        this.dialect = dialect;
        this.prefix = prefix;
    }

    /**
     * Which processes: those that match all that is given. Empty asks for nothing.
     *
     * @param key the business key, as a whole
     */
    public record Query(Set<ProcessStatus> statuses, String type, String key) {

        public static final Query ANY = new Query(Set.of(), "", "");

        public Query {
            statuses = Set.copyOf(statuses);
        }

        private List<ProcessStatus> wanted() {
            return statuses.isEmpty()
                    ? List.of(ProcessStatus.values())
                    : statuses.stream().sorted().toList();
        }
    }

    /** Where a page ends: the next one begins behind it. */
    public record Position(Instant createdAt, UUID id) {

        /** Before the first page. */
        public static final Position START = new Position(Instant.parse("9999-01-01T00:00:00Z"), new UUID(-1, -1));
    }

    /**
     * A process without its data.
     *
     * @param step that is being executed or compensated, or the last one
     * @param dueAt when something happens next if nothing else does
     */
    public record Row(
            UUID id,
            String type,
            String key,
            ProcessStatus status,
            String step,
            int retries,
            Instant createdAt,
            Instant updatedAt,
            int version,
            String reason,
            @Nullable Instant dueAt) {

        public Position position() {
            return new Position(createdAt, id);
        }
    }

    /** A page, the latest first. Of one type: among the latest {@value #MAX_SEARCHED} of each status. */
    public List<Row> latest(Query query, Position after, int limit) {
        if (!query.key().isEmpty()) {
            return about(query, after, limit);
        }
        boolean any = query.type().isEmpty();
        var parts = new ArrayList<String>();
        var values = new Values();
        for (ProcessStatus status : query.wanted()) {
            parts.add(OF_STATUS.replace("${name}", "of_" + parts.size()));
            values.and(status)
                    .and(after.createdAt())
                    .and(after.createdAt())
                    .and(after.id())
                    .and(any ? limit : MAX_SEARCHED);
        }
        String template = LATEST.replace("${parts}", String.join(" UNION ALL ", parts))
                .replace("${type}", any ? "1 = 1" : "process_type = ?");
        return rows(template, any ? values.and(limit) : values.and(query.type()).and(limit));
    }

    private List<Row> about(Query query, Position after, int limit) {
        List<String> types = query.type().isEmpty() ? types() : List.of(query.type());
        if (types.isEmpty() || !after.equals(Position.START)) {
            return List.of();
        }
        var values = new Values();
        types.forEach(values::and);
        values.and(query.key()).and(limit);
        return rows(ABOUT.replace("${types}", Placeholders.of(types)), values).stream()
                .filter(row -> query.wanted().contains(row.status()))
                .toList();
    }

    /** The types of which there are processes. */
    public List<String> types() {
        return jdbc.autoCommit("look for types of processes", connection -> {
            var types = new ArrayList<String>();
            Optional<String> next = Optional.of("");
            while (next.isPresent() && types.size() < MAX_TYPES) {
                String last = next.get();
                next = Jdbc.query(
                                connection,
                                sql(NEXT_TYPE),
                                statement -> statement.setString(1, last),
                                row -> Optional.ofNullable(row.getString(1)))
                        .stream()
                        .flatMap(Optional::stream)
                        .findFirst();
                next.ifPresent(types::add);
            }
            return Collections.unmodifiableList(types);
        });
    }

    /** How many processes each status has, counted no further than this. */
    public Map<ProcessStatus, Long> counts(int most) {
        Map<ProcessStatus, Long> counts = new EnumMap<>(ProcessStatus.class);
        var parts = new ArrayList<String>();
        var values = new Values();
        for (ProcessStatus status : ProcessStatus.values()) {
            parts.add(COUNT_OF_STATUS
                    .replace("${status}", "'" + status.name() + "'")
                    .replace("${name}", "of_" + parts.size()));
            values.and(status).and(Position.START.createdAt()).and(most);
        }
        jdbc.autoCommit(
                "count processes",
                connection -> Jdbc.query(
                        connection,
                        sql(String.join(" UNION ALL ", parts)),
                        statement -> values.bind(dialect, statement, 1),
                        row -> counts.put(ProcessStatus.valueOf(row.getString(1)), row.getLong(2))));
        return counts;
    }

    private List<Row> rows(String template, Values values) {
        return jdbc.autoCommit(
                "list processes",
                connection -> Jdbc.query(
                        connection, sql(template), statement -> values.bind(dialect, statement, 1), this::read));
    }

    private Row read(ResultSet row) throws SQLException {
        return new Row(
                row.getObject(1, UUID.class),
                row.getString(2),
                row.getString(3),
                ProcessStatus.valueOf(row.getString(4)),
                row.getString(5),
                row.getInt(6),
                dialect.instant(row, 7),
                dialect.instant(row, 8),
                row.getInt(9),
                row.getString(10),
                row.getObject(11) == null ? null : dialect.instant(row, 11));
    }

    private String sql(String template) {
        return dialect.sql(template.replace("${columns}", COLUMNS), prefix);
    }
}

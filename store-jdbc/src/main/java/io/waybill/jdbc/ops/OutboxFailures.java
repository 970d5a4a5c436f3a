package io.waybill.jdbc.ops;

import io.waybill.jdbc.internal.admin.SelectionSql;
import io.waybill.jdbc.sql.Dialect;
import io.waybill.jdbc.sql.Jdbc;
import java.time.Instant;
import java.util.List;
import javax.sql.DataSource;

/** Messages of the outbox that were refused for the last time, grouped by destination and error. */
public final class OutboxFailures {

    /** How many messages are grouped. */
    public static final int MAX_GROUPED = 10_000;

    private static final String GROUPS = """
            SELECT refused.destination, refused.error, count(*) AS failures, min(refused.created_at), max(refused.created_at),
                   sum(CASE WHEN refused.retries > 0 THEN 1 ELSE 0 END)
              FROM (SELECT o.destination, ${error_group} AS error, o.created_at, o.retries
                      FROM ${prefix}outbox o WHERE o.status = 'FAILED' AND o.available_at IS NULL LIMIT ${most}) refused
             GROUP BY refused.destination, refused.error ORDER BY failures DESC, refused.destination LIMIT ?
            """;

    private final Jdbc jdbc;
    private final Dialect dialect;
    private final String prefix;

    public OutboxFailures(DataSource dataSource, Dialect dialect, String prefix) {
        this.jdbc = new Jdbc(dataSource, dialect);
        this.dialect = dialect;
        this.prefix = prefix;
    }

    /**
     * Messages that failed for the same reason.
     *
     * @param error the beginning of their last error, which {@link io.waybill.store.admin.Selection#inErrorGroup} selects
     * @param failedAgain how many of them failed again after an operator had published them again
     * @param first when the oldest of them was appended
     * @param last when the youngest of them was appended
     */
    public record Group(String destination, String error, long count, long failedAgain, Instant first, Instant last) {}

    /** The largest groups among the first {@value #MAX_GROUPED} failed messages. */
    public List<Group> groups(int limit) {
        String groups = GROUPS.replace("${error_group}", SelectionSql.ERROR_GROUP)
                .replace("${most}", String.valueOf(MAX_GROUPED));
        return jdbc.autoCommit(
                "group failed messages of the outbox",
                connection -> Jdbc.query(
                        connection,
                        dialect.sql(groups, prefix),
                        statement -> statement.setInt(1, limit),
                        row -> new Group(
                                row.getString(1),
                                row.getString(2),
                                row.getLong(3),
                                row.getLong(6),
                                dialect.instant(row, 4),
                                dialect.instant(row, 5))));
    }
}

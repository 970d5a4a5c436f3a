package io.waybill.jdbc.internal.process;

import io.waybill.Time;
import io.waybill.jdbc.internal.sql.PermittedReads;
import io.waybill.jdbc.sql.Dialect;
import io.waybill.jdbc.sql.Jdbc;
import io.waybill.process.state.ProcessStatus;
import io.waybill.process.store.ProcessStore.Active;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Counts processes that are not finished, by the index on status and time. The user of a relay that runs no processes may not read them; then
 * there are none.
 */
final class ActiveReads {

    private static final String OF_STATUS = """
            SELECT * FROM (SELECT process_type, status FROM ${prefix}process_instance
                            WHERE status = '${status}' ORDER BY created_at LIMIT ?) ${status}_""";

    /** Of those that failed, the latest are looked through for one that can still be moved. */
    private static final String BLOCKED = """
            SELECT process_type, status
              FROM (SELECT process_id, process_type, status FROM ${prefix}process_instance
                     WHERE status = 'FAILED' ORDER BY created_at DESC LIMIT ?) i
             WHERE 0 < (SELECT count(*) FROM ${prefix}process_step s
                         WHERE s.process_id = i.process_id AND s.status = 'COMPENSATION_BLOCKED')""";

    private static final String ACTIVE =
            "SELECT process_type, status, count(*) FROM (${parts}) active GROUP BY process_type, status"
                    .replace(
                            "${parts}",
                            Stream.concat(
                                            Stream.of("NEW", "RUNNING", "COMPENSATING", "PAUSED")
                                                    .map(status -> OF_STATUS.replace("${status}", status)),
                                            Stream.of(BLOCKED))
                                    .collect(Collectors.joining(" UNION ALL ")));

    private static final int PARTS = 5;

    private final Jdbc jdbc;
    private final String sql;
    private final PermittedReads permitted;

    ActiveReads(Jdbc jdbc, Dialect dialect, String prefix, Time time) {
        this.jdbc = jdbc;
        this.sql = dialect.sql(ACTIVE, prefix);
        this.permitted = new PermittedReads(time);
    }

    List<Active> count(int most) {
        return permitted.orElse(
                "processes",
                List.of(),
                () -> jdbc.autoCommit("count unfinished processes", connection -> count(connection, most)));
    }

    private List<Active> count(Connection connection, int most) throws SQLException {
        return Jdbc.query(
                connection,
                sql,
                statement -> {
                    for (int part = 1; part <= PARTS; part++) {
                        statement.setInt(part, most);
                    }
                },
                row -> new Active(row.getString(1), ProcessStatus.valueOf(row.getString(2)), row.getLong(3)));
    }
}

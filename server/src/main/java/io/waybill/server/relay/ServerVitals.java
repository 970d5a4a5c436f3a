package io.waybill.server.relay;

import io.waybill.jdbc.sql.Dialect;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a database server tells about itself, in the words of each product. Where it has none, it is asked nothing. */
public enum ServerVitals {
    POSTGRESQL("""
            SELECT pid::text, coalesce(usename::text, '?'), coalesce(state, '?'),
                   extract(epoch FROM clock_timestamp() - xact_start)::bigint
              FROM pg_stat_activity
             WHERE datname = current_database() AND xact_start IS NOT NULL AND pid <> pg_backend_pid()
            UNION ALL
            SELECT gid, owner::text, 'prepared', extract(epoch FROM clock_timestamp() - prepared)::bigint
              FROM pg_prepared_xacts WHERE database = current_database()
             ORDER BY 4 DESC LIMIT 1
            """, """
            SELECT relname::text, n_live_tup, n_dead_tup, pg_total_relation_size(relid)
              FROM pg_stat_user_tables WHERE relid = to_regclass(?)
            """, """
            SELECT c.relname::text FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
             WHERE i.indrelid = to_regclass(?) AND NOT i.indisvalid
            """),
    MYSQL("""
            SELECT CAST(t.trx_mysql_thread_id AS CHAR), coalesce(p.user, '?'), t.trx_state,
                   timestampdiff(SECOND, t.trx_started, now())
              FROM information_schema.innodb_trx t
              LEFT JOIN information_schema.processlist p ON p.id = t.trx_mysql_thread_id
             WHERE t.trx_mysql_thread_id <> connection_id()
             ORDER BY 4 DESC LIMIT 1
            """, """
            SELECT table_name, table_rows, 0, data_length + index_length + data_free
              FROM information_schema.tables WHERE table_schema = database() AND table_name = ?
            """, "SELECT '' FROM DUAL WHERE ? = ''"),
    OTHER("", "", "");

    private final String oldestTransaction;
    private final String size;
    private final String invalidIndexes;

    ServerVitals(String oldestTransaction, String size, String invalidIndexes) {
        this.oldestTransaction = oldestTransaction;
        this.size = size;
        this.invalidIndexes = invalidIndexes;
    }

    /** A transaction of somebody else. */
    public record OpenTransaction(String session, String user, String state, long seconds) {}

    /**
     * How large a table is.
     *
     * @param dead rows that are gone and still take room; 0 where the server does not count them
     */
    public record Size(long live, long dead, long bytes) {}

    public static ServerVitals of(Dialect dialect) {
        if (dialect == Dialect.POSTGRESQL) {
            return POSTGRESQL;
        }
        return dialect.isMySql() ? MYSQL : OTHER;
    }

    /** The transaction that has been open for longest, as far as this user may see. */
    public Optional<OpenTransaction> oldestTransaction(Connection connection) throws SQLException {
        return first(
                connection,
                oldestTransaction,
                "",
                row -> new OpenTransaction(row.getString(1), row.getString(2), row.getString(3), row.getLong(4)));
    }

    public Optional<Size> size(Connection connection, String table) throws SQLException {
        return first(connection, size, table, row -> new Size(row.getLong(2), row.getLong(3), row.getLong(4)));
    }

    /** Indexes of which the building was interrupted: they cost, and help nobody. */
    public List<String> invalidIndexes(Connection connection, String table) throws SQLException {
        return all(connection, invalidIndexes, table, row -> row.getString(1));
    }

    private interface Row<T> {
        T read(ResultSet row) throws SQLException;
    }

    private static <T> Optional<T> first(Connection connection, String sql, String parameter, Row<T> row)
            throws SQLException {
        return all(connection, sql, parameter, row).stream().findFirst();
    }

    private static <T> List<T> all(Connection connection, String sql, String parameter, Row<T> row)
            throws SQLException {
        List<T> found = new ArrayList<>();
        if (sql.isEmpty()) {
            return found;
        }
        try (var statement = connection.prepareStatement(sql)) {
            if (!parameter.isEmpty()) {
                statement.setString(1, parameter);
            }
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    found.add(row.read(rows));
                }
            }
        }
        return found;
    }
}

package io.waybill.testkit.services.database;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/**
 * An empty database of one's own; closing it drops it and ends its connections.
 *
 * <p>Threads: may be used by many.
 */
public final class TestDatabase implements AutoCloseable {

    private final String jdbcUrl;
    private final String user;
    private final String password;
    private final DataSource dataSource;
    private final Runnable drop;

    public TestDatabase(String jdbcUrl, String user, String password, DataSource dataSource, Runnable drop) {
        this.jdbcUrl = jdbcUrl;
        this.user = user;
        this.password = password;
        this.dataSource = dataSource;
        this.drop = drop;
    }

    public String jdbcUrl() {
        return jdbcUrl;
    }

    public String user() {
        return user;
    }

    public String password() {
        return password;
    }

    /** The driver's own, without a pool: each connection is a new one. */
    public DataSource dataSource() {
        return dataSource;
    }

    /** Runs a statement, in a transaction of its own. */
    public void execute(String sql) throws SQLException {
        try (var connection = dataSource.getConnection();
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** The rows of a query, their columns with a space between. */
    public List<String> rows(String query) throws SQLException {
        try (var connection = dataSource.getConnection();
                var statement = connection.createStatement();
                var found = statement.executeQuery(query)) {
            var rows = new ArrayList<String>();
            while (found.next()) {
                var row = new ArrayList<String>();
                for (int i = 1; i <= found.getMetaData().getColumnCount(); i++) {
                    row.add(found.getString(i));
                }
                rows.add(String.join(" ", row));
            }
            return rows;
        }
    }

    @Override
    public void close() {
        drop.run();
    }

    @Override
    public String toString() {
        return jdbcUrl;
    }
}

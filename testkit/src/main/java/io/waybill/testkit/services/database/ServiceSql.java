package io.waybill.testkit.services.database;

import java.sql.SQLException;
import javax.sql.DataSource;

/** Statements of the services themselves: create and drop a database. */
public final class ServiceSql {

    private ServiceSql() {}

    public static void execute(DataSource dataSource, String... statements) {
        try (var connection = dataSource.getConnection();
                var statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(String.join("; ", statements) + " failed: " + e.getMessage(), e);
        }
    }
}

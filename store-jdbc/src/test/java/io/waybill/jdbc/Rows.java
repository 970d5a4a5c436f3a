package io.waybill.jdbc;

import io.waybill.testkit.services.database.TestDatabase;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/** Statements of a test. */
public final class Rows {

    private Rows() {}

    /** The rows of a query, the columns of each joined by a space. */
    public static List<String> in(TestDatabase database, String query) {
        return in(database.dataSource(), query);
    }

    public static List<String> in(DataSource database, String query) {
        try (var connection = database.getConnection();
                var statement = connection.createStatement();
                var rows = statement.executeQuery(query)) {
            var found = new ArrayList<String>();
            while (rows.next()) {
                var row = new ArrayList<String>();
                for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
                    row.add(String.valueOf(rows.getString(i)));
                }
                found.add(String.join(" ", row));
            }
            return found;
        } catch (SQLException e) {
            throw new IllegalStateException(query, e);
        }
    }

    public static void execute(TestDatabase database, String sql) {
        try (var connection = database.dataSource().getConnection();
                var statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }
}

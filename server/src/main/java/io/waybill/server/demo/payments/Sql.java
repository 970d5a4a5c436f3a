package io.waybill.server.demo.payments;

import io.waybill.store.Transaction;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** Statements of the application, in the transaction that Waybill has opened for its handler. */
final class Sql {

    private Sql() {}

    /** How many rows were changed. */
    static int update(Transaction transaction, String sql, Object... values) throws SQLException {
        return update(transaction.unwrap(Connection.class), sql, values);
    }

    static int update(Connection connection, String sql, Object... values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            return statement.executeUpdate();
        }
    }
}

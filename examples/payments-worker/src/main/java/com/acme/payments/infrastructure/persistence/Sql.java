package com.acme.payments.infrastructure.persistence;

import com.acme.payments.domain.model.Money;
import io.micronaut.transaction.TransactionDefinition;
import io.micronaut.transaction.TransactionOperations;
import jakarta.inject.Singleton;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Statements in the open transaction, or in one of their own. */
@Singleton
class Sql {

    private final TransactionOperations<Connection> transactions;

    Sql(TransactionOperations<Connection> transactions) {
        this.transactions = transactions;
    }

    int update(String sql, @Nullable Object... values) {
        return run(sql, values, PreparedStatement::executeUpdate);
    }

    <T> List<T> query(String sql, Row<T> row, @Nullable Object... values) {
        return run(sql, values, statement -> {
            try (ResultSet rows = statement.executeQuery()) {
                var found = new ArrayList<T>();
                while (rows.next()) {
                    found.add(row.read(rows));
                }
                return found;
            }
        });
    }

    private <T> T run(String sql, @Nullable Object[] values, Work<T> work) {
        return transactions.execute(TransactionDefinition.DEFAULT, status -> {
            try (PreparedStatement statement = status.getConnection().prepareStatement(sql)) {
                for (int i = 0; i < values.length; i++) {
                    statement.setObject(i + 1, values[i]);
                }
                return work.on(statement);
            } catch (SQLException e) {
                throw new IllegalStateException(e.getMessage() + " in: " + sql, e);
            }
        });
    }

    static UUID uuid(ResultSet row, String column) throws SQLException {
        return row.getObject(column, UUID.class);
    }

    static Money money(ResultSet row, String amount, String currency) throws SQLException {
        BigDecimal value = row.getBigDecimal(amount);
        return new Money(value, row.getString(currency));
    }

    /** Reads one row. */
    @FunctionalInterface
    interface Row<T> {
        T read(ResultSet row) throws SQLException;
    }

    @FunctionalInterface
    private interface Work<T> {
        T on(PreparedStatement statement) throws SQLException;
    }
}

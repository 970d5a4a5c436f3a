package io.waybill.micronaut.shop;

import io.micronaut.transaction.TransactionOperations;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** What the shop writes down, in whichever transaction is open. */
@Singleton
public class Ledger {

    private final TransactionOperations<Connection> transactions;

    Ledger(TransactionOperations<Connection> transactions) {
        this.transactions = transactions;
        execute(
                "CREATE TABLE IF NOT EXISTS ledger (what VARCHAR(20) NOT NULL, item VARCHAR(60) NOT NULL, amount INT NOT NULL)");
    }

    public void write(String what, String item, int amount) {
        try (var insert = transactions.getConnection().prepareStatement("INSERT INTO ledger VALUES (?, ?, ?)")) {
            insert.setString(1, what);
            insert.setString(2, item);
            insert.setInt(3, amount);
            insert.executeUpdate();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    public List<String> lines() {
        return read("SELECT what, item FROM ledger");
    }

    public int count(String table) {
        return read("SELECT 'row', 'x' FROM " + table).size();
    }

    private List<String> read(String sql) {
        return transactions.executeRead(status -> {
            try (var rows = status.getConnection().createStatement().executeQuery(sql)) {
                var lines = new ArrayList<String>();
                while (rows.next()) {
                    lines.add(rows.getString(1) + " " + rows.getString(2));
                }
                return lines;
            }
        });
    }

    private void execute(String sql) {
        transactions.executeWrite(status -> {
            try (var statement = status.getConnection().createStatement()) {
                return statement.execute(sql);
            }
        });
    }
}

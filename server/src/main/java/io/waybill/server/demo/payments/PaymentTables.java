package io.waybill.server.demo.payments;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.IntStream;
import javax.sql.DataSource;

/** The application's own tables, beside those of Waybill in the same database. */
final class PaymentTables {

    /** Payments of one account are delivered in order, so a failing one delays the others of its account only. */
    static final List<String> ACCOUNTS =
            IntStream.rangeClosed(101, 140).mapToObj(i -> "ACC-" + i).toList();

    private static final List<String> TABLES = List.of(
            """
            CREATE TABLE account (
                account VARCHAR(20) PRIMARY KEY, balance DECIMAL(15, 2) NOT NULL,
                payment_limit DECIMAL(15, 2) NOT NULL, booked DECIMAL(15, 2) NOT NULL)
            """,
            """
            CREATE TABLE payment (
                payment_id VARCHAR(20) PRIMARY KEY, account VARCHAR(20) NOT NULL, beneficiary VARCHAR(80) NOT NULL,
                amount DECIMAL(15, 2) NOT NULL, paid BOOLEAN NOT NULL)
            """,
            "CREATE TABLE limit_booking (payment_id VARCHAR(20) PRIMARY KEY, account VARCHAR(20), amount DECIMAL(15, 2))",
            "CREATE TABLE fx_deal (payment_id VARCHAR(20) PRIMARY KEY, currency CHAR(3), amount DECIMAL(15, 2))",
            "CREATE TABLE account_entry (payment_id VARCHAR(20) PRIMARY KEY, account VARCHAR(20), amount DECIMAL(15, 2))",
            """
            CREATE TABLE ledger_entry (
                payment_id VARCHAR(20), kind VARCHAR(20), PRIMARY KEY (payment_id, kind))
            """);

    private PaymentTables() {}

    static void create(DataSource database) throws SQLException {
        try (Connection connection = database.getConnection()) {
            for (String table : TABLES) {
                Sql.update(connection, table);
            }
            for (String account : ACCOUNTS) {
                Sql.update(connection, "INSERT INTO account VALUES (?, 1000000, 1000000, 0)", account);
            }
        }
    }
}

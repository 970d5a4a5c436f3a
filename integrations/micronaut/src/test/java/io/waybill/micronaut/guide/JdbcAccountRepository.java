package io.waybill.micronaut.guide;

import io.micronaut.transaction.TransactionOperations;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Section 6.4: the implementation, with JDBC where the guide has mappers. */
@Singleton
public class JdbcAccountRepository implements AccountRepository {
    private final TransactionOperations<Connection> tx;

    public JdbcAccountRepository(TransactionOperations<Connection> tx) {
        this.tx = tx;
    }

    @Override
    public void save(Account account) {
        tx.executeWrite(status -> {
            // 1. Upsert account
            upsert(status.getConnection(), account);

            // 2. Insert new transactions
            for (Transaction txn : account.getTransactions()) {
                insert(status.getConnection(), txn);
            }

            return null;
        });
    }

    @Override
    public Optional<Account> findById(UUID accountId) {
        return find("account_id = ?", accountId).stream().findFirst();
    }

    @Override
    public Optional<Account> findByAccountNumber(String accountNumber) {
        return find("account_number = ?", accountNumber).stream().findFirst();
    }

    @Override
    public List<Account> findByCustomerId(UUID customerId) {
        return find("customer_id = ?", customerId);
    }

    private List<Account> find(String condition, Object value) {
        return tx.executeRead(status -> {
            // 1. Load account
            List<Account> accounts =
                    read(status.getConnection(), "SELECT * FROM account WHERE " + condition, value, this::toDomain);
            for (Account account : accounts) {
                // 2. Load transactions, 3. reconstruct the aggregate
                read(
                                status.getConnection(),
                                "SELECT * FROM transaction WHERE account_id = ?",
                                account.getAccountId(),
                                this::toTransaction)
                        .forEach(account::restoreTransaction);
            }
            return accounts;
        });
    }

    private void upsert(Connection connection, Account account) {
        write(
                connection,
                """
                INSERT INTO account (account_id, customer_id, account_number, currency_code, account_type, transit_number, limit_based, available_balance)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                    ON CONFLICT (account_id) DO UPDATE SET available_balance = excluded.available_balance
                """,
                account.getAccountId(),
                account.getCustomerId(),
                account.getAccountNumber(),
                account.getCurrencyCode(),
                account.getAccountType().name(),
                account.getTransitNumber(),
                account.isLimitBased(),
                account.getAvailableBalance().amount());
    }

    private void insert(Connection connection, Transaction txn) {
        write(
                connection,
                """
                INSERT INTO transaction (transaction_id, account_id, transaction_time, transaction_type, amount, currency_code, description, balance_after)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                    ON CONFLICT (transaction_id) DO NOTHING
                """,
                txn.transactionId(),
                txn.accountId(),
                Timestamp.from(txn.transactionTime()),
                txn.transactionType().name(),
                txn.amount().amount(),
                txn.amount().currencyCode(),
                txn.description(),
                txn.balanceAfter().amount());
    }

    private Account toDomain(ResultSet row) throws SQLException {
        return new Account(
                row.getObject("account_id", UUID.class),
                row.getObject("customer_id", UUID.class),
                row.getString("account_number"),
                row.getString("currency_code"),
                AccountType.valueOf(row.getString("account_type")),
                row.getString("transit_number"),
                row.getBoolean("limit_based"),
                new Money(row.getBigDecimal("available_balance"), row.getString("currency_code")));
    }

    private Transaction toTransaction(ResultSet row) throws SQLException {
        String currency = row.getString("currency_code");
        return new Transaction(
                row.getObject("transaction_id", UUID.class),
                row.getObject("account_id", UUID.class),
                row.getTimestamp("transaction_time").toInstant(),
                TransactionType.valueOf(row.getString("transaction_type")),
                new Money(row.getBigDecimal("amount"), currency),
                row.getString("description"),
                new Money(row.getBigDecimal("balance_after"), currency));
    }

    static void write(Connection connection, String sql, Object... values) {
        try (PreparedStatement statement = prepared(connection, sql, values)) {
            statement.executeUpdate();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    static <T> List<T> read(Connection connection, String sql, Object value, Row<T> row) {
        try (PreparedStatement statement = prepared(connection, sql, value);
                ResultSet rows = statement.executeQuery()) {
            var found = new ArrayList<T>();
            while (rows.next()) {
                found.add(row.read(rows));
            }
            return found;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static PreparedStatement prepared(Connection connection, String sql, Object... values) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        for (int i = 0; i < values.length; i++) {
            statement.setObject(i + 1, values[i]);
        }
        return statement;
    }

    /** Reads one row. */
    interface Row<T> {
        T read(ResultSet row) throws SQLException;
    }
}

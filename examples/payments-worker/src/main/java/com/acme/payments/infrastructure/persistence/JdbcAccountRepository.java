package com.acme.payments.infrastructure.persistence;

import com.acme.payments.domain.model.Account;
import com.acme.payments.domain.model.AccountType;
import com.acme.payments.domain.model.Transaction;
import com.acme.payments.domain.model.TransactionType;
import com.acme.payments.domain.repository.AccountRepository;
import jakarta.inject.Singleton;
import jakarta.transaction.Transactional;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

@Singleton
class JdbcAccountRepository implements AccountRepository {

    private static final String SELECT = """
            SELECT account_id, customer_id, account_number, currency_code, account_type, transit_number, limit_based, status,
                   available_balance
              FROM account
             WHERE {condition}
             ORDER BY created_at, account_number
            """;

    private final Sql sql;

    JdbcAccountRepository(Sql sql) {
        this.sql = sql;
    }

    @Override
    @Transactional
    public Optional<Account> lock(UUID accountId) {
        sql.query("SELECT account_id FROM account WHERE account_id = ? FOR UPDATE", row -> true, accountId);
        return findById(accountId);
    }

    @Override
    @Transactional
    public Optional<Account> findById(UUID accountId) {
        return find("account_id = ?", accountId).stream().findFirst();
    }

    @Override
    @Transactional
    public Optional<Account> findByAccountNumber(String accountNumber) {
        return find("account_number = ?", accountNumber).stream().findFirst();
    }

    @Override
    @Transactional
    public List<Account> findByCustomerId(UUID customerId) {
        return find("customer_id = ?", customerId);
    }

    private List<Account> find(String condition, Object value) {
        return sql.query(SELECT.replace("{condition}", condition), this::account, value);
    }

    private Account account(ResultSet row) throws SQLException {
        UUID accountId = Sql.uuid(row, "account_id");
        return Account.restore(
                accountId,
                Sql.uuid(row, "customer_id"),
                row.getString("account_number"),
                AccountType.valueOf(row.getString("account_type")),
                row.getString("transit_number"),
                row.getBoolean("limit_based"),
                Account.Status.valueOf(row.getString("status")),
                Sql.money(row, "available_balance", "currency_code"),
                transactions(accountId));
    }

    private List<Transaction> transactions(UUID accountId) {
        return sql.query(
                """
                SELECT transaction_id, booking_id, transaction_type, amount, currency_code, balance_after, description
                  FROM transaction
                 WHERE account_id = ?
                 ORDER BY entry_number
                """,
                row -> new Transaction(
                        Sql.uuid(row, "transaction_id"),
                        Sql.uuid(row, "booking_id"),
                        TransactionType.valueOf(row.getString("transaction_type")),
                        Sql.money(row, "amount", "currency_code"),
                        Sql.money(row, "balance_after", "currency_code"),
                        row.getString("description")),
                accountId);
    }

    @Override
    @Transactional
    public void save(Account account) {
        int updated = sql.update(
                "UPDATE account SET status = ?, available_balance = ? WHERE account_id = ?",
                account.status().name(),
                account.availableBalance().amount(),
                account.accountId());
        if (updated == 0) {
            insert(account);
        }
        int saved = sql.query(
                        "SELECT COUNT(*) FROM transaction WHERE account_id = ?",
                        row -> row.getInt(1),
                        account.accountId())
                .get(0);
        List<Transaction> all = account.transactions();
        for (int number = saved; number < all.size(); number++) {
            insert(account.accountId(), number, all.get(number));
        }
    }

    private void insert(Account account) {
        sql.update(
                """
                INSERT INTO account (account_id, customer_id, account_number, currency_code, account_type, transit_number,
                                     limit_based, status, available_balance)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
                account.accountId(),
                account.customerId(),
                account.accountNumber(),
                account.availableBalance().currencyCode(),
                account.accountType().name(),
                account.transitNumber(),
                account.limitBased(),
                account.status().name(),
                account.availableBalance().amount());
    }

    private void insert(UUID accountId, int number, Transaction entry) {
        sql.update(
                """
                INSERT INTO transaction (transaction_id, account_id, booking_id, transaction_type, amount,
                                                 currency_code, balance_after, description, entry_number)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
                entry.transactionId(),
                accountId,
                entry.bookingId(),
                entry.transactionType().name(),
                entry.amount().amount(),
                entry.amount().currencyCode(),
                entry.balanceAfter().amount(),
                entry.description(),
                number);
    }
}

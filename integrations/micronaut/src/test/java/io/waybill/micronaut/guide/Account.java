package io.waybill.micronaut.guide;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Section 6.1: an aggregate root. */
public class Account {
    private final UUID accountId; // Identity
    private final UUID customerId;
    private final String accountNumber;
    private final String currencyCode;
    private final AccountType accountType;
    private final String transitNumber;
    private final boolean limitBased;
    private final List<Transaction> transactions = new ArrayList<>(); // Child entities
    private Money availableBalance; // Mutable state

    public Account(
            UUID accountId,
            UUID customerId,
            String accountNumber,
            String currencyCode,
            AccountType accountType,
            String transitNumber,
            boolean limitBased,
            Money availableBalance) {
        this.accountId = accountId;
        this.customerId = customerId;
        this.accountNumber = accountNumber;
        this.currencyCode = currencyCode;
        this.accountType = accountType;
        this.transitNumber = transitNumber;
        this.limitBased = limitBased;
        this.availableBalance = availableBalance;
    }

    public Transaction createTransaction(TransactionType type, Money amount, String description) {
        // Validate
        if (!amount.currencyCode().equals(currencyCode)) {
            throw new IllegalArgumentException("Currency mismatch");
        }

        Money newBalance = calculateNewBalance(type, amount);

        // Business rule
        if (!limitBased && type.isDebit() && newBalance.isNegative()) {
            throw new InsufficientFundsException(accountId, availableBalance, amount);
        }

        // Create transaction
        Transaction transaction =
                new Transaction(UUID.randomUUID(), accountId, Instant.EPOCH, type, amount, description, newBalance);
        transactions.add(transaction);
        availableBalance = newBalance;

        return transaction;
    }

    private Money calculateNewBalance(TransactionType type, Money amount) {
        return type.isDebit() ? availableBalance.subtract(amount) : availableBalance.add(amount);
    }

    void restoreTransaction(Transaction transaction) {
        transactions.add(transaction);
    }

    public UUID getAccountId() {
        return accountId;
    }

    public UUID getCustomerId() {
        return customerId;
    }

    public String getAccountNumber() {
        return accountNumber;
    }

    public String getCurrencyCode() {
        return currencyCode;
    }

    public AccountType getAccountType() {
        return accountType;
    }

    public String getTransitNumber() {
        return transitNumber;
    }

    public boolean isLimitBased() {
        return limitBased;
    }

    public List<Transaction> getTransactions() {
        return transactions;
    }

    public Money getAvailableBalance() {
        return availableBalance;
    }
}

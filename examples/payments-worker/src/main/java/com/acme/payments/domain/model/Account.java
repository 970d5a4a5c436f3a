package com.acme.payments.domain.model;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** An account with its entries. Its balance is the sum of them, and without limits it is never negative. */
public final class Account {

    /** Whether it may be used. */
    public enum Status {
        OPENING,
        ACTIVE,
        CLOSED
    }

    private final UUID accountId;
    private final UUID customerId;
    private final String accountNumber;
    private final AccountType accountType;
    private final String transitNumber;
    private final boolean limitBased;
    private final List<Transaction> transactions = new ArrayList<>();
    private Status status;
    private Money availableBalance;

    private Account(
            UUID accountId,
            UUID customerId,
            String accountNumber,
            AccountType accountType,
            String transitNumber,
            boolean limitBased,
            Status status,
            Money availableBalance) {
        this.accountId = accountId;
        this.customerId = customerId;
        this.accountNumber = accountNumber;
        this.accountType = accountType;
        this.transitNumber = transitNumber;
        this.limitBased = limitBased;
        this.status = status;
        this.availableBalance = availableBalance;
    }

    /** A new account with nothing on it. */
    public static Account open(
            UUID accountId,
            UUID customerId,
            String accountNumber,
            String currencyCode,
            AccountType accountType,
            String transitNumber,
            boolean limitBased) {
        return new Account(
                accountId,
                customerId,
                accountNumber,
                accountType,
                transitNumber,
                limitBased,
                Status.OPENING,
                Money.zero(currencyCode));
    }

    /** An account as it was saved, to which its entries are added in order. */
    public static Account restore(
            UUID accountId,
            UUID customerId,
            String accountNumber,
            AccountType accountType,
            String transitNumber,
            boolean limitBased,
            Status status,
            Money availableBalance,
            List<Transaction> transactions) {
        var account = new Account(
                accountId, customerId, accountNumber, accountType, transitNumber, limitBased, status, availableBalance);
        account.transactions.addAll(transactions);
        return account;
    }

    public void activate() {
        if (status == Status.CLOSED) {
            throw new AccountNotActiveException(accountId);
        }
        status = Status.ACTIVE;
    }

    /** Closes it, once. What is on it is voided by an entry of its own: entries stay. */
    public void close() {
        if (status != Status.CLOSED && availableBalance.isPositive()) {
            add(TransactionType.VOID, accountId, availableBalance, "Void of the balance of a closed account");
        }
        status = Status.CLOSED;
    }

    /** Adds an entry; the one that is there already when the booking has one of this type. */
    public Transaction createTransaction(TransactionType type, UUID bookingId, Money amount, String description) {
        Optional<Transaction> existing = find(bookingId, type);
        if (existing.isPresent()) {
            return existing.get();
        }
        if (!amount.isPositive()) {
            throw new IllegalArgumentException("An entry needs an amount of more than zero, not " + amount + ".");
        }
        return add(type, bookingId, amount, description);
    }

    private Transaction add(TransactionType type, UUID bookingId, Money amount, String description) {
        Money newBalance = type.isDebit() ? availableBalance.subtract(amount) : availableBalance.add(amount);
        check(type, amount, newBalance);
        var transaction = new Transaction(UUID.randomUUID(), bookingId, type, amount, newBalance, description);
        transactions.add(transaction);
        availableBalance = newBalance;
        return transaction;
    }

    private void check(TransactionType type, Money amount, Money newBalance) {
        if ((type == TransactionType.DEBIT && status != Status.ACTIVE) || status == Status.CLOSED) {
            throw new AccountNotActiveException(accountId);
        }
        if (type.isDebit() && !limitBased && newBalance.isNegative()) {
            throw new InsufficientFundsException(accountId, availableBalance, amount);
        }
    }

    /** Gives back what was debited for a booking, once; nothing when nothing was. */
    public Optional<Transaction> reverse(UUID bookingId) {
        return find(bookingId, TransactionType.DEBIT)
                .map(debit -> createTransaction(
                        TransactionType.REVERSAL, bookingId, debit.amount(), "Reversal of " + debit.description()));
    }

    /** Takes back what was credited for a booking, once; nothing when nothing was. */
    public Optional<Transaction> recall(UUID bookingId) {
        return find(bookingId, TransactionType.CREDIT)
                .map(credit -> createTransaction(
                        TransactionType.RECALL, bookingId, credit.amount(), "Recall of " + credit.description()));
    }

    private Optional<Transaction> find(UUID bookingId, TransactionType type) {
        return transactions.stream()
                .filter(entry -> entry.bookingId().equals(bookingId) && entry.transactionType() == type)
                .findFirst();
    }

    public UUID accountId() {
        return accountId;
    }

    public UUID customerId() {
        return customerId;
    }

    public String accountNumber() {
        return accountNumber;
    }

    public AccountType accountType() {
        return accountType;
    }

    public String transitNumber() {
        return transitNumber;
    }

    public boolean limitBased() {
        return limitBased;
    }

    public Status status() {
        return status;
    }

    public boolean active() {
        return status == Status.ACTIVE;
    }

    public Money availableBalance() {
        return availableBalance;
    }

    public List<Transaction> transactions() {
        return Collections.unmodifiableList(transactions);
    }
}

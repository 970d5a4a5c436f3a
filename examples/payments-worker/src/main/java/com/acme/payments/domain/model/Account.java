package com.acme.payments.domain.model;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** An account with its entries. Its balance is the sum of them, and without limits it is never negative. */
public final class Account {

    private final UUID accountId;
    private final UUID customerId;
    private final String accountNumber;
    private final boolean limitBased;
    private final List<Transaction> transactions = new ArrayList<>();
    private boolean active;
    private Money availableBalance;

    private Account(
            UUID accountId,
            UUID customerId,
            String accountNumber,
            boolean limitBased,
            boolean active,
            Money availableBalance) {
        this.accountId = accountId;
        this.customerId = customerId;
        this.accountNumber = accountNumber;
        this.limitBased = limitBased;
        this.active = active;
        this.availableBalance = availableBalance;
    }

    /** A new account with nothing on it. */
    public static Account open(
            UUID accountId, UUID customerId, String accountNumber, String currency, boolean limitBased) {
        return new Account(accountId, customerId, accountNumber, limitBased, false, Money.zero(currency));
    }

    /** An account as it was saved. */
    public static Account restore(
            UUID accountId,
            UUID customerId,
            String accountNumber,
            boolean limitBased,
            boolean active,
            Money availableBalance,
            List<Transaction> transactions) {
        var account = new Account(accountId, customerId, accountNumber, limitBased, active, availableBalance);
        account.transactions.addAll(transactions);
        return account;
    }

    public void activate() {
        active = true;
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
        Money newBalance = type.isDebit() ? availableBalance.subtract(amount) : availableBalance.add(amount);
        if (type.isDebit()) {
            checkDebit(amount, newBalance);
        }
        var transaction = new Transaction(UUID.randomUUID(), bookingId, type, amount, newBalance, description);
        transactions.add(transaction);
        availableBalance = newBalance;
        return transaction;
    }

    private void checkDebit(Money amount, Money newBalance) {
        if (!active) {
            throw new AccountNotActiveException(accountId);
        }
        if (!limitBased && newBalance.isNegative()) {
            throw new InsufficientFundsException(accountId, availableBalance, amount);
        }
    }

    /** Credits what was debited for a booking, once; nothing when nothing was. */
    public Optional<Transaction> reverse(UUID bookingId) {
        return find(bookingId, TransactionType.DEBIT)
                .map(debit -> createTransaction(
                        TransactionType.REVERSAL, bookingId, debit.amount(), "Reversal of " + debit.description()));
    }

    private Optional<Transaction> find(UUID bookingId, TransactionType type) {
        return transactions.stream()
                .filter(entry -> entry.bookingId().equals(bookingId) && entry.type() == type)
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

    public boolean limitBased() {
        return limitBased;
    }

    public boolean active() {
        return active;
    }

    public Money availableBalance() {
        return availableBalance;
    }

    public List<Transaction> transactions() {
        return Collections.unmodifiableList(transactions);
    }
}

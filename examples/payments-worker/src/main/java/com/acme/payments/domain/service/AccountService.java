package com.acme.payments.domain.service;

import com.acme.payments.HandlesCommands;
import com.acme.payments.application.command.ActivateAccountCommand;
import com.acme.payments.application.command.CloseAccountCommand;
import com.acme.payments.application.command.CreateAccountCommand;
import com.acme.payments.application.command.CreateTransactionCommand;
import com.acme.payments.application.command.ReverseTransactionCommand;
import com.acme.payments.domain.model.Account;
import com.acme.payments.domain.model.AccountNotFoundException;
import com.acme.payments.domain.model.Money;
import com.acme.payments.domain.model.Transaction;
import com.acme.payments.domain.model.TransactionType;
import com.acme.payments.domain.repository.AccountRepository;
import jakarta.inject.Singleton;
import jakarta.transaction.Transactional;
import java.util.Map;
import java.util.UUID;

/** Opens accounts, debits them and gives back. */
@Singleton
@HandlesCommands
public class AccountService {

    private final AccountRepository accounts;

    AccountService(AccountRepository accounts) {
        this.accounts = accounts;
    }

    @Transactional
    public void createAccount(CreateAccountCommand command) {
        if (accounts.lock(command.accountId()).isPresent()) {
            return;
        }
        Account account = Account.open(
                command.accountId(),
                command.customerId(),
                command.accountNumber(),
                command.currency(),
                command.limitBased());
        var opening = new Money(command.openingBalance(), command.currency());
        if (opening.isPositive()) {
            account.createTransaction(TransactionType.CREDIT, command.accountId(), opening, "Opening balance");
        }
        accounts.save(account);
    }

    @Transactional
    public void closeAccount(CloseAccountCommand command) {
        accounts.delete(command.accountId());
    }

    @Transactional
    public void activateAccount(ActivateAccountCommand command) {
        Account account = locked(command.accountId());
        account.activate();
        accounts.save(account);
    }

    @Transactional
    public Map<String, Object> createTransaction(CreateTransactionCommand command) {
        Account account = locked(command.accountId());
        Transaction debit = account.createTransaction(
                TransactionType.DEBIT,
                command.paymentId(),
                new Money(command.amount(), command.currency()),
                "Payment " + command.paymentId());
        accounts.save(account);
        return Map.of("transactionId", debit.transactionId());
    }

    @Transactional
    public void reverseTransaction(ReverseTransactionCommand command) {
        Account account = locked(command.accountId());
        account.reverse(command.paymentId());
        accounts.save(account);
    }

    private Account locked(UUID accountId) {
        return accounts.lock(accountId).orElseThrow(() -> new AccountNotFoundException(accountId));
    }
}

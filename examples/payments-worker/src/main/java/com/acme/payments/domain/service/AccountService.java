package com.acme.payments.domain.service;

import com.acme.payments.HandlesCommands;
import com.acme.payments.application.command.CreateTransactionCommand;
import com.acme.payments.application.command.CreditBeneficiaryCommand;
import com.acme.payments.application.command.RecallCreditCommand;
import com.acme.payments.application.command.ReverseTransactionCommand;
import com.acme.payments.application.command.account.ActivateAccountCommand;
import com.acme.payments.application.command.account.CloseAccountCommand;
import com.acme.payments.application.command.account.CreateAccountCommand;
import com.acme.payments.application.command.account.DepositCommand;
import com.acme.payments.domain.model.Account;
import com.acme.payments.domain.model.AccountNotFoundException;
import com.acme.payments.domain.model.Transaction;
import com.acme.payments.domain.model.TransactionType;
import com.acme.payments.domain.repository.AccountRepository;
import jakarta.inject.Singleton;
import jakarta.transaction.Transactional;
import java.util.Map;
import java.util.UUID;

/** Opens accounts, pays in, debits and credits them, and gives back. */
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
                command.openingBalance().currencyCode(),
                command.accountType(),
                command.transitNumber(),
                command.limitBased());
        if (command.openingBalance().isPositive()) {
            account.createTransaction(
                    TransactionType.CREDIT, command.accountId(), command.openingBalance(), "Opening balance");
        }
        accounts.save(account);
    }

    /** Takes back that an account was opened: it is closed and its balance is voided. */
    @Transactional
    public void closeAccount(CloseAccountCommand command) {
        accounts.lock(command.accountId()).ifPresent(account -> {
            account.close();
            accounts.save(account);
        });
    }

    @Transactional
    public void activateAccount(ActivateAccountCommand command) {
        Account account = locked(command.accountId());
        account.activate();
        accounts.save(account);
    }

    @Transactional
    public Map<String, Object> deposit(DepositCommand command) {
        Account account = locked(command.accountId());
        Transaction credit = account.createTransaction(
                TransactionType.CREDIT, command.depositId(), command.amount(), "Deposit " + command.depositId());
        accounts.save(account);
        return Map.of(
                "transactionId", credit.transactionId(),
                "balance", credit.balanceAfter().amount());
    }

    @Transactional
    public Map<String, Object> createTransaction(CreateTransactionCommand command) {
        Account account = locked(command.debitAccountId());
        Transaction debit = account.createTransaction(
                TransactionType.DEBIT, command.paymentId(), command.debitAmount(), "Payment " + command.paymentId());
        accounts.save(account);
        return Map.of("transactionId", debit.transactionId());
    }

    @Transactional
    public void reverseTransaction(ReverseTransactionCommand command) {
        Account account = locked(command.debitAccountId());
        account.reverse(command.paymentId());
        accounts.save(account);
    }

    /** The money of other beneficiaries leaves the bank. */
    @Transactional
    public void creditBeneficiary(CreditBeneficiaryCommand command) {
        UUID accountId = command.beneficiary().accountId();
        if (accountId != null) {
            Account account = locked(accountId);
            account.createTransaction(
                    TransactionType.CREDIT,
                    command.paymentId(),
                    command.creditAmount(),
                    "Payment " + command.paymentId());
            accounts.save(account);
        }
    }

    @Transactional
    public void recallCredit(RecallCreditCommand command) {
        UUID accountId = command.beneficiary().accountId();
        if (accountId != null) {
            Account account = locked(accountId);
            account.recall(command.paymentId());
            accounts.save(account);
        }
    }

    private Account locked(UUID accountId) {
        return accounts.lock(accountId).orElseThrow(() -> new AccountNotFoundException(accountId));
    }
}

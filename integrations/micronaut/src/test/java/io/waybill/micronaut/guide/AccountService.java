package io.waybill.micronaut.guide;

import io.waybill.micronaut.guide.AccountCommands.CompleteAccountCreationCommand;
import io.waybill.micronaut.guide.AccountCommands.CreateAccountCommand;
import io.waybill.micronaut.guide.PaymentCommands.CreateTransactionCommand;
import io.waybill.micronaut.guide.PaymentCommands.ReverseTransactionCommand;
import jakarta.inject.Singleton;
import jakarta.transaction.Transactional;
import java.util.Map;
import java.util.UUID;

/** Sections 2.2, 5.6 and 9.4. */
@Singleton
public class AccountService {
    private final AccountRepository accountRepository;

    public AccountService(AccountRepository accountRepository) {
        this.accountRepository = accountRepository;
    }

    @Transactional
    public Account createAccount(CreateAccountCommand cmd) {
        Account account = new Account(
                UUID.randomUUID(),
                cmd.customerId(),
                generateAccountNumber(),
                cmd.currencyCode(),
                cmd.accountType(),
                cmd.transitNumber(),
                cmd.limitBased(),
                Money.zero(cmd.currencyCode()));

        accountRepository.save(account);
        return account;
    }

    private static String generateAccountNumber() {
        return UUID.randomUUID().toString().substring(0, 18);
    }

    // Handler can be minimal
    public Map<String, Object> handleCompleteAccountCreation(CompleteAccountCreationCommand cmd) {
        return Map.of("status", "completed");
    }

    @Transactional
    public Map<String, Object> createTransaction(CreateTransactionCommand cmd) {
        UUID limitId = UUID.fromString(cmd.limitId());
        Account account = accountRepository.findById(cmd.debitAccountId()).orElseThrow();
        Transaction debit = account.createTransaction(
                TransactionType.DEBIT, Money.of(cmd.amount(), account.getCurrencyCode()), "Booked on " + limitId);
        accountRepository.save(account);
        // Store only IDs and essential data
        return Map.of(
                "transactionId", debit.transactionId().toString(),
                "balance", account.getAvailableBalance().amount());
    }

    @Transactional
    public void reverseTransaction(ReverseTransactionCommand cmd) {
        Account account = accountRepository.findById(cmd.debitAccountId()).orElseThrow();
        account.createTransaction(
                TransactionType.CREDIT, Money.of(cmd.amount(), account.getCurrencyCode()), "Reversal");
        accountRepository.save(account);
    }
}

package com.acme.payments.infrastructure.http;

import com.acme.payments.HandlesCommands;
import com.acme.payments.domain.model.Account;
import com.acme.payments.domain.repository.AccountRepository;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Shows accounts. */
@Controller("/accounts")
@HandlesCommands
@ExecuteOn(TaskExecutors.BLOCKING)
public class AccountController {

    private final AccountRepository accounts;

    AccountController(AccountRepository accounts) {
        this.accounts = accounts;
    }

    /** What is shown of an account. */
    public record AccountView(
            UUID accountId, String accountNumber, boolean active, String balance, List<String> entries) {

        static AccountView of(Account account) {
            return new AccountView(
                    account.accountId(),
                    account.accountNumber(),
                    account.active(),
                    account.availableBalance().toString(),
                    account.transactions().stream()
                            .map(entry -> entry.transactionType() + " " + entry.amount() + ": " + entry.description())
                            .toList());
        }
    }

    @Get("/{accountId}")
    public Optional<AccountView> show(UUID accountId) {
        return accounts.findById(accountId).map(AccountView::of);
    }
}

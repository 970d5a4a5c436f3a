package com.acme.payments.infrastructure.http;

import com.acme.payments.domain.model.Account;
import com.acme.payments.domain.repository.AccountRepository;
import com.acme.payments.orchestration.CreateAccount;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Post;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.waybill.process.ProcessManager;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Opens accounts and shows them. */
@Controller("/accounts")
@ExecuteOn(TaskExecutors.BLOCKING)
public class AccountController {

    private final ProcessManager processes;
    private final AccountRepository accounts;

    AccountController(ProcessManager processes, AccountRepository accounts) {
        this.processes = processes;
        this.accounts = accounts;
    }

    /**
     * An account that somebody wants.
     *
     * @param limit with it the account may be overdrawn as far as its limit goes
     */
    public record NewAccount(
            UUID customerId,
            String accountNumber,
            String currency,
            BigDecimal openingBalance,
            @Nullable BigDecimal limit) {}

    /** What is shown of an account. */
    public record AccountView(UUID accountId, boolean active, String balance, List<String> entries) {

        static AccountView of(Account account) {
            return new AccountView(
                    account.accountId(),
                    account.active(),
                    account.availableBalance().toString(),
                    account.transactions().stream()
                            .map(entry -> entry.type() + " " + entry.amount() + ": " + entry.description())
                            .toList());
        }
    }

    @Post
    public HttpResponse<Map<String, Object>> open(@Body NewAccount wanted) {
        UUID accountId = UUID.randomUUID();
        var data = new LinkedHashMap<String, Object>(Map.of(
                "accountId", accountId,
                "customerId", wanted.customerId(),
                "accountNumber", wanted.accountNumber(),
                "currency", wanted.currency(),
                "openingBalance", wanted.openingBalance(),
                "limitBased", wanted.limit() != null));
        if (wanted.limit() != null) {
            data.put("limit", wanted.limit());
        }
        UUID process = processes.startProcess(CreateAccount.TYPE, accountId.toString(), data);
        return HttpResponse.accepted().body(Map.of("accountId", accountId, "processId", process));
    }

    @Get("/{accountId}")
    public Optional<AccountView> show(UUID accountId) {
        return accounts.findById(accountId).map(AccountView::of);
    }
}

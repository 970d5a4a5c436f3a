package com.acme.payments.infrastructure.http;

import static com.acme.payments.infrastructure.http.Requests.money;
import static com.acme.payments.infrastructure.http.Requests.required;
import static io.waybill.command.BusinessKey.businessKey;
import static io.waybill.command.IdempotencyKey.idempotencyKey;

import com.acme.payments.RunsProcesses;
import com.acme.payments.application.command.account.AccountLimitDefinition;
import com.acme.payments.application.command.account.DepositCommand;
import com.acme.payments.domain.model.AccountLimit.Period;
import com.acme.payments.domain.model.AccountType;
import com.acme.payments.domain.model.TransactionType;
import com.acme.payments.orchestration.CreateAccount;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.waybill.command.CommandBus;
import io.waybill.command.CommandOptions;
import io.waybill.command.CommandReply;
import io.waybill.process.ProcessManager;
import java.time.Clock;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Opens accounts, which is a process, and pays in, which is one command. */
@Controller("/accounts")
@RunsProcesses
@ExecuteOn(TaskExecutors.BLOCKING)
public class AccountOpeningController {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final ProcessManager processes;
    private final CommandBus commands;

    AccountOpeningController(ProcessManager processes, CommandBus commands) {
        this.processes = processes;
        this.commands = commands;
    }

    /**
     * An account that somebody wants.
     *
     * @param limits with them the account may be overdrawn as far as they go
     */
    public record NewAccount(
            @Nullable UUID customerId,
            @Nullable String accountNumber,
            @Nullable String currency,
            @Nullable AccountType accountType,
            @Nullable String transitNumber,
            @Nullable String openingBalance,
            @Nullable List<NewLimit> limits) {

        private Map<String, Object> data(UUID accountId, LocalDate today) {
            List<AccountLimitDefinition> wanted = limits == null
                    ? List.of()
                    : limits.stream().map(limit -> limit.definition(currency)).toList();
            return Map.of(
                    "accountId",
                    accountId,
                    "customerId",
                    required(customerId, "customerId"),
                    "accountNumber",
                    required(accountNumber, "accountNumber"),
                    "accountType",
                    accountType == null ? AccountType.CHECKING : accountType,
                    "transitNumber",
                    transitNumber == null ? "001" : transitNumber,
                    "openingBalance",
                    money(openingBalance, currency, "openingBalance"),
                    "openingDate",
                    today,
                    "limitBased",
                    !wanted.isEmpty(),
                    "limits",
                    wanted);
        }
    }

    /** How much may leave the account in a period; {@code DEBIT} if it does not say by what. */
    public record NewLimit(
            @Nullable Period period,
            @Nullable TransactionType transactionType,
            @Nullable String amount) {

        private AccountLimitDefinition definition(@Nullable String currency) {
            return new AccountLimitDefinition(
                    required(period, "period"),
                    transactionType == null ? TransactionType.DEBIT : transactionType,
                    money(amount, currency, "amount"));
        }
    }

    /**
     * Money that somebody pays in.
     *
     * @param requestId chosen by the client: the same request twice is one deposit
     */
    public record NewDeposit(
            @Nullable UUID requestId,
            @Nullable String amount,
            @Nullable String currency) {}

    @Post
    public HttpResponse<Map<String, Object>> open(@Body NewAccount wanted) {
        UUID accountId = UUID.randomUUID();
        UUID process = processes.startProcess(
                CreateAccount.TYPE, accountId.toString(), wanted.data(accountId, LocalDate.now(Clock.systemUTC())));
        return HttpResponse.accepted().body(Map.of("accountId", accountId, "processId", process));
    }

    @Post("/{accountId}/deposits")
    public HttpResponse<?> deposit(UUID accountId, @Body NewDeposit wanted) {
        UUID requestId = required(wanted.requestId(), "requestId");
        var command = new DepositCommand(requestId, accountId, money(wanted.amount(), wanted.currency(), "amount"));
        CommandReply reply = commands.send(
                        command, idempotencyKey(requestId), businessKey(accountId), CommandOptions.DEFAULT)
                .await(PATIENCE)
                .reply();
        return reply.fold(
                completed -> HttpResponse.ok(completed.data()),
                failed -> HttpResponse.unprocessableEntity().body(Map.of("message", failed.error())),
                timedOut -> HttpResponse.accepted().body(Map.of("commandId", timedOut.commandId())));
    }
}

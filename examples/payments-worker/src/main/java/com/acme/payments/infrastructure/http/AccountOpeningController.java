package com.acme.payments.infrastructure.http;

import com.acme.payments.RunsProcesses;
import com.acme.payments.orchestration.CreateAccount;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.waybill.process.ProcessManager;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Opens accounts. */
@Controller("/accounts")
@RunsProcesses
@ExecuteOn(TaskExecutors.BLOCKING)
public class AccountOpeningController {

    private final ProcessManager processes;

    AccountOpeningController(ProcessManager processes) {
        this.processes = processes;
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
}

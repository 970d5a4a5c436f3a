package com.acme.payments.infrastructure.http;

import static com.acme.payments.infrastructure.http.Requests.money;
import static com.acme.payments.infrastructure.http.Requests.required;

import com.acme.payments.RunsProcesses;
import com.acme.payments.domain.model.Beneficiary;
import com.acme.payments.domain.model.Money;
import com.acme.payments.domain.model.TransactionType;
import com.acme.payments.orchestration.ParallelPayment;
import com.acme.payments.orchestration.SimplePayment;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Post;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.waybill.process.ProcessManager;
import io.waybill.process.state.ProcessStatus;
import io.waybill.process.store.ProcessQuery;
import java.math.BigDecimal;
import java.time.Clock;
import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Starts payments and shows how they went. */
@Controller("/payments")
@RunsProcesses
@ExecuteOn(TaskExecutors.BLOCKING)
public class PaymentController {

    private final ProcessManager processes;

    PaymentController(ProcessManager processes) {
        this.processes = processes;
    }

    /**
     * A payment that somebody wants.
     *
     * @param paymentId chosen by the client: the same payment requested twice is made once
     * @param targetCurrency what the beneficiary gets, if not the currency of the account
     * @param valueDate today if it does not say
     * @param parallel whether independent steps run at once
     */
    public record NewPayment(
            @Nullable UUID paymentId,
            @Nullable UUID accountId,
            @Nullable Beneficiary beneficiary,
            @Nullable String amount,
            @Nullable String currency,
            @Nullable String targetCurrency,
            @Nullable LocalDate valueDate,
            boolean parallel) {

        private Map<String, Object> data(LocalDate today) {
            return paymentData(
                    required(paymentId, "paymentId"),
                    required(accountId, "accountId"),
                    required(beneficiary, "beneficiary"),
                    money(amount, currency, "amount"),
                    targetCurrency == null ? required(currency, "currency") : targetCurrency,
                    valueDate == null ? today : valueDate);
        }

        private String processType() {
            boolean exchanges = targetCurrency != null && !targetCurrency.equals(currency);
            return parallel && exchanges ? ParallelPayment.TYPE : SimplePayment.TYPE;
        }
    }

    /** What a payment begins with. Where nothing is exchanged, what is credited is what is debited. */
    public static Map<String, Object> paymentData(
            UUID paymentId,
            UUID debitAccountId,
            Beneficiary beneficiary,
            Money debitAmount,
            String creditCurrency,
            LocalDate valueDate) {
        boolean requiresFx = !creditCurrency.equals(debitAmount.currencyCode());
        var data = new LinkedHashMap<String, Object>(Map.of(
                "paymentId", paymentId,
                "debitAccountId", debitAccountId,
                "beneficiary", beneficiary,
                "debitAmount", debitAmount,
                "creditCurrency", creditCurrency,
                "transactionType", TransactionType.DEBIT,
                "valueDate", valueDate,
                "requiresFx", requiresFx));
        if (!requiresFx) {
            data.put("creditAmount", debitAmount);
            data.put("exchangeRate", BigDecimal.ONE);
        }
        return data;
    }

    /** What is shown of a payment. */
    public record PaymentView(UUID paymentId, String status, boolean paid, String explanation) {}

    @Post
    public HttpResponse<Map<String, Object>> pay(@Body NewPayment wanted) {
        UUID paymentId = required(wanted.paymentId(), "paymentId");
        UUID process = processes.startProcess(
                wanted.processType(), paymentId.toString(), wanted.data(LocalDate.now(Clock.systemUTC())));
        return HttpResponse.accepted().body(Map.of("paymentId", paymentId, "processId", process));
    }

    @Get("/{paymentId}")
    public Optional<PaymentView> show(UUID paymentId) {
        return Stream.of(SimplePayment.TYPE, ParallelPayment.TYPE)
                .flatMap(type -> processes.search(ProcessQuery.ANY.ofType(type).about(paymentId.toString())).stream())
                .findFirst()
                .map(process -> new PaymentView(
                        paymentId,
                        process.status().name(),
                        process.status() == ProcessStatus.SUCCEEDED,
                        processes.explain(process.processId())));
    }
}

package com.acme.payments.infrastructure.http;

import com.acme.payments.RunsProcesses;
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
     * @param paymentId chosen by whoever wants it: the same payment asked for twice is made once
     * @param targetCurrency what the beneficiary gets, if not the currency of the account
     * @param parallel whether independent steps run at once
     */
    public record NewPayment(
            UUID paymentId,
            UUID accountId,
            String beneficiary,
            BigDecimal amount,
            String currency,
            @Nullable String targetCurrency,
            boolean parallel) {

        Map<String, Object> data() {
            String target = targetCurrency == null ? currency : targetCurrency;
            return Map.of(
                    "paymentId", paymentId,
                    "accountId", accountId,
                    "beneficiary", beneficiary,
                    "amount", amount,
                    "currency", currency,
                    "targetCurrency", target,
                    "requiresFx", !target.equals(currency));
        }

        String processType() {
            boolean exchanges = targetCurrency != null && !targetCurrency.equals(currency);
            return parallel && exchanges ? ParallelPayment.TYPE : SimplePayment.TYPE;
        }
    }

    /** What is shown of a payment. */
    public record PaymentView(UUID paymentId, String status, boolean paid, String explanation) {}

    @Post
    public HttpResponse<Map<String, Object>> pay(@Body NewPayment wanted) {
        UUID process =
                processes.startProcess(wanted.processType(), wanted.paymentId().toString(), wanted.data());
        return HttpResponse.accepted().body(Map.of("paymentId", wanted.paymentId(), "processId", process));
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

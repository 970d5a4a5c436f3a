package io.waybill.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Scope;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.waybill.command.DomainCommand;
import io.waybill.process.definition.ProcessConfiguration;
import io.waybill.process.graph.ProcessGraph;
import io.waybill.process.graph.RetryPolicy;
import io.waybill.process.state.ProcessStatus;
import io.waybill.process.store.ProcessQuery;
import io.waybill.relay.route.RelayOptions;
import io.waybill.runtime.Waybill;
import io.waybill.runtime.WaybillBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A process and its steps are one trace, whoever begins a step: a reply, a timer, an operator or a signal. */
final class ProcessTraceTest {

    public record ReserveCommand(String item) implements DomainCommand {}

    public record ReleaseCommand(String item) implements DomainCommand {}

    public record ShipCommand(String item) implements DomainCommand {}

    /** Two steps with a pause between them. */
    static final class Delayed implements ProcessConfiguration {
        @Override
        public String getProcessType() {
            return "Delayed";
        }

        @Override
        public ProcessGraph defineProcess() {
            return process()
                    .startWith(ReserveCommand.class)
                    .thenDelay("Cooling", Duration.ofMillis(300))
                    .then(ShipCommand.class)
                    .withRetries(new RetryPolicy(2, Duration.ofMillis(50), Duration.ofMillis(50), true))
                    .end();
        }
    }

    /** The second step takes too long. */
    static final class Late implements ProcessConfiguration {
        @Override
        public String getProcessType() {
            return "Late";
        }

        @Override
        public ProcessGraph defineProcess() {
            return process()
                    .startWith(ReserveCommand.class)
                    .withCompensation(ReleaseCommand.class)
                    .then(ShipCommand.class)
                    .withTimeout(Duration.ofMillis(300))
                    .withRetries(RetryPolicy.upTo(0))
                    .end();
        }
    }

    /** A step that a signal begins. */
    static final class Signalled implements ProcessConfiguration {
        @Override
        public String getProcessType() {
            return "Signalled";
        }

        @Override
        public ProcessGraph defineProcess() {
            return process()
                    .startWith(ReserveCommand.class)
                    .thenWaitFor("approved")
                    .then(ShipCommand.class)
                    .withRetries(new RetryPolicy(1, Duration.ofHours(1), Duration.ofHours(1), true))
                    .end();
        }
    }

    /** Handles the steps; shipping fails, or takes its time. */
    public static final class Shop {
        private final AtomicInteger failures = new AtomicInteger();
        private final CountDownLatch shipping = new CountDownLatch(1);
        private boolean slow;

        public void reserve(ReserveCommand command) {}

        public void release(ReleaseCommand command) {}

        public void ship(ShipCommand command) throws InterruptedException {
            if (failures.getAndDecrement() > 0) {
                throw new IllegalStateException("no lorry");
            }
            if (slow) {
                shipping.await(20, TimeUnit.SECONDS);
            }
        }
    }

    private final InMemorySpanExporter exporter = InMemorySpanExporter.create();
    private final OpenTelemetrySdk telemetry = OpenTelemetrySdk.builder()
            .setTracerProvider(SdkTracerProvider.builder()
                    .addSpanProcessor(SimpleSpanProcessor.create(exporter))
                    .build())
            .setPropagators(ContextPropagators.create(W3CTraceContextPropagator.getInstance()))
            .build();
    private final JdbcConnectionPool database =
            JdbcConnectionPool.create("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", "");
    private final Shop shop = new Shop();

    @AfterEach
    void close() {
        telemetry.close();
        database.dispose();
    }

    @Test
    void a_step_after_a_delay_and_its_retry_are_in_the_trace_of_the_process() {
        shop.failures.set(1);
        try (Waybill waybill = start()) {
            UUID id = inSpan("buy", () -> begin(waybill, "Delayed"));

            await(waybill, id, ProcessStatus.SUCCEEDED);
        }
        assertHandled("RESERVE", "SHIP", "SHIP");
        assertThat(tracesOfSteps()).containsExactly(traceOf("buy"));
    }

    @Test
    void a_compensation_after_a_timeout_is_in_the_trace_of_the_process() {
        shop.slow = true;
        try (Waybill waybill = start()) {
            UUID id = inSpan("buy", () -> begin(waybill, "Late"));

            await(waybill, id, ProcessStatus.COMPENSATED);
            shop.shipping.countDown();
        }
        assertThat(steps()).contains("RESERVE", "RELEASE");
        assertThat(tracesOfSteps()).containsExactly(traceOf("buy"));
    }

    @Test
    void a_process_goes_on_in_its_trace_after_a_restart() {
        try (Waybill first = start()) {
            UUID id = inSpan("buy", () -> begin(first, "Signalled"));
            Awaitility.await().until(() -> steps().contains("RESERVE"));
            assertThat(first.processManager().find(id)).isPresent();
        }
        try (Waybill second = start()) {
            UUID id = second.processManager().search(ProcessQuery.ANY).get(0).processId();
            shop.failures.set(1);
            inSpan("approve", () -> signal(second, id));
            Awaitility.await().until(() -> steps().size() == 2);
            Awaitility.await()
                    .untilAsserted(() ->
                            assertThat(second.processManager().explain(id)).contains("is tried again at"));

            inSpan("retry", () -> retry(second, id));

            await(second, id, ProcessStatus.SUCCEEDED);
        }
        assertHandled("RESERVE", "SHIP", "SHIP");
        assertThat(tracesOfSteps())
                .as("neither that of the signal nor that of the operator")
                .containsExactly(traceOf("buy"));
    }

    @Test
    void a_process_that_is_started_outside_of_a_trace_begins_one() {
        try (Waybill waybill = start()) {
            await(waybill, begin(waybill, "Delayed"), ProcessStatus.SUCCEEDED);
        }
        assertHandled("RESERVE", "SHIP");
        assertThat(tracesOfSteps()).containsExactly(traceOf("start Delayed"));
    }

    @Test
    void a_node_that_traces_nothing_keeps_the_trace_of_a_process() {
        try (Waybill traced = start()) {
            inSpan("buy", () -> begin(traced, "Signalled"));
            Awaitility.await().until(() -> steps().contains("RESERVE"));
        }
        try (Waybill untraced = shop(Waybill.on(database)).relays(0).start()) {
            UUID id = untraced.processManager().search(ProcessQuery.ANY).get(0).processId();
            Awaitility.await()
                    .untilAsserted(() ->
                            assertThat(untraced.processManager().explain(id)).contains("approved"));
            signal(untraced, id);
        }
        try (Waybill traced = start()) {
            Awaitility.await().until(() -> steps().size() == 2);
        }
        assertThat(tracesOfSteps()).containsExactly(traceOf("buy"));
    }

    @Test
    void a_step_that_runs_in_the_commit_of_the_one_before_has_a_span_below_it() {
        try (Waybill waybill =
                traced().relay(RelayOptions.DEFAULT.withMessagesPerCommit(8)).start()) {
            UUID id = inSpan("buy", () -> begin(waybill, "Late"));

            await(waybill, id, ProcessStatus.SUCCEEDED);
        }
        assertThat(steps()).containsExactly("SHIP", "RESERVE");
        List<SpanData> spans = handled().toList();
        assertThat(spans.get(0).getParentSpanId()).isEqualTo(spans.get(1).getSpanId());
        assertThat(spans.get(0).getAttributes().get(AttributeKey.stringKey("messaging.message.conversation_id")))
                .isEqualTo(
                        spans.get(1).getAttributes().get(AttributeKey.stringKey("messaging.message.conversation_id")));
        assertThat(tracesOfSteps()).containsExactly(traceOf("buy"));
    }

    private Waybill start() {
        return traced().start();
    }

    private WaybillBuilder traced() {
        var tracing = OpenTelemetryListener.of(telemetry);
        return shop(
                Waybill.on(database).outboxListener(tracing).listener(tracing).inboxListener(tracing));
    }

    private WaybillBuilder shop(WaybillBuilder builder) {
        return builder.handlers(shop).processes(new Delayed(), new Late(), new Signalled());
    }

    private static UUID begin(Waybill waybill, String type) {
        return waybill.processManager().startProcess(type, "p-1", Map.of("item", "book"));
    }

    private static UUID signal(Waybill waybill, UUID id) {
        waybill.processManager().signal(id, "approved", Map.of());
        return id;
    }

    private static UUID retry(Waybill waybill, UUID id) {
        waybill.processManager().retry(id, "Ship", "there is a lorry");
        return id;
    }

    private static void await(Waybill waybill, UUID id, ProcessStatus status) {
        Awaitility.await()
                .untilAsserted(() -> assertThat(waybill.processManager().find(id))
                        .hasValueSatisfying(
                                process -> assertThat(process.status()).isEqualTo(status)));
    }

    private <T> T inSpan(String name, Supplier<T> work) {
        var span = telemetry.getTracer("test").spanBuilder(name).startSpan();
        try (Scope scope = span.makeCurrent()) {
            return work.get();
        } finally {
            span.end();
        }
    }

    /** The commands that were handled, in the order in which that ended. */
    /** In this order; a transaction that met another one is repeated, and has a span each time. */
    private void assertHandled(String... steps) {
        assertThat(steps()).containsSubsequence(steps).containsOnly(steps);
    }

    private List<String> steps() {
        return handled()
                .map(span -> span.getName().replaceAll("process APP\\.CMD\\.(.*)\\.Q", "$1"))
                .toList();
    }

    private Set<String> tracesOfSteps() {
        return handled().map(SpanData::getTraceId).collect(Collectors.toSet());
    }

    private Stream<SpanData> handled() {
        return exporter.getFinishedSpanItems().stream().filter(span -> span.getKind() == SpanKind.CONSUMER);
    }

    private String traceOf(String name) {
        return exporter.getFinishedSpanItems().stream()
                .filter(span -> span.getName().equals(name))
                .map(SpanData::getTraceId)
                .findFirst()
                .orElseThrow();
    }
}

package io.waybill.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Scope;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Span.SpanKind;
import io.opentelemetry.proto.trace.v1.Status.StatusCode;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.waybill.command.DomainCommand;
import io.waybill.inbox.Received;
import io.waybill.message.Envelope;
import io.waybill.message.Message;
import io.waybill.process.definition.ProcessConfiguration;
import io.waybill.process.graph.ProcessGraph;
import io.waybill.runtime.Waybill;
import io.waybill.runtime.WaybillBuilder;
import io.waybill.transport.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Traces as a collector gets them. */
final class OpenTelemetryListenerTest {

    public record ReserveCommand(String item) implements DomainCommand {}

    public record ChargeCommand(int amount) implements DomainCommand {}

    /** Two steps. */
    public static final class Purchase implements ProcessConfiguration {
        @Override
        public String getProcessType() {
            return "Purchase";
        }

        @Override
        public ProcessGraph defineProcess() {
            return process()
                    .startWith(ReserveCommand.class)
                    .then(ChargeCommand.class)
                    .end();
        }
    }

    /** Handles the steps. */
    public static final class Shop {
        public void reserve(ReserveCommand command) {}

        public void charge(ChargeCommand command) {
            if (command.amount() < 0) {
                throw new IllegalArgumentException("a negative amount");
            }
        }
    }

    private final OtlpReceiver collector = new OtlpReceiver();
    private final OpenTelemetrySdk telemetry = OpenTelemetrySdk.builder()
            .setTracerProvider(SdkTracerProvider.builder()
                    .addSpanProcessor(SimpleSpanProcessor.create(OtlpHttpSpanExporter.builder()
                            .setEndpoint(collector.url())
                            .build()))
                    .build())
            .setPropagators(ContextPropagators.create(W3CTraceContextPropagator.getInstance()))
            .build();
    private final JdbcConnectionPool database =
            JdbcConnectionPool.create("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", "");
    private final List<Envelope> sent = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        telemetry.close();
        collector.close();
        database.dispose();
    }

    @Test
    void a_message_takes_its_context_along_and_the_relay_is_linked_to_it() {
        try (Waybill waybill = traced(telemetry).route("orders", this::publish).start()) {
            UUID id = inSpan("place order", () -> append(waybill, "orders"));

            Span placed = span(one -> one.getName().equals("place order"));
            Span send = span(one -> one.getName().equals("send orders"));
            assertThat(send.getKind()).isEqualTo(SpanKind.SPAN_KIND_PRODUCER);
            assertThat(send.getTraceId()).as("a relay sends for many").isNotEqualTo(placed.getTraceId());
            assertThat(send.getLinksList()).singleElement().satisfies(link -> {
                assertThat(link.getTraceId()).isEqualTo(placed.getTraceId());
                assertThat(link.getSpanId()).isEqualTo(placed.getSpanId());
            });
            assertThat(attributes(send))
                    .containsEntry("messaging.destination.name", "orders")
                    .containsEntry("messaging.operation.type", "send")
                    .containsEntry("messaging.message.id", id.toString())
                    .containsEntry("messaging.batch.message_count", "1");
            assertThat(sent)
                    .singleElement()
                    .satisfies(message -> assertThat(message.headers().get("traceparent"))
                            .as("the broker gets it unchanged")
                            .startsWith("00-" + hex(placed.getTraceId()) + "-" + hex(placed.getSpanId()) + "-"));
        }
    }

    @Test
    void a_handler_continues_the_context_of_its_message_and_what_it_appends_does_too() {
        try (Waybill waybill = traced(telemetry).route("mails", this::publish).build()) {
            waybill.subscribe(
                    "orders",
                    "mailer",
                    String.class,
                    (Received<String> order) ->
                            order.outbox().append(Message.event("Mail", "{}").to("mails")));
            waybill.start();
            inSpan("place order", () -> append(waybill, "orders"));

            Span placed = span(one -> one.getName().equals("place order"));
            Span process = span(one -> one.getName().equals("process orders"));
            Span send = span(one -> one.getName().equals("send mails"));
            assertThat(process.getKind()).isEqualTo(SpanKind.SPAN_KIND_CONSUMER);
            assertThat(process.getTraceId()).isEqualTo(placed.getTraceId());
            assertThat(process.getParentSpanId()).isEqualTo(placed.getSpanId());
            assertThat(send.getLinksList())
                    .singleElement()
                    .satisfies(link -> assertThat(link.getSpanId()).isEqualTo(process.getSpanId()));
        }
    }

    @Test
    void a_process_and_its_steps_are_one_trace() {
        try (Waybill waybill =
                traced(telemetry).handlers(new Shop()).processes(new Purchase()).start()) {
            inSpan(
                    "buy",
                    () -> waybill.processManager()
                            .startProcess("Purchase", "p-1", Map.of("item", "book", "amount", 30)));

            Span begun = span(one -> one.getName().equals("buy"));
            Span reserve = span(one -> one.getName().contains("RESERVE"));
            Span charge = span(one -> one.getName().contains("CHARGE"));
            assertThat(reserve.getName()).isEqualTo("process APP.CMD.RESERVE.Q");
            assertThat(reserve.getParentSpanId()).isEqualTo(begun.getSpanId());
            assertThat(charge.getParentSpanId()).isEqualTo(reserve.getSpanId());
            assertThat(List.of(reserve.getTraceId(), charge.getTraceId())).containsOnly(begun.getTraceId());
        }
    }

    @Test
    void a_handler_that_fails_is_a_span_with_an_error() {
        try (Waybill waybill =
                traced(telemetry).handlers(new Shop()).processes(new Purchase()).start()) {
            waybill.processManager().startProcess("Purchase", "p-2", Map.of("item", "book", "amount", -1));

            Span charge = span(one -> one.getName().contains("CHARGE"));
            assertThat(charge.getStatus().getCode()).isEqualTo(StatusCode.STATUS_CODE_ERROR);
            assertThat(charge.getStatus().getMessage()).contains("a negative amount");
        }
    }

    @Test
    void without_a_trace_a_message_has_no_header_of_one() {
        try (Waybill waybill =
                traced(OpenTelemetry.noop()).route("orders", this::publish).start()) {
            append(waybill, "orders");

            Awaitility.await().atMost(Duration.ofSeconds(10)).until(() -> !sent.isEmpty());
            assertThat(sent.get(0).headers()).doesNotContainKeys("traceparent", "tracestate");
            assertThat(OpenTelemetryListener.ofAgent()).as("no agent here").isEmpty();
        }
    }

    private WaybillBuilder traced(OpenTelemetry with) {
        var tracing = OpenTelemetryListener.of(with);
        return Waybill.on(database).outboxListener(tracing).listener(tracing).inboxListener(tracing);
    }

    private List<Outcome> publish(List<Envelope> messages, io.waybill.transport.Deadline deadline) {
        sent.addAll(messages);
        return messages.stream().<Outcome>map(message -> new Outcome.Accepted()).toList();
    }

    private static UUID append(Waybill waybill, String destination) {
        return waybill.transactions()
                .inTransaction(transaction ->
                        waybill.outbox().append(Message.event("Placed", "{}").to(destination)));
    }

    private <T> T inSpan(String name, java.util.function.Supplier<T> work) {
        var span = telemetry.getTracer("test").spanBuilder(name).startSpan();
        try (Scope scope = span.makeCurrent()) {
            return work.get();
        } finally {
            span.end();
        }
    }

    private Span span(Predicate<Span> which) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .until(() -> collector.spans().stream().anyMatch(which));
        return collector.spans().stream().filter(which).findFirst().orElseThrow();
    }

    private static Map<String, String> attributes(Span span) {
        return span.getAttributesList().stream()
                .collect(java.util.stream.Collectors.toMap(
                        one -> one.getKey(),
                        one -> one.getValue().hasIntValue()
                                ? String.valueOf(one.getValue().getIntValue())
                                : one.getValue().getStringValue()));
    }

    private static String hex(ByteString bytes) {
        return java.util.HexFormat.of().formatHex(bytes.toByteArray());
    }
}

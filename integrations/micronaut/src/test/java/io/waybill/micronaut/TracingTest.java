package io.waybill.micronaut;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Scope;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.waybill.inbox.SubscribeTo;
import io.waybill.message.Message;
import io.waybill.outbox.Outbox;
import io.waybill.runtime.Waybill;
import io.waybill.testkit.services.H2;
import jakarta.inject.Singleton;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** A Micronaut application with OpenTelemetry. */
final class TracingTest {

    @Test
    void a_handler_continues_the_trace_in_which_its_message_was_appended() {
        try (var database = H2.newDatabase();
                var context = ApplicationContext.run(Map.of(
                        "datasources.default.url",
                        database.jdbcUrl(),
                        "datasources.default.username",
                        database.user(),
                        "datasources.default.password",
                        "",
                        "spec",
                        "tracing"))) {
            var placed = context.getBean(OpenTelemetry.class)
                    .getTracer("test")
                    .spanBuilder("place order")
                    .startSpan();
            try (Scope scope = placed.makeCurrent()) {
                context.getBean(Waybill.class)
                        .transactions()
                        .inTransaction(transaction -> context.getBean(Outbox.class)
                                .append(Message.event("Placed", "o-1")
                                        .as("text/plain")
                                        .to("orders.placed")));
            } finally {
                placed.end();
            }

            await().untilAsserted(() -> assertThat(context.getBean(Spans.class).all)
                    .filteredOn(span -> span.getName().equals("process orders.placed"))
                    .singleElement()
                    .satisfies(span -> assertThat(span.getParentSpanId())
                            .isEqualTo(placed.getSpanContext().getSpanId())));
        }
    }

    /** What Micronaut's module of OpenTelemetry makes. */
    @Factory
    @Requires(property = "spec", value = "tracing")
    static final class Telemetry {
        @Singleton
        OpenTelemetry telemetry(Spans spans) {
            return OpenTelemetrySdk.builder()
                    .setTracerProvider(SdkTracerProvider.builder()
                            .addSpanProcessor(SimpleSpanProcessor.create(spans))
                            .build())
                    .setPropagators(ContextPropagators.create(W3CTraceContextPropagator.getInstance()))
                    .build();
        }
    }

    /** Handles what was appended. */
    @Singleton
    @Requires(property = "spec", value = "tracing")
    public static class Mailer {
        @SubscribeTo(value = "orders.placed", handler = "mailer")
        public void mail(String order) {}
    }

    @Singleton
    @Requires(property = "spec", value = "tracing")
    static final class Spans implements SpanExporter {
        private final List<SpanData> all = new CopyOnWriteArrayList<>();

        @Override
        public CompletableResultCode export(Collection<SpanData> ended) {
            all.addAll(ended);
            return CompletableResultCode.ofSuccess();
        }

        @Override
        public CompletableResultCode flush() {
            return CompletableResultCode.ofSuccess();
        }

        @Override
        public CompletableResultCode shutdown() {
            return CompletableResultCode.ofSuccess();
        }
    }
}

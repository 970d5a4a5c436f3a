package io.waybill.micronaut;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.micronaut.tracing.annotation.NewSpan;
import io.micronaut.transaction.annotation.Transactional;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.waybill.inbox.Received;
import io.waybill.inbox.SubscribeTo;
import io.waybill.message.Message;
import io.waybill.outbox.Outbox;
import io.waybill.testkit.services.H2;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** A Micronaut application with Micronaut's module of OpenTelemetry. */
class TracingTest {

    @Test
    void a_method_its_message_and_the_handler_are_one_trace() {
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
            context.getBean(Orders.class).place();

            var exporter = context.getBean(InMemorySpanExporter.class);
            await().untilAsserted(() -> assertThat(exporter.getFinishedSpanItems())
                    .extracting(SpanData::getName)
                    .contains("process orders.placed"));
            SpanData placed = span(exporter, "Orders.place");
            SpanData process = span(exporter, "process orders.placed");
            assertThat(process.getTraceId()).isEqualTo(placed.getTraceId());
            assertThat(process.getParentSpanId()).isEqualTo(placed.getSpanId());
            assertThat(span(exporter, "Letters.write").getParentSpanId())
                    .as("what the application traces in its handler")
                    .isEqualTo(process.getSpanId());
            assertThat(context.getBean(Mailer.class).headers)
                    .singleElement()
                    .satisfies(headers -> assertThat(headers)
                            .containsEntry(
                                    "traceparent", "00-" + placed.getTraceId() + "-" + placed.getSpanId() + "-01"));
        }
    }

    private static SpanData span(InMemorySpanExporter exporter, String name) {
        return exporter.getFinishedSpanItems().stream()
                .filter(span -> span.getName().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError(name + " is not in " + exporter.getFinishedSpanItems()));
    }

    /** Where Micronaut's OpenTelemetry sends spans. */
    @Factory
    @Requires(property = "spec", value = "tracing")
    static final class Spans {
        @Singleton
        InMemorySpanExporter exporter() {
            return InMemorySpanExporter.create();
        }

        @Singleton
        SpanProcessor processor(InMemorySpanExporter exporter) {
            return SimpleSpanProcessor.create(exporter);
        }
    }

    /** Appends. */
    @Singleton
    @Requires(property = "spec", value = "tracing")
    static class Orders {
        private final Outbox outbox;

        Orders(Outbox outbox) {
            this.outbox = outbox;
        }

        @NewSpan
        @Transactional
        void place() {
            outbox.append(Message.event("Placed", "o-1").as("text/plain").to("orders.placed"));
        }
    }

    /** Handles what was appended. */
    @Singleton
    @Requires(property = "spec", value = "tracing")
    public static class Mailer {
        final List<Map<String, String>> headers = new CopyOnWriteArrayList<>();
        private final Letters letters;

        Mailer(Letters letters) {
            this.letters = letters;
        }

        @SubscribeTo(value = "orders.placed", handler = "mailer")
        public void mail(Received<String> order) {
            headers.add(order.headers());
            letters.write();
        }
    }

    /** Has a span of its own. */
    @Singleton
    @Requires(property = "spec", value = "tracing")
    static class Letters {
        @NewSpan
        void write() {}
    }
}

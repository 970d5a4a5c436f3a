package io.waybill.spring.tracing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Scope;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.waybill.inbox.SubscribeTo;
import io.waybill.message.Message;
import io.waybill.outbox.Outbox;
import io.waybill.runtime.Waybill;
import io.waybill.spring.WaybillAutoConfiguration;
import io.waybill.spring.WaybillTracingAutoConfiguration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.micrometer.tracing.opentelemetry.autoconfigure.OpenTelemetryEventPublisherBeansApplicationListener;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** A Spring Boot application with and without OpenTelemetry. */
final class TracingTest {

    static {
        // As SpringApplication does: once a context was current, it would be too late for the other tests of this JVM.
        OpenTelemetryEventPublisherBeansApplicationListener.addWrapper();
    }

    private final InMemorySpanExporter spans = InMemorySpanExporter.create();
    private final OpenTelemetrySdk telemetry = OpenTelemetrySdk.builder()
            .setTracerProvider(SdkTracerProvider.builder()
                    .addSpanProcessor(SimpleSpanProcessor.create(spans))
                    .build())
            .setPropagators(ContextPropagators.create(W3CTraceContextPropagator.getInstance()))
            .build();

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DataSourceAutoConfiguration.class,
                    DataSourceTransactionManagerAutoConfiguration.class,
                    WaybillAutoConfiguration.class,
                    WaybillTracingAutoConfiguration.class))
            .withBean(Mailer.class)
            .withPropertyValues("spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID());

    @Test
    void a_handler_continues_the_trace_in_which_its_message_was_appended() {
        application.withBean(OpenTelemetry.class, () -> telemetry).run(context -> {
            var placed = telemetry.getTracer("test").spanBuilder("place order").startSpan();
            try (Scope scope = placed.makeCurrent()) {
                append(context.getBean(Waybill.class), context.getBean(Outbox.class));
            } finally {
                placed.end();
            }

            await().untilAsserted(() -> assertThat(spans.getFinishedSpanItems())
                    .filteredOn(span -> span.getName().equals("process orders.placed"))
                    .singleElement()
                    .satisfies(span -> assertThat(span.getParentSpanId())
                            .isEqualTo(placed.getSpanContext().getSpanId())));
        });
    }

    @Test
    void without_the_bean_nothing_is_traced() {
        application.run(context -> {
            append(context.getBean(Waybill.class), context.getBean(Outbox.class));
            await().until(() -> !context.getBean(Mailer.class).mails.isEmpty());

            assertThat(spans.getFinishedSpanItems()).isEmpty();
        });
    }

    @Test
    void without_the_classes_the_application_starts() {
        application
                .withClassLoader(new FilteredClassLoader("io.opentelemetry"))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean("waybillTracing"));
    }

    private static void append(Waybill waybill, Outbox outbox) {
        waybill.transactions()
                .inTransaction(transaction -> outbox.append(
                        Message.event("Placed", "o-1").as("text/plain").to("orders.placed")));
    }

    /** Handles what was appended. */
    public static class Mailer {
        final List<String> mails = new CopyOnWriteArrayList<>();

        @SubscribeTo(value = "orders.placed", handler = "mailer")
        public void mail(String order) {
            mails.add(order);
        }
    }
}

package io.waybill.spring.tracing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.waybill.inbox.Received;
import io.waybill.inbox.SubscribeTo;
import io.waybill.message.Message;
import io.waybill.outbox.Outbox;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** A Spring Boot application with Micrometer Tracing on OpenTelemetry, as Spring Boot sets it up. */
final class MicrometerTracingTest {

    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";

    @Test
    void a_request_its_message_and_the_handler_are_one_trace() throws Exception {
        try (var context = new SpringApplicationBuilder(Shop.class)
                .web(WebApplicationType.SERVLET)
                .properties(
                        "spring.autoconfigure.exclude="
                                + "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration",
                        "server.address=127.0.0.1",
                        "server.port=0",
                        "spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID(),
                        "management.tracing.sampling.probability=1.0",
                        "management.opentelemetry.tracing.export.schedule-delay=100ms")
                .run()) {
            String port = context.getEnvironment().getRequiredProperty("local.server.port");
            HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/orders"))
                                    .header("traceparent", "00-" + TRACE + "-00f067aa0ba902b7-01")
                                    .POST(BodyPublishers.noBody())
                                    .build(),
                            BodyHandlers.discarding());

            var exporter = context.getBean(InMemorySpanExporter.class);
            await().untilAsserted(() -> assertThat(exporter.getFinishedSpanItems())
                    .extracting(SpanData::getName)
                    .contains("http post /orders", "process orders.placed", "write mail"));
            SpanData request = span(exporter, "http post /orders");
            SpanData process = span(exporter, "process orders.placed");
            assertThat(request.getTraceId()).isEqualTo(TRACE);
            assertThat(process.getParentSpanId()).isEqualTo(request.getSpanId());
            assertThat(span(exporter, "write mail").getParentSpanId())
                    .as("what the application observes in its handler")
                    .isEqualTo(process.getSpanId());
            Mailer mailer = context.getBean(Mailer.class);
            assertThat(mailer.headers)
                    .singleElement()
                    .satisfies(headers -> assertThat(headers)
                            .containsEntry("traceparent", "00-" + TRACE + "-" + request.getSpanId() + "-01"));
            assertThat(mailer.logged).as("the trace in the lines of the log").containsExactly(TRACE);
        }
    }

    private static SpanData span(InMemorySpanExporter exporter, String name) {
        return exporter.getFinishedSpanItems().stream()
                .filter(span -> span.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** The application. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({Orders.class, Mailer.class})
    static class Shop {
        @Bean
        InMemorySpanExporter exporter() {
            return InMemorySpanExporter.create();
        }
    }

    /** Takes requests. */
    @RestController
    public static class Orders {
        private final Outbox outbox;

        public Orders(Outbox outbox) {
            this.outbox = outbox;
        }

        @PostMapping("/orders")
        @Transactional
        public void place() {
            outbox.append(Message.event("Placed", "o-1").as("text/plain").to("orders.placed"));
        }
    }

    /** Handles what was appended. */
    public static class Mailer {
        final List<Map<String, String>> headers = new CopyOnWriteArrayList<>();
        final List<String> logged = new CopyOnWriteArrayList<>();
        private final ObservationRegistry observations;

        public Mailer(ObservationRegistry observations) {
            this.observations = observations;
        }

        @SubscribeTo(value = "orders.placed", handler = "mailer")
        public void mail(Received<String> order) {
            headers.add(order.headers());
            logged.add(MDC.get("traceId"));
            Observation.createNotStarted("write mail", observations).observe(() -> {});
        }
    }
}

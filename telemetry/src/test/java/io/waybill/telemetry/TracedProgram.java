package io.waybill.telemetry;

import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Scope;
import io.waybill.inbox.Received;
import io.waybill.message.Message;
import io.waybill.runtime.Waybill;
import io.waybill.transport.Outcome;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.h2.jdbcx.JdbcConnectionPool;

/** A program that appends, publishes and handles messages, and is started with the Java agent of OpenTelemetry. */
final class TracedProgram {

    private TracedProgram() {}

    public static void main(String[] args) throws InterruptedException {
        OpenTelemetryListener tracing =
                OpenTelemetryListener.ofAgent().orElseThrow(() -> new IllegalStateException("There is no agent."));
        var published = new CountDownLatch(1);
        JdbcConnectionPool database = JdbcConnectionPool.create("jdbc:h2:mem:traced;DB_CLOSE_DELAY=-1", "sa", "");
        try (Waybill waybill = Waybill.on(database)
                .outboxListener(tracing)
                .listener(tracing)
                .inboxListener(tracing)
                .route("mails", (messages, deadline) -> {
                    published.countDown();
                    return messages.stream()
                            .<Outcome>map(message -> new Outcome.Accepted())
                            .toList();
                })
                .build()) {
            waybill.subscribe("orders", "mailer", String.class, TracedProgram::mail);
            waybill.start();
            Span order = GlobalOpenTelemetry.getTracer("program")
                    .spanBuilder("place order")
                    .startSpan();
            try (Scope scope = order.makeCurrent()) {
                waybill.transactions()
                        .inTransaction(transaction -> waybill.outbox()
                                .append(Message.event("Placed", "o-1")
                                        .as("text/plain")
                                        .to("orders")));
            } finally {
                order.end();
            }
            if (!published.await(Duration.ofSeconds(20).toMillis(), TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException("The mail was not published.");
            }
        }
        database.dispose();
    }

    private static void mail(Received<String> order) {
        GlobalOpenTelemetry.getTracer("program")
                .spanBuilder("write mail")
                .startSpan()
                .end();
        order.outbox().append(Message.event("Mail", "{}").to("mails"));
    }
}

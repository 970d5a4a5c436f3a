package io.waybill.telemetry;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.context.propagation.TextMapPropagator;
import io.waybill.message.Envelope;
import io.waybill.observe.InboxListener;
import io.waybill.observe.ObservedCall;
import io.waybill.observe.OutboxListener;
import io.waybill.observe.RelayListener;
import io.waybill.transport.SecretMask;
import io.waybill.transport.wire.Headers;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Traces messages with OpenTelemetry. A message takes the context along in which it was appended, and brokers get it unchanged. Publishing a
 * batch is a span {@code send DESTINATION} that is linked to these contexts; handling a message is a span {@code process DESTINATION} that
 * continues its context, so that what a handler appends, the next step of a process included, is in the same trace.
 *
 * <pre>{@code
 * var tracing = OpenTelemetryListener.of(openTelemetry);
 * Waybill.on(dataSource).outboxListener(tracing).listener(tracing).inboxListener(tracing)
 * }</pre>
 *
 * <p><i>Threads:</i> safe.
 */
public final class OpenTelemetryListener implements OutboxListener, RelayListener, InboxListener {

    /** More would make a span larger than the messages it is about. */
    private static final int MAX_LINKS = 64;

    private static final String AGENT = "io.opentelemetry.javaagent.OpenTelemetryAgent";

    private final Tracer tracer;
    private final TextMapPropagator propagator;

    private OpenTelemetryListener(OpenTelemetry telemetry) {
        this.tracer = telemetry.getTracer("io.waybill");
        this.propagator = telemetry.getPropagators().getTextMapPropagator();
    }

    public static OpenTelemetryListener of(OpenTelemetry telemetry) {
        return new OpenTelemetryListener(telemetry);
    }

    /**
     * With the Java agent of OpenTelemetry, where the JVM was started with it. Without it the global instance is left alone: the first
     * call for it decides what it is.
     */
    public static Optional<OpenTelemetryListener> ofAgent() {
        try {
            // The agent adds itself to what the JVM itself is loaded from; a jar on the class path is not at work.
            Class.forName(AGENT, false, null);
            return Optional.of(of(GlobalOpenTelemetry.get()));
        } catch (ClassNotFoundException e) {
            return Optional.empty();
        }
    }

    @Override
    public Map<String, String> context() {
        if (!Span.current().getSpanContext().isValid()) {
            return Map.of();
        }
        Map<String, String> headers = new LinkedHashMap<>();
        propagator.inject(Context.current(), headers, (all, name, value) -> {
            if (all != null) {
                all.put(name, value);
            }
        });
        return headers;
    }

    @Override
    public Map<String, String> begun(String what) {
        Map<String, String> current = context();
        if (!current.isEmpty()) {
            return current;
        }
        Span span = tracer.spanBuilder("start " + what).setNoParent().startSpan();
        try (Scope scope = span.makeCurrent()) {
            return context();
        } finally {
            span.end();
        }
    }

    @Override
    public ObservedCall publishing(List<Envelope> messages) {
        List<Span> spans =
                messages.stream()
                        .collect(groupingBy(Envelope::destination, LinkedHashMap::new, toList()))
                        .entrySet()
                        .stream()
                        .map(entry -> sending(entry.getKey(), entry.getValue()))
                        .toList();
        Context inside = spans.size() == 1 ? Context.current().with(spans.get(0)) : Context.current();
        return new TracedCall(spans, inside);
    }

    /** A relay sends for many at once: the span belongs to none of them, and is linked to all. */
    private Span sending(String destination, List<Envelope> messages) {
        SpanBuilder span = span("send", destination, SpanKind.PRODUCER)
                .setNoParent()
                .setAttribute("messaging.batch.message_count", messages.size());
        if (messages.size() == 1) {
            span.setAttribute("messaging.message.id", messages.get(0).id().toString());
        }
        Set<SpanContext> links = new LinkedHashSet<>();
        for (Envelope message : messages) {
            if (links.size() < MAX_LINKS) {
                links.add(Span.fromContext(extracted(message)).getSpanContext());
            }
        }
        links.stream().filter(SpanContext::isValid).forEach(span::addLink);
        return span.startSpan();
    }

    @Override
    public ObservedCall handling(Envelope message) {
        Context parent = isTraced(message) ? extracted(message) : Context.current();
        SpanBuilder builder = span("process", message.destination(), SpanKind.CONSUMER)
                .setParent(parent)
                .setAttribute("messaging.message.id", message.id().toString());
        String conversation = message.headers().getOrDefault(Headers.CORRELATION_ID, "");
        if (!conversation.isEmpty()) {
            builder.setAttribute("messaging.message.conversation_id", conversation);
        }
        Span span = builder.startSpan();
        return new TracedCall(List.of(span), parent.with(span));
    }

    private SpanBuilder span(String operation, String destination, SpanKind kind) {
        return tracer.spanBuilder(operation + " " + destination)
                .setSpanKind(kind)
                .setAttribute("messaging.system", "waybill")
                .setAttribute("messaging.destination.name", destination)
                .setAttribute("messaging.operation.name", operation)
                .setAttribute("messaging.operation.type", operation);
    }

    /** Where the propagator writes a traceparent, a message without one has no context, and nothing is searched for. */
    private boolean isTraced(Envelope message) {
        return message.headers().containsKey(Headers.TRACEPARENT)
                || !propagator.fields().contains(Headers.TRACEPARENT);
    }

    private Context extracted(Envelope message) {
        return isTraced(message)
                ? propagator.extract(Context.root(), message.headers(), HeaderGetter.INSTANCE)
                : Context.root();
    }

    private enum HeaderGetter implements TextMapGetter<Map<String, String>> {
        INSTANCE;

        @Override
        @SuppressWarnings("deprecation") // Older versions, which frameworks have, ask for it.
        public Iterable<String> keys(Map<String, String> headers) {
            return headers.keySet();
        }

        @Override
        public @Nullable String get(@Nullable Map<String, String> headers, String name) {
            return headers == null ? null : headers.get(name);
        }
    }

    private record TracedCall(List<Span> spans, Context inside) implements ObservedCall {

        @Override
        public <T, E extends Exception> T run(Part<T, E> part) throws E {
            try (Scope scope = inside.makeCurrent()) {
                return part.run();
            }
        }

        @Override
        public void end(String error) {
            for (Span span : spans) {
                if (!error.isEmpty()) {
                    span.setStatus(StatusCode.ERROR, SecretMask.text(error));
                }
                span.end();
            }
        }
    }
}

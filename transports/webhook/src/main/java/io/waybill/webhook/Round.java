package io.waybill.webhook;

import io.waybill.Time;
import io.waybill.message.Envelope;
import io.waybill.transport.Deadline;
import io.waybill.transport.Outcome;
import io.waybill.transport.wire.WireFormat;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Sends one batch: of each key one message at a time, of each endpoint as many keys at once as it takes.
 *
 * <p>Everything is decided on the thread that publishes; requests that have ended come to it through a queue. What is never decided is not
 * attempted.
 */
final class Round {

    private final HttpClient client;
    private final WireFormat format;
    private final WebhookOptions options;
    private final List<Envelope> batch;
    private final Deadline deadline;
    private final Time.Stopwatch begun;
    private final List<Outcome> outcomes;
    private final Map<WebhookEndpoint, Line> lines = new LinkedHashMap<>();
    private final Map<Request, CompletableFuture<?>> underWay = new HashMap<>();
    private final BlockingQueue<Ended> ended = new LinkedBlockingQueue<>();

    Round(
            HttpClient client,
            WireFormat format,
            WebhookOptions options,
            Time time,
            List<Envelope> batch,
            Deadline deadline) {
        this.client = client;
        this.format = format;
        this.options = options;
        this.batch = batch;
        this.deadline = deadline;
        this.begun = time.stopwatch();
        this.outcomes = new ArrayList<>(Collections.nCopies(batch.size(), new Outcome.NotAttempted()));
    }

    List<Outcome> run(Endpoints endpoints) {
        lineUp(endpoints);
        try {
            sendWhatMayGo();
            if (underWay.isEmpty()) {
                awaitTheRate();
                sendWhatMayGo();
            }
            while (!underWay.isEmpty()) {
                settle(ended.take());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            abandon();
        }
        return outcomes;
    }

    /** Each message to the line of its endpoint, behind those of its key. */
    private void lineUp(Endpoints endpoints) {
        Map<List<String>, Queue<Integer>> keys = new HashMap<>();
        Set<String> unusable = new HashSet<>();
        for (int i = 0; i < batch.size(); i++) {
            Envelope message = batch.get(i);
            Optional<WebhookEndpoint> endpoint;
            try {
                endpoint = endpoints.to(message.destination());
            } catch (RuntimeException e) {
                // Of a key the first is refused, and the others wait for it.
                if (unusable.add(message.destination() + "/" + message.partitionKey()) || !message.isOrdered()) {
                    outcomes.set(i, new Outcome.Refused(String.valueOf(e.getMessage())));
                }
                continue;
            }
            if (endpoint.isEmpty()) {
                outcomes.set(
                        i,
                        new Outcome.Misconfigured("No webhook endpoint is for '" + message.destination()
                                + "'. Add one: Webhooks.builder().endpoint(\"" + message.destination()
                                + "\", \"https://…\", secret)."));
                continue;
            }
            Line line = lines.computeIfAbsent(endpoint.get(), Line::new);
            if (message.isOrdered()) {
                keys.computeIfAbsent(List.of(message.destination(), message.partitionKey()), none -> line.newKey())
                        .add(i);
            } else {
                line.newKey().add(i);
            }
        }
    }

    private void sendWhatMayGo() {
        lines.values().forEach(this::sendWhatMayGo);
    }

    private void sendWhatMayGo(Line line) {
        while (!line.ready.isEmpty() && line.underWay < options.concurrency()) {
            if (deadline.hasPassed() || begun.hasReached(options.publishTime())) {
                return;
            }
            Optional<Outcome> suspended = line.suspended();
            if (suspended.isPresent()) {
                outcomes.set(line.ready.remove().element(), suspended.get());
            } else if (line.endpoint.rate().take()) {
                send(line, line.ready.remove());
            } else {
                return;
            }
        }
    }

    private void send(Line line, Queue<Integer> key) {
        Envelope message = batch.get(key.element());
        HttpRequest written;
        try {
            written = line.endpoint.request(message.id(), format.write(message, RequestHeaders.CLOUDEVENTS_PREFIX));
        } catch (RuntimeException | StackOverflowError | LinkageError e) {
            outcomes.set(key.element(), Outcome.notEncodable(e));
            return;
        }
        var request = new Request(line, key);
        var exchange = exchange(written, request);
        line.underWay++;
        underWay.put(request, exchange);
        var unused = exchange.whenComplete((response, failure) -> ended.add(new Ended(request, failure)));
    }

    private CompletableFuture<HttpResponse<WebhookResponse>> exchange(HttpRequest written, Request request) {
        try {
            return client.sendAsync(written, request);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private void settle(Ended exchange) {
        Request request = exchange.request;
        Line line = request.line;
        underWay.remove(request);
        line.underWay--;
        Outcome outcome = request.outcome(exchange.failure);
        outcomes.set(request.key.remove(), outcome);
        if (outcome instanceof Outcome.Accepted) {
            line.resume(request.key);
        } else if (outcome instanceof Outcome.Inconclusive) {
            // The endpoint may be ill, or have a problem with this one: the others are not asked, and not blamed.
            line.stopped = new Outcome.NotAttempted();
        } else if (!(outcome instanceof Outcome.Refused)) {
            line.stopped = outcome;
        }
        sendWhatMayGo(line);
    }

    /** Nothing could be sent, because the endpoints have had as much as they take in a second: waits until the first takes more. */
    private void awaitTheRate() throws InterruptedException {
        Optional<Duration> shortest = lines.values().stream()
                .filter(line -> !line.ready.isEmpty())
                .map(line -> line.endpoint.rate().untilNext())
                .min(Duration::compareTo);
        if (shortest.isPresent() && !deadline.hasPassed()) {
            // Nobody answers: this only waits, and can be interrupted.
            ended.poll(shortest.get().toNanos(), TimeUnit.NANOSECONDS);
        }
    }

    /** The thread is wanted elsewhere: what has not been answered may have arrived or not, and is sent again some time. */
    private void abandon() {
        underWay.forEach((request, exchange) -> {
            exchange.cancel(true);
            outcomes.set(
                    request.key.element(),
                    new Outcome.Unavailable(request.line.endpoint + " had not responded when the relay was stopped."));
        });
    }

    /** The keys that wait for one endpoint. */
    private static final class Line {

        private final WebhookEndpoint endpoint;
        private final Queue<Queue<Integer>> ready = new ArrayDeque<>();
        private int underWay;

        /** Why nobody else of this round needs to ask. */
        private @Nullable Outcome stopped;

        Line(WebhookEndpoint endpoint) {
            this.endpoint = endpoint;
        }

        Queue<Integer> newKey() {
            Queue<Integer> key = new ArrayDeque<>();
            ready.add(key);
            return key;
        }

        void resume(Queue<Integer> key) {
            if (!key.isEmpty()) {
                ready.add(key);
            }
        }

        Optional<Outcome> suspended() {
            return Optional.ofNullable(stopped).or(endpoint::suspended);
        }
    }

    /** A message under way. It hears the head of its answer first, and that decides, even when the rest breaks off. */
    private static final class Request implements HttpResponse.BodyHandler<WebhookResponse> {

        private final Line line;
        private final Queue<Integer> key;
        private volatile @Nullable WebhookResponse response;

        Request(Line line, Queue<Integer> key) {
            this.line = line;
            this.key = key;
        }

        @Override
        public WebhookResponse apply(HttpResponse.ResponseInfo head) {
            var heard = new WebhookResponse(head);
            response = heard;
            return heard;
        }

        Outcome outcome(@Nullable Throwable failure) {
            WebhookResponse heard = response;
            return heard != null
                    ? line.endpoint.responded(heard)
                    : line.endpoint.failed(Objects.requireNonNull(failure, "an answer or a failure"));
        }
    }

    private record Ended(Request request, @Nullable Throwable failure) {}
}

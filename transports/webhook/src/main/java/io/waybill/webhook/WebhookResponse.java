package io.waybill.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * An answer: its head, which says what it means, and the beginning of its body, for people to read. A body that is long, slow
 * or breaks off costs at most a few bytes and a second.
 *
 * <p>Once it has enough it requests no more, and its reader closes it.
 */
final class WebhookResponse implements HttpResponse.BodySubscriber<WebhookResponse>, AutoCloseable {

    private static final int MAX_BYTES = 512;
    private static final int MAX_MILLIS = 1_000;

    private final HttpResponse.ResponseInfo head;
    private final ByteArrayOutputStream read = new ByteArrayOutputStream();
    private final CompletableFuture<WebhookResponse> enough =
            new CompletableFuture<WebhookResponse>().completeOnTimeout(this, MAX_MILLIS, TimeUnit.MILLISECONDS);
    private Flow.@Nullable Subscription subscription;

    WebhookResponse(HttpResponse.ResponseInfo head) {
        this.head = head;
    }

    int status() {
        return head.statusCode();
    }

    Optional<String> header(String name) {
        return head.headers().firstValue(name);
    }

    @Override
    public CompletionStage<WebhookResponse> getBody() {
        return enough;
    }

    @Override
    public synchronized void onSubscribe(Flow.Subscription subscription) {
        this.subscription = subscription;
        subscription.request(1);
    }

    @Override
    public synchronized void onNext(List<ByteBuffer> buffers) {
        for (ByteBuffer buffer : buffers) {
            byte[] bytes = new byte[Math.min(buffer.remaining(), MAX_BYTES - read.size())];
            buffer.get(bytes);
            read.writeBytes(bytes);
        }
        if (read.size() == MAX_BYTES) {
            enough.complete(this);
        } else if (subscription != null) {
            subscription.request(1);
        }
    }

    @Override
    public void onError(Throwable failure) {
        onComplete();
    }

    @Override
    public synchronized void onComplete() {
        subscription = null;
        enough.complete(this);
    }

    /** On one line, whatever the endpoint wrote. */
    synchronized String text() {
        return read.toString(UTF_8).replaceAll("[\\p{Cntrl}\\s]+", " ").strip();
    }

    /** Ends an answer that has not ended by itself, which in HTTP/1.1 takes the connection with it. */
    @Override
    public synchronized void close() {
        if (subscription != null) {
            subscription.cancel();
        }
    }
}

package io.waybill.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The beginning of a response's body, for people to read. The status has said everything else, so an answer that is long, slow
 * or breaks off costs at most a few bytes and a second.
 */
final class Snippet implements HttpResponse.BodySubscriber<String> {

    private static final int MOST_BYTES = 512;
    private static final int MOST_MILLIS = 1_000;

    private final ByteArrayOutputStream read = new ByteArrayOutputStream();
    private final CompletableFuture<Boolean> end = new CompletableFuture<>();
    private final CompletionStage<String> text =
            end.orTimeout(MOST_MILLIS, TimeUnit.MILLISECONDS).handle((ended, late) -> finish(late != null));
    private Flow.@Nullable Subscription subscription;

    @Override
    public CompletionStage<String> getBody() {
        return text;
    }

    @Override
    public synchronized void onSubscribe(Flow.Subscription subscription) {
        this.subscription = subscription;
        subscription.request(1);
    }

    @Override
    public synchronized void onNext(List<ByteBuffer> buffers) {
        for (ByteBuffer buffer : buffers) {
            byte[] bytes = new byte[Math.min(buffer.remaining(), MOST_BYTES - read.size())];
            buffer.get(bytes);
            read.writeBytes(bytes);
        }
        if (read.size() == MOST_BYTES) {
            giveUp();
            end.complete(false);
        } else if (subscription != null) {
            subscription.request(1);
        }
    }

    @Override
    public void onError(Throwable failure) {
        end.complete(false);
    }

    @Override
    public void onComplete() {
        end.complete(true);
    }

    private synchronized String finish(boolean late) {
        if (late) {
            giveUp();
        }
        return read.toString(UTF_8).replaceAll("[\\p{Cntrl}\\s]+", " ").strip();
    }

    /** Closes the connection: there is no other way to stop an answer of HTTP/1.1. */
    private synchronized void giveUp() {
        if (subscription != null) {
            subscription.cancel();
        }
    }
}

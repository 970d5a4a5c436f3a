package io.waybill.ops;

import io.waybill.inbox.Retry;
import io.waybill.message.Envelope;
import io.waybill.store.admin.StoredMessage;
import io.waybill.store.failed.FailedMessage;
import io.waybill.store.failed.FailedSelection;
import io.waybill.store.failed.FailedState;
import io.waybill.store.failed.Failure;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A message that could not be handled or published, wherever it is kept.
 *
 * @param id of a failed message its number; of one that is tried again by itself the id of its row in the outbox
 * @param message its id is 0 when it is in the outbox
 * @param destination in the outbox; where it came from when it is among the failed messages
 * @param nextAttempt when it is tried again; null when nothing is planned
 */
public record FailedEntry(
        String id,
        FailedState state,
        FailedMessage message,
        String destination,
        @Nullable Instant nextAttempt) {

    /** One of the failed messages. */
    public static FailedEntry of(FailedMessage message) {
        return new FailedEntry(String.valueOf(message.id()), message.state(), message, message.source(), null);
    }

    /** A message of the outbox that was refused and is tried again. */
    static FailedEntry of(StoredMessage stored) {
        Envelope envelope = stored.envelope();
        Retry retry = Retry.in(envelope);
        String error = Optional.ofNullable(stored.error()).orElse("");
        FailedMessage message = new FailedMessage(
                        0,
                        retry.handler(),
                        retry.original(),
                        stored.attempts(),
                        new Failure.Cause("", error, "", ""),
                        stored.createdAt(),
                        stored.createdAt())
                .withAttempts(stored.retries() + retry.retries(), stored.attemptLog());
        return new FailedEntry(
                envelope.id().toString(), FailedState.RETRYING, message, envelope.destination(), stored.availableAt());
    }

    /** Whether it is a message of the outbox, which is tried again by itself. */
    public boolean isInOutbox() {
        return message.id() == 0;
    }

    boolean matches(FailedSelection selection) {
        return selection.matches(message)
                || (selection.source().equals(destination) && selection.from("").matches(message));
    }

    /** What happens to it next. */
    public String next() {
        return nextAttempt == null ? "waits until " + state.endedBy() : "is tried again at " + nextAttempt;
    }
}

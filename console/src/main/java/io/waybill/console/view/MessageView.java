package io.waybill.console.view;

import io.waybill.message.Envelope;
import io.waybill.store.admin.StoredMessage;
import io.waybill.transport.wire.Headers;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A message of the outbox in a list.
 *
 * @param retries how often an operator has published it again
 */
public record MessageView(
        String id,
        String position,
        String status,
        String category,
        String type,
        String destination,
        String key,
        String messageKey,
        String correlation,
        int attempts,
        int retries,
        @Nullable String error,
        @Nullable Instant availableAt,
        Instant createdAt,
        @Nullable Instant dispatchedAt) {

    public static MessageView of(StoredMessage stored) {
        Envelope envelope = stored.envelope();
        return new MessageView(
                envelope.id().toString(),
                String.valueOf(stored.position()),
                stored.status().name(),
                envelope.category().name(),
                envelope.type(),
                envelope.destination(),
                envelope.partitionKey(),
                envelope.key(),
                envelope.headers().getOrDefault(Headers.CORRELATION_ID, ""),
                stored.attempts(),
                stored.retries(),
                stored.error(),
                stored.availableAt(),
                stored.createdAt(),
                stored.dispatchedAt());
    }
}

package io.waybill.store.admin;

import io.waybill.message.Envelope;
import io.waybill.store.AttemptLog;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A row of the outbox as an operator sees it.
 *
 * @param position the insertion order, by which lists are paged
 * @param attempts how often it was refused
 * @param error what was said when it was last refused, or why it was discarded
 * @param availableAt when it is tried again
 * @param dispatchedAt when it was sent or discarded
 * @param retries how often an operator has published it again
 * @param attemptLog its failed attempts and what operators did with it; a list does not read it
 */
public record StoredMessage(
        long position,
        int shard,
        OutboxStatus status,
        int attempts,
        @Nullable String error,
        @Nullable Instant availableAt,
        Instant createdAt,
        @Nullable Instant dispatchedAt,
        Envelope envelope,
        int retries,
        AttemptLog attemptLog) {}

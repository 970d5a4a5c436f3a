package io.waybill.testkit.memory;

import io.waybill.store.AttemptLog;
import io.waybill.store.outbox.ClaimedMessage;
import io.waybill.store.outbox.ClaimedMessage.State;
import io.waybill.store.outbox.Key;
import io.waybill.store.outbox.OnExhausted;
import io.waybill.store.outbox.Settlements;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What became of messages, written into the rows of a {@link MemoryStore}, whose lock the caller holds. */
record MemorySettlement(MemoryStore store) {

    /** Settles those of these shards, and says how many. */
    int settle(Set<Integer> ours, Settlements settlements) {
        int settled = 0;
        for (var message : settlements.dispatched()) {
            if (ours.contains(message.shard()) && dispatch(message.position())) {
                freeTheFollowersOf(message);
                settled++;
            }
        }
        for (var retry : settlements.retries()) {
            if (ours.contains(retry.message().shard())
                    && refuse(
                            retry.message(),
                            retry.attempts(),
                            retry.error(),
                            store.time.clock().instant().plus(retry.delay()))) {
                block(retry.message());
                settled++;
            }
        }
        for (var failure : settlements.failures()) {
            if (ours.contains(failure.message().shard()) && fail(failure)) {
                settled++;
            }
        }
        for (var message : settlements.held()) {
            MemoryRow row = store.outbox.get(message.position());
            if (ours.contains(message.shard()) && row != null && store.blocked.containsKey(row.key())) {
                row.status = "HELD";
                settled++;
            }
        }
        return settled;
    }

    boolean dispatch(long position) {
        MemoryRow row = store.outbox.remove(position);
        if (row == null) {
            return false;
        }
        row.end("DISPATCHED", store.time.clock().instant());
        store.dispatched.put(position, row);
        return true;
    }

    private boolean refuse(ClaimedMessage message, int attempts, String error, @Nullable Instant until) {
        MemoryRow row = store.outbox.get(message.position());
        if (row == null || !row.status.equals("PENDING") || !row.key().equals(Key.of(message.envelope()))) {
            return false;
        }
        row.attempts = attempts;
        row.error = error;
        if (attempts > message.attempts()) {
            row.attemptLog =
                    row.attemptLog.plus(AttemptLog.failed(store.time.clock().instant(), error));
        }
        row.availableAt = until;
        return true;
    }

    private boolean fail(Settlements.Failure failure) {
        ClaimedMessage message = failure.message();
        boolean alone = !message.envelope().isOrdered() || failure.then() == OnExhausted.SKIP;
        boolean stays = !alone && failure.then() == OnExhausted.BLOCK;
        if (!refuse(message, message.attempts() + 1, failure.error(), stays ? Instant.MAX : null)) {
            return false;
        }
        if (!stays) {
            store.outbox.computeIfPresent(message.position(), (position, row) -> row.withStatus("FAILED"));
        }
        if (alone) {
            freeTheFollowersOf(message);
        } else {
            block(message);
        }
        return true;
    }

    private void block(ClaimedMessage message) {
        if (message.envelope().isOrdered()) {
            store.blocked.put(Key.of(message.envelope()), message.envelope().id());
        }
    }

    private void freeTheFollowersOf(ClaimedMessage message) {
        if (message.state() == State.DUE) {
            free(Key.of(message.envelope()));
        }
    }

    /** What was held behind the key's first message may follow. */
    void free(Key key) {
        if (store.blocked.remove(key) != null) {
            store.outbox.values().stream()
                    .filter(row -> row.status.equals("HELD") && row.key().equals(key))
                    .forEach(row -> row.status = "PENDING");
        }
    }
}

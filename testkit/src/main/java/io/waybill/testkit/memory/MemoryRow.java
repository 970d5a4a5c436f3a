package io.waybill.testkit.memory;

import io.waybill.message.Envelope;
import io.waybill.store.AttemptLog;
import io.waybill.store.outbox.ClaimedMessage;
import io.waybill.store.outbox.ClaimedMessage.State;
import io.waybill.store.outbox.Key;
import io.waybill.store.outbox.Lane;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A row of the outbox of a {@link MemoryStore}. */
final class MemoryRow {
    final long position;
    final int shard;
    final Instant createdAt;
    Envelope envelope;
    String status = "PENDING";
    String problem = "";
    int attempts;
    int retries;
    AttemptLog attemptLog = AttemptLog.NONE;

    @Nullable
    String error;

    @Nullable
    Instant availableAt;

    @Nullable
    Instant dispatchedAt;

    MemoryRow(long position, int shard, Envelope envelope, Instant createdAt) {
        this.position = position;
        this.shard = shard;
        this.envelope = envelope;
        this.createdAt = createdAt;
    }

    void end(String with, Instant now) {
        status = with;
        availableAt = null;
        dispatchedAt = now;
    }

    MemoryRow withStatus(String status) {
        this.status = status;
        return this;
    }

    boolean isReady() {
        return status.equals("PENDING") && availableAt == null;
    }

    /** Whether nobody has sent it, put it off or given it up since. */
    boolean isAsClaimed(ClaimedMessage message) {
        return status.equals("PENDING") && (availableAt != null) == (message.state() == State.DUE);
    }

    Instant due() {
        return availableAt == null ? createdAt : availableAt;
    }

    Lane lane() {
        return new Lane(shard, envelope.destination());
    }

    Key key() {
        return Key.of(envelope);
    }

    ClaimedMessage claimed(State state) {
        return new ClaimedMessage(position, shard, attempts, state, problem, "", envelope);
    }
}

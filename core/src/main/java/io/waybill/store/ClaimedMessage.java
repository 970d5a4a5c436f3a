package io.waybill.store;

import io.waybill.message.Envelope;
import java.util.List;

/**
 * A row of the outbox in the hands of the owner of its shard.
 *
 * @param position the insertion order
 * @param attempts how often it was refused before
 * @param state whether it may be sent
 * @param readable false when somebody wrote what cannot be read, such as headers that are not JSON: only a person can mend it
 * @param place where its store finds it again; means nothing to anybody else
 */
public record ClaimedMessage(
        long position, int shard, int attempts, State state, boolean readable, String place, Envelope envelope) {

    /** Whether a claimed message may be sent. */
    public enum State {
        /** Next in its lane. */
        READY,
        /** It was refused before, and its time to try again has come; its key waits for it. */
        DUE,
        /** An earlier message of its key is waiting or has failed: it must not overtake. */
        BLOCKED
    }

    /** Roughly how many bytes its payload has. */
    public long bytes() {
        return envelope.payload().size();
    }

    /** The same of all of these together. */
    public static long bytes(List<ClaimedMessage> messages) {
        long bytes = 0;
        for (ClaimedMessage message : messages) {
            bytes += message.bytes();
        }
        return bytes;
    }

    /** The same, after an earlier message of its key has stopped. */
    public ClaimedMessage blocked() {
        return new ClaimedMessage(position, shard, attempts, State.BLOCKED, readable, place, envelope);
    }

    public Lane lane() {
        return new Lane(shard, envelope.destination());
    }
}

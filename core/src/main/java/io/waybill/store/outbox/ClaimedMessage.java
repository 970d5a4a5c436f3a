package io.waybill.store.outbox;

import io.waybill.WaybillException;
import io.waybill.message.Envelope;
import java.util.List;

/**
 * A row of the outbox in the hands of the owner of its shard.
 *
 * @param position the insertion order
 * @param attempts how often it was refused before
 * @param state whether it may be sent
 * @param problem why it cannot be sent whatever a broker says, such as headers that are not JSON or a payload that is too large; only a
 *     person can fix that. Empty when there is none
 * @param place where its store finds it again; means nothing to anybody else
 */
public record ClaimedMessage(
        long position, int shard, int attempts, State state, String problem, String place, Envelope envelope) {

    /** How many bytes the headers of a message may have in its row; those of one that has more are not read, and it fails. */
    public static final int MAX_HEADERS = 1024 * 1024;

    /** Whether a claimed message may be sent. */
    public enum State {
        /** Next in its lane. */
        READY,
        /** It was refused before, and its time to try again has come; its key waits for it. */
        DUE,
        /** An earlier message of its key is waiting or has failed: it must not overtake. */
        BLOCKED
    }

    /** The problem of a row that could not be read because of this. What the row holds is not repeated: it may be large, or nobody's business. */
    public static String unreadable(Throwable because) {
        boolean wrongText = because instanceof WaybillException || because instanceof IllegalArgumentException;
        return "It cannot be read: its category is not command, reply or event, or its headers are not a JSON object of"
                + " at most 1 MB"
                + (wrongText ? "" : " (" + because.getClass().getName() + ")") + ". Fix the row and replay it.";
    }

    /** The problem of a row whose payload is not read at all. */
    public static String tooLarge(long bytes, long maxPayload) {
        return "Its payload has " + bytes + " bytes, and max-payload is " + maxPayload
                + ". Raise max-payload and the heap with it, then replay it; or send a reference instead of the data.";
    }

    /** Whether it can be sent as far as its row tells. */
    public boolean isSendable() {
        return problem.isEmpty();
    }

    /** What people find it by: its id, or that of its row where its own was made of that. */
    public String label() {
        boolean made = envelope.id().version() == 3 && !place.isEmpty();
        return made ? "in row " + place : envelope.id().toString();
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
        return new ClaimedMessage(position, shard, attempts, State.BLOCKED, problem, place, envelope);
    }

    /** The same, with a reason why it cannot be sent; the first reason stays. */
    public ClaimedMessage withProblem(String problem) {
        return isSendable() ? new ClaimedMessage(position, shard, attempts, state, problem, place, envelope) : this;
    }

    public Lane lane() {
        return new Lane(shard, envelope.destination());
    }
}

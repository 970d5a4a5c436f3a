package io.waybill.transport;

import java.util.function.Function;
import java.util.function.Supplier;

/** The result of publishing one message of a batch. */
public sealed interface Outcome {

    /** The broker has it. */
    record Accepted() implements Outcome {}

    /** This message is bad: it counts an attempt and may succeed later, or never. */
    record Refused(String reason) implements Outcome {}

    /** The destination is down: no message is to blame and no attempt is used. */
    record Unavailable(String reason) implements Outcome {}

    /**
     * The destination failed on this message, and the message or the destination may be the reason (HTTP 500, an exception of a client): no
     * attempt is used unless the destination accepts other messages afterwards, or fails on this one again and again.
     */
    record Inconclusive(String reason) implements Outcome {}

    /** The destination is set up wrongly (no such topic, no right): it pauses until somebody acts. */
    record Misconfigured(String reason) implements Outcome {}

    /** Not sent, because an earlier message of its key was not accepted. */
    record NotAttempted() implements Outcome {}

    /** The message could not be brought into the form in which it travels. */
    static Refused notEncodable(Throwable because) {
        return new Refused("It cannot be encoded: " + because + ". Fix the row and replay it.");
    }

    /** One answer for each case; a case that is forgotten does not compile. */
    default <T> T fold(
            Supplier<T> accepted,
            Function<Refused, T> refused,
            Function<Unavailable, T> unavailable,
            Function<Inconclusive, T> inconclusive,
            Function<Misconfigured, T> misconfigured,
            Supplier<T> notAttempted) {
        if (this instanceof Accepted) {
            return accepted.get();
        } else if (this instanceof Refused outcome) {
            return refused.apply(outcome);
        } else if (this instanceof Unavailable outcome) {
            return unavailable.apply(outcome);
        } else if (this instanceof Inconclusive outcome) {
            return inconclusive.apply(outcome);
        } else if (this instanceof Misconfigured outcome) {
            return misconfigured.apply(outcome);
        } else {
            return notAttempted.get();
        }
    }
}

package io.waybill.store.outbox;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * What became of a batch. Messages that are in none of the lists stay as they are, and so do those that are returned.
 *
 * @param dispatched accepted by the broker
 * @param retries not accepted, to be tried again; their keys wait
 * @param failures refused for the last time
 * @param held passed over, because an earlier message of their key waits or has failed
 * @param returned not sent after all, through no fault of theirs: whatever a store has written to claim them is taken back
 */
public record Settlements(
        List<ClaimedMessage> dispatched,
        List<Retry> retries,
        List<Failure> failures,
        List<ClaimedMessage> held,
        List<ClaimedMessage> returned) {

    /** Nothing yet. */
    public static Settlements none() {
        return new Settlements(
                new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    }

    /** All but those that were returned. */
    public Stream<ClaimedMessage> settled() {
        return Stream.of(
                        dispatched.stream(),
                        retries.stream().map(Retry::message),
                        failures.stream().map(Failure::message),
                        held.stream())
                .flatMap(messages -> messages);
    }

    /** Whether everything was accepted, and nothing of it had been refused before. */
    public boolean isPlain() {
        for (ClaimedMessage message : dispatched) {
            if (message.state() != ClaimedMessage.State.READY) {
                return false;
            }
        }
        return retries.isEmpty() && failures.isEmpty() && held.isEmpty() && returned.isEmpty();
    }

    /** Whether nothing was settled; something may have been returned. */
    public boolean isEmpty() {
        return size() == 0;
    }

    public int size() {
        return dispatched.size() + retries.size() + failures.size() + held.size();
    }

    /** The keys whose next messages have to wait for one of these. */
    public Stream<Key> stoppedKeys() {
        return Stream.concat(
                retries.stream().filter(Retry::stopsItsKey).map(retry -> Key.of(retry.message.envelope())),
                failures.stream().filter(Failure::stopsItsKey).map(failure -> Key.of(failure.message.envelope())));
    }

    /**
     * The message waits, and its key with it.
     *
     * @param counted whether it was refused, and an attempt is used; false when the destination may be the reason
     */
    public record Retry(ClaimedMessage message, String error, Duration delay, boolean counted) {

        public Retry(ClaimedMessage message, String error, Duration delay) {
            this(message, error, delay, true);
        }

        /** How often it was refused, this time included. */
        public int attempts() {
            return message.attempts() + (counted ? 1 : 0);
        }

        public boolean stopsItsKey() {
            return message.envelope().isOrdered();
        }
    }

    /** Refused for the last time. */
    public record Failure(ClaimedMessage message, String error, OnExhausted then) {
        public boolean stopsItsKey() {
            return message.envelope().isOrdered() && then != OnExhausted.SKIP;
        }
    }
}

package io.waybill.store;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What became of a batch. Messages that are in none of the lists stay as they are.
 *
 * @param dispatched accepted by the broker
 * @param retries refused, to be tried again; their keys wait
 * @param failures refused for the last time
 * @param held passed over, because an earlier message of their key waits or has failed
 */
public record Settlements(
        List<ClaimedMessage> dispatched, List<Retry> retries, List<Failure> failures, List<ClaimedMessage> held) {

    /** Nothing yet. */
    public static Settlements none() {
        return new Settlements(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    }

    public boolean isEmpty() {
        return size() == 0;
    }

    public int size() {
        return dispatched.size() + retries.size() + failures.size() + held.size();
    }

    /** Refused: the attempt counts, and the message waits. */
    public record Retry(ClaimedMessage message, String error, Duration delay) {}

    /** Refused for the last time. */
    public record Failure(ClaimedMessage message, String error, OnExhausted then) {}
}

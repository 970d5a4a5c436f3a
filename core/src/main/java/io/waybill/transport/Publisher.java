package io.waybill.transport;

import io.waybill.message.Envelope;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * Sends messages to one broker.
 *
 * <p>What the broker accepted from one destination and partition key is always a prefix of what it was given: after the first
 * message of a key that is not accepted, the rest of that key is {@link Outcome.NotAttempted}.
 *
 * <p><i>Threads:</i> called by one thread at a time.
 */
public interface Publisher extends AutoCloseable {

    /**
     * Sends the batch and waits for the broker's word on every message: one outcome each, in the same order.
     *
     * @param deadline asked before every request; what was not sent when it has passed is {@link Outcome.NotAttempted}
     */
    List<Outcome> publish(List<Envelope> batch, Deadline deadline);

    /**
     * Called before a publish when the relay has taken shards since the last one: another relay published for their keys until then.
     * What this publisher remembers of its destinations may be older than what that one went by, for example how many partitions a
     * topic has. A publisher that remembers nothing has nothing to do.
     */
    default void shardsTaken() {}

    @Override
    default void close() {}

    /** Sends one message after the other and keeps the promise above: the simplest publisher there is. */
    static List<Outcome> oneByOne(List<Envelope> batch, Deadline deadline, Function<Envelope, Outcome> send) {
        var outcomes = new ArrayList<Outcome>(batch.size());
        Set<List<String>> stopped = new HashSet<>();
        for (Envelope message : batch) {
            var key = List.of(message.destination(), message.partitionKey());
            if ((message.isOrdered() && stopped.contains(key)) || deadline.hasPassed()) {
                outcomes.add(new Outcome.NotAttempted());
                continue;
            }
            Outcome outcome = send.apply(message);
            if (!(outcome instanceof Outcome.Accepted)) {
                stopped.add(key);
            }
            outcomes.add(outcome);
        }
        return outcomes;
    }
}

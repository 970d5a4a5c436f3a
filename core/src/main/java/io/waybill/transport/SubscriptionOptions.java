package io.waybill.transport;

import io.waybill.WaybillException;

/**
 * Options of a subscription: what to receive, and how.
 *
 * @param source the topic or queue
 * @param group the consumer group: members share the messages, each group gets all of them, if the broker has groups
 * @param concurrency how many batches may be received in parallel
 * @param batchSize how many messages are handed over at once, at most; also how many wait unacknowledged
 * @param ordered whether messages of one key must arrive in order; refused if the broker cannot keep it
 */
public record SubscriptionOptions(String source, String group, int concurrency, int batchSize, boolean ordered) {

    public SubscriptionOptions {
        if (source.isBlank() || group.isBlank()) {
            throw new WaybillException("A subscription needs a source ('" + source + "') and a group ('" + group
                    + "'): which topic or queue, and who receives.");
        }
        if (concurrency < 1 || batchSize < 1) {
            throw new WaybillException("concurrency (" + concurrency + ") and batch-size (" + batchSize
                    + ") of the subscription to '" + source + "' must be at least 1.");
        }
    }

    /** One batch of 100 at a time, in order. */
    public static SubscriptionOptions to(String source, String group) {
        return new SubscriptionOptions(source, group, 1, 100, true);
    }

    public SubscriptionOptions concurrency(int concurrency) {
        return new SubscriptionOptions(source, group, concurrency, batchSize, ordered);
    }

    public SubscriptionOptions batchSize(int batchSize) {
        return new SubscriptionOptions(source, group, concurrency, batchSize, ordered);
    }

    public SubscriptionOptions unordered() {
        return new SubscriptionOptions(source, group, concurrency, batchSize, false);
    }
}

package io.waybill.relay;

import io.waybill.WaybillException;
import java.time.Duration;

/**
 * How a relay works.
 *
 * @param sweepInterval how long an idle relay waits before it looks again without having been woken
 * @param claimTimeout how long the shards of a relay that stopped answering stay its own
 * @param batchSize how many messages are claimed at once
 * @param batchBytes how many bytes their payloads may have together; a single message that has more goes alone. While brokers are slow,
 *     four times as many may be under way
 * @param publishTimeout how long a batch may take to send before its publisher is interrupted and, if that does not help, the relay
 *     counts as hanging and loses its shards
 * @param handlers how many messages are handled in this process at once, each on a thread and a connection of its own
 * @param messagesPerCommit how many messages of different keys are handled in one transaction, or steps of processes that go on in it. More
 *     than one is faster, and safe where handlers of different keys do not lock the same rows in different orders; when one fails they are
 *     undone and go one by one
 */
public record RelayOptions(
        Duration sweepInterval,
        Duration claimTimeout,
        int batchSize,
        long batchBytes,
        Duration publishTimeout,
        int handlers,
        int messagesPerCommit) {

    private static final long DEFAULT_BATCH_BYTES = 16 * 1024 * 1024;

    public static final RelayOptions DEFAULT = new RelayOptions(
            Duration.ofSeconds(1), Duration.ofSeconds(60), 2_000, DEFAULT_BATCH_BYTES, Duration.ofMinutes(5), 4, 1);

    public RelayOptions {
        positive("sweep-interval", sweepInterval);
        positive("claim-timeout", claimTimeout);
        positive("publish-timeout", publishTimeout);
        positive("batch-size", batchSize);
        positive("handlers", handlers);
        positive("messages-per-commit", messagesPerCommit);
        if (batchBytes < 1) {
            throw new WaybillException(
                    "batch-bytes (" + batchBytes + ") must be at least 1. A message that is larger goes"
                            + " alone, so there is no need for room for the largest.");
        }
    }

    public RelayOptions withClaimTimeout(Duration claimTimeout) {
        return new RelayOptions(
                sweepInterval, claimTimeout, batchSize, batchBytes, publishTimeout, handlers, messagesPerCommit);
    }

    public RelayOptions withBatchSize(int batchSize) {
        return new RelayOptions(
                sweepInterval, claimTimeout, batchSize, batchBytes, publishTimeout, handlers, messagesPerCommit);
    }

    public RelayOptions withBatchBytes(long batchBytes) {
        return new RelayOptions(
                sweepInterval, claimTimeout, batchSize, batchBytes, publishTimeout, handlers, messagesPerCommit);
    }

    public RelayOptions withHandlers(int handlers) {
        return new RelayOptions(
                sweepInterval, claimTimeout, batchSize, batchBytes, publishTimeout, handlers, messagesPerCommit);
    }

    public RelayOptions withMessagesPerCommit(int messages) {
        return new RelayOptions(sweepInterval, claimTimeout, batchSize, batchBytes, publishTimeout, handlers, messages);
    }

    public RelayOptions withSweepInterval(Duration sweepInterval) {
        return new RelayOptions(
                sweepInterval, claimTimeout, batchSize, batchBytes, publishTimeout, handlers, messagesPerCommit);
    }

    private static void positive(String name, int value) {
        if (value < 1) {
            throw new WaybillException(name + " (" + value + ") must be at least 1.");
        }
    }

    private static void positive(String name, Duration value) {
        if (value.isNegative() || value.isZero()) {
            throw new WaybillException(name + " (" + value + ") must be longer than zero.");
        }
    }
}

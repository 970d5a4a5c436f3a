package io.waybill.relay.route;

import io.waybill.WaybillException;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Options of a relay.
 *
 * @param sweepInterval how often an idle relay looks for messages if nothing wakes it
 * @param leaseTime how long a relay that does not respond keeps its shards; it renews its leases three times as often
 * @param claimTimeout how long a message in flight may delay the hand-over of its shard to another relay
 * @param batchSize how many messages are claimed at once
 * @param batchBytes how many bytes their payloads may have together; a single message that has more goes alone. While brokers are
 *     slow, four times as many may be under way
 * @param publishTimeout how long a batch may take to send before its publisher is interrupted and, if that does not help, the relay
 *     counts as hanging and loses its shards
 * @param handlers how many messages are handled in this process at once, each on a thread and a connection of its own
 * @param messagesPerCommit how many messages of different keys are handled in one transaction, or steps of processes that go on in
 *     it. More than one is faster, and safe where handlers of different keys do not lock the same rows in different orders; when one
 *     fails they are rolled back and go one by one
 * @param closeTimeout how long closing waits for what is being published or handled; what takes longer may be sent or handled again
 *     elsewhere
 */
public record RelayOptions(
        Duration sweepInterval,
        Duration leaseTime,
        Duration claimTimeout,
        int batchSize,
        long batchBytes,
        Duration publishTimeout,
        int handlers,
        int messagesPerCommit,
        Duration closeTimeout) {

    private static final long DEFAULT_BATCH_BYTES = 16 * 1024 * 1024;

    public static final RelayOptions DEFAULT = new RelayOptions(
            Duration.ofSeconds(1),
            Duration.ofSeconds(10),
            Duration.ofSeconds(60),
            2_000,
            DEFAULT_BATCH_BYTES,
            Duration.ofMinutes(5),
            4,
            1,
            Duration.ofSeconds(30));

    public RelayOptions {
        positive("sweep-interval", sweepInterval);
        positive("lease-time", leaseTime);
        positive("claim-timeout", claimTimeout);
        positive("close-timeout", closeTimeout);
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

    public RelayOptions withSweepInterval(Duration sweepInterval) {
        return with(draft -> draft.sweepInterval = sweepInterval);
    }

    public RelayOptions withLeaseTime(Duration leaseTime) {
        return with(draft -> draft.leaseTime = leaseTime);
    }

    public RelayOptions withClaimTimeout(Duration claimTimeout) {
        return with(draft -> draft.claimTimeout = claimTimeout);
    }

    public RelayOptions withBatchSize(int batchSize) {
        return with(draft -> draft.batchSize = batchSize);
    }

    public RelayOptions withBatchBytes(long batchBytes) {
        return with(draft -> draft.batchBytes = batchBytes);
    }

    public RelayOptions withHandlers(int handlers) {
        return with(draft -> draft.handlers = handlers);
    }

    public RelayOptions withMessagesPerCommit(int messagesPerCommit) {
        return with(draft -> draft.messagesPerCommit = messagesPerCommit);
    }

    public RelayOptions withCloseTimeout(Duration closeTimeout) {
        return with(draft -> draft.closeTimeout = closeTimeout);
    }

    private RelayOptions with(Consumer<Draft> change) {
        var draft = new Draft(this);
        change.accept(draft);
        return draft.options();
    }

    /** The same values, to be changed one at a time. */
    private static final class Draft {

        private Duration sweepInterval;
        private Duration leaseTime;
        private Duration claimTimeout;
        private int batchSize;
        private long batchBytes;
        private Duration publishTimeout;
        private int handlers;
        private int messagesPerCommit;
        private Duration closeTimeout;

        Draft(RelayOptions options) {
            sweepInterval = options.sweepInterval;
            leaseTime = options.leaseTime;
            claimTimeout = options.claimTimeout;
            batchSize = options.batchSize;
            batchBytes = options.batchBytes;
            publishTimeout = options.publishTimeout;
            handlers = options.handlers;
            messagesPerCommit = options.messagesPerCommit;
            closeTimeout = options.closeTimeout;
        }

        RelayOptions options() {
            return new RelayOptions(
                    sweepInterval,
                    leaseTime,
                    claimTimeout,
                    batchSize,
                    batchBytes,
                    publishTimeout,
                    handlers,
                    messagesPerCommit,
                    closeTimeout);
        }
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

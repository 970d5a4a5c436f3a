package io.waybill.kafka;

import io.waybill.Time;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;

/**
 * Commits the offsets of what was received.
 *
 * <p><i>Threads:</i> the poller's only.
 */
final class Commits {

    private static final Duration COMMITTING = Duration.ofSeconds(10);
    private static final Duration AFTER_A_FAILURE = Duration.ofSeconds(1);

    private final Consumer<byte[], byte[]> consumer;
    private final Map<TopicPartition, PartitionBacklog> backlogs;
    private final Time time;
    private Time.@Nullable Stopwatch failed;

    /** @param backlogs of the partitions that this member has */
    Commits(Consumer<byte[], byte[]> consumer, Map<TopicPartition, PartitionBacklog> backlogs, Time time) {
        this.consumer = consumer;
        this.backlogs = backlogs;
        this.time = time;
    }

    /** What receivers took since the last time, without waiting for it. What fails is committed again, a moment later. */
    void begin() {
        if (failed != null && !failed.hasReached(AFTER_A_FAILURE)) {
            return;
        }
        Map<TopicPartition, OffsetAndMetadata> offsets = offsets(PartitionBacklog::isToCommit);
        if (!offsets.isEmpty()) {
            backlogs.values().forEach(PartitionBacklog::committing);
            consumer.commitAsync(offsets, (committed, error) -> {
                failed = error == null ? null : time.stopwatch();
                if (error != null) {
                    committed.keySet().forEach(this::repeat);
                }
            });
        }
    }

    private void repeat(TopicPartition partition) {
        PartitionBacklog backlog = backlogs.get(partition);
        if (backlog != null) {
            backlog.notCommitted();
        }
    }

    /** Everything that was received, and waits for it. */
    void complete() {
        passWhatIsNotReceived();
        Map<TopicPartition, OffsetAndMetadata> offsets = offsets(PartitionBacklog::isAcknowledged);
        while (!offsets.isEmpty()) {
            try {
                consumer.commitSync(offsets, COMMITTING);
                return;
            } catch (WakeupException e) {
                // Meant for a poll: the commit is still to be done.
            }
        }
    }

    /**
     * Behind the last message there may be offsets that nobody receives: the end of a transaction, messages of one that was taken back,
     * what was removed from a compacted topic. Uncommitted they would look like messages that wait.
     */
    void passWhatIsNotReceived() {
        backlogs.forEach((partition, backlog) -> {
            if (backlog.isEmpty()) {
                try {
                    backlog.acknowledge(consumer.position(partition, Duration.ZERO));
                } catch (TimeoutException | IllegalStateException | WakeupException e) {
                    // It has no position yet, or belongs to this member no longer.
                }
            }
        });
    }

    private Map<TopicPartition, OffsetAndMetadata> offsets(Predicate<PartitionBacklog> which) {
        var offsets = new HashMap<TopicPartition, OffsetAndMetadata>();
        backlogs.forEach((partition, backlog) -> {
            if (which.test(backlog)) {
                offsets.put(partition, new OffsetAndMetadata(backlog.acknowledged()));
            }
        });
        return offsets;
    }
}

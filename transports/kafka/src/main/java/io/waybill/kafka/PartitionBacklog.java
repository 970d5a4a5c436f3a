package io.waybill.kafka;

import io.waybill.Time;
import io.waybill.transport.Delivery;
import io.waybill.transport.Subscription;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * What was taken from one partition and is not acknowledged yet: what is being received, and what waits behind it.
 *
 * <p><i>Threads:</i> the poller's only.
 */
final class PartitionBacklog {

    private final Time time;
    private final Records records;
    private final Deque<ConsumerRecord<byte[], byte[]>> waiting = new ArrayDeque<>();
    private List<ConsumerRecord<byte[], byte[]>> receiving = List.of();
    private Duration pause = Duration.ZERO;
    private int failures;
    private Time.@Nullable Stopwatch failed;
    private long acknowledged = -1;
    private long committing = -1;

    PartitionBacklog(Time time, Records records) {
        this.time = time;
        this.records = records;
    }

    void add(List<ConsumerRecord<byte[], byte[]>> records) {
        waiting.addAll(records);
    }

    boolean isEmpty() {
        return waiting.isEmpty() && receiving.isEmpty();
    }

    /** Whether less than a batch waits behind what is being received. */
    boolean hasRoom(int batch) {
        return waiting.size() < batch;
    }

    boolean isReceiving() {
        return !receiving.isEmpty();
    }

    /** Whether the next batch may be handed over now. */
    boolean isReady() {
        return receiving.isEmpty() && !waiting.isEmpty() && (failed == null || failed.hasReached(pause));
    }

    List<Delivery> next(int most) {
        receiving = new ArrayList<>(most);
        while (receiving.size() < most && !waiting.isEmpty()) {
            receiving.add(waiting.removeFirst());
        }
        return receiving.stream().map(records::delivery).toList();
    }

    /** The batch that was handed over is done with. */
    void received() {
        acknowledge(receiving.get(receiving.size() - 1).offset() + 1);
        receiving = List.of();
        failed = null;
        failures = 0;
    }

    /** Everything before this offset is done with. */
    void acknowledge(long offset) {
        acknowledged = Math.max(acknowledged, offset);
    }

    /** The batch that was handed over comes again, each time after a longer pause. */
    Duration failed() {
        for (int i = receiving.size() - 1; i >= 0; i--) {
            waiting.addFirst(receiving.get(i));
        }
        receiving = List.of();
        failed = time.stopwatch();
        pause = Subscription.BACKOFF.delay(failures++);
        return pause;
    }

    /** Whether the next batch waits for the pause after a failure. */
    boolean isPausing() {
        return failed != null && receiving.isEmpty();
    }

    boolean isAcknowledged() {
        return acknowledged >= 0;
    }

    /** The offset to commit: everything before it is done with. */
    long acknowledged() {
        return acknowledged;
    }

    boolean isToCommit() {
        return acknowledged > committing;
    }

    void committing() {
        committing = acknowledged;
    }

    void notCommitted() {
        committing = -1;
    }
}

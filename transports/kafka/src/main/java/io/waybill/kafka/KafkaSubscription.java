package io.waybill.kafka;

import io.waybill.Time;
import io.waybill.transport.Delivery;
import io.waybill.transport.Receiver;
import io.waybill.transport.Subscription;
import io.waybill.transport.SubscriptionOptions;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Polls, hands batches to receivers and commits what they took. One thread owns the consumer and polls all the time, with
 * partitions paused whose receivers are at work, so that a slow one causes no rebalance; the receivers have threads of their
 * own. A partition has one batch out at a time, which keeps its order.
 */
final class KafkaSubscription implements Subscription, ConsumerRebalanceListener {

    private static final Logger log = LoggerFactory.getLogger(KafkaSubscription.class);

    private static final Duration IDLE = Duration.ofMillis(500);
    private static final Duration RETRY_DUE = Duration.ofMillis(50);
    private static final Duration AFTER_AN_ERROR = Duration.ofSeconds(1);
    private static final Duration COMMITTING = Duration.ofSeconds(10);

    private final Consumer<byte[], byte[]> consumer;
    private final SubscriptionOptions options;
    private final Receiver receiver;
    private final Time time;
    private final Duration revocation;
    private final ExecutorService receivers;
    private final Map<TopicPartition, Backlog> backlogs = new HashMap<>();
    private final BlockingQueue<Done> done = new LinkedBlockingQueue<>();
    private final CountDownLatch stopping = new CountDownLatch(1);
    private final Thread poller;
    private int busy;
    private boolean troubled;

    private KafkaSubscription(Map<String, Object> settings, SubscriptionOptions options, Receiver receiver, Time time) {
        this.consumer = new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        this.options = options;
        this.receiver = receiver;
        this.time = time;
        // Others wait for a revoked partition no longer than this consumer may stay away from polling.
        this.revocation = Duration.ofMillis(Settings.maxPollInterval(settings) / 2);
        String name = "waybill-kafka-" + options.group() + "-" + options.source();
        var count = new AtomicInteger();
        this.receivers = Executors.newFixedThreadPool(
                options.concurrency(), work -> thread(name + "-" + count.incrementAndGet(), work));
        this.poller = thread(name, this::poll);
    }

    static KafkaSubscription start(
            Map<String, Object> settings, SubscriptionOptions options, Receiver receiver, Time time) {
        var subscription = new KafkaSubscription(settings, options, receiver, time);
        subscription.poller.start();
        return subscription;
    }

    private void poll() {
        consumer.subscribe(List.of(options.source()), this);
        while (isRunning()) {
            try {
                settle();
                handOver();
                take(consumer.poll(patience()));
                troubled = false;
            } catch (WakeupException e) {
                // A receiver is done, or the subscription stops.
            } catch (RuntimeException e) {
                tellTrouble(e);
                waitAMoment();
            }
        }
        stop();
    }

    private void take(ConsumerRecords<byte[], byte[]> records) {
        for (TopicPartition partition : records.partitions()) {
            backlog(partition).add(records.records(partition));
            consumer.pause(List.of(partition));
        }
    }

    private void handOver() {
        for (var entry : backlogs.entrySet()) {
            if (busy < options.concurrency() && entry.getValue().isReady()) {
                busy++;
                var work = new Work(entry.getKey(), entry.getValue());
                List<Delivery> batch = work.backlog.next(options.batchSize());
                receivers.execute(() -> receive(work, batch));
            }
        }
    }

    /** On a thread of its own; the poller hears of it through {@link #done}. */
    private void receive(Work work, List<Delivery> batch) {
        Throwable problem = null;
        try {
            receiver.receive(batch);
        } catch (Throwable e) {
            problem = e;
        }
        done.add(new Done(work, problem));
        consumer.wakeup();
    }

    /** Notes what receivers have done meanwhile, and acknowledges it. */
    private void settle() {
        for (Done one = done.poll(); one != null; one = done.poll()) {
            settle(one);
        }
        Map<TopicPartition, OffsetAndMetadata> offsets = offsets(Backlog::isToCommit);
        if (!offsets.isEmpty()) {
            backlogs.values().forEach(Backlog::committing);
            consumer.commitAsync(offsets, null);
        }
    }

    private void settle(Done one) {
        busy--;
        Backlog backlog = one.work.backlog;
        if (backlogs.get(one.work.partition) != backlog) {
            return; // The partition has gone to another member, who gets the batch as well.
        }
        if (one.problem != null) {
            Duration pause = backlog.failed();
            if (stopping.getCount() == 0) {
                log.debug("'{}' stops and hands a batch of {} back.", options.group(), one.work.partition, one.problem);
                return;
            }
            log.warn(
                    "WB-202 '{}' did not take a batch of {} and gets it again in {} ms: {}",
                    options.group(),
                    one.work.partition,
                    pause.toMillis(),
                    one.problem.toString());
            return;
        }
        backlog.received();
        if (backlog.isEmpty()) {
            consumer.resume(List.of(one.work.partition));
        }
    }

    private Duration patience() {
        return backlogs.values().stream().anyMatch(Backlog::isPausing) ? RETRY_DUE : IDLE;
    }

    private void stop() {
        try {
            try {
                finish(backlogs.keySet(), Duration.ofDays(1), this::stayInTheGroup);
                commit();
            } finally {
                consumer.close(); // Or it stays a member of the group, whose partitions nobody else gets.
            }
        } catch (KafkaException e) {
            log.warn(
                    "WB-203 '{}' stopped receiving from {}, but what it took last will come again: {}",
                    options.group(),
                    options.source(),
                    Verdicts.text(e));
        } finally {
            receivers.shutdown();
        }
    }

    /** A batch may take longer than a member may stay away. */
    private void stayInTheGroup() {
        try {
            consumer.pause(consumer.assignment());
            consumer.poll(Duration.ZERO);
        } catch (WakeupException e) {
            // A receiver is done.
        }
    }

    /** Waits until nothing of these partitions is being received any more. */
    private void finish(Collection<TopicPartition> partitions, Duration longest, Runnable meanwhile) {
        Time.Stopwatch waiting = time.stopwatch();
        while (partitions.stream().anyMatch(this::isReceiving) && !waiting.hasReached(longest)) {
            meanwhile.run();
            try {
                Done one = done.poll(IDLE.toMillis(), TimeUnit.MILLISECONDS);
                if (one != null) {
                    settle(one);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private boolean isReceiving(TopicPartition partition) {
        Backlog backlog = backlogs.get(partition);
        return backlog != null && backlog.isReceiving();
    }

    private void commit() {
        Map<TopicPartition, OffsetAndMetadata> offsets = offsets(Backlog::isAcknowledged);
        while (!offsets.isEmpty()) {
            try {
                consumer.commitSync(offsets, COMMITTING);
                return;
            } catch (WakeupException e) {
                // Meant for a poll: the commit is still to be done.
            }
        }
    }

    private Map<TopicPartition, OffsetAndMetadata> offsets(Predicate<Backlog> which) {
        var offsets = new HashMap<TopicPartition, OffsetAndMetadata>();
        backlogs.forEach((partition, backlog) -> {
            if (which.test(backlog)) {
                offsets.put(partition, new OffsetAndMetadata(backlog.acknowledged()));
            }
        });
        return offsets;
    }

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
        partitions.forEach(this::backlog);
    }

    /** Finishes what is being received, so that whoever gets the partition begins behind it. */
    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
        finish(partitions, revocation, () -> {});
        try {
            commit();
        } catch (KafkaException e) {
            log.debug("{} were revoked before they could be acknowledged: {}", partitions, Verdicts.text(e));
        }
        partitions.forEach(backlogs::remove);
    }

    /** Others have these already: what is still being received comes to them as well. */
    @Override
    public void onPartitionsLost(Collection<TopicPartition> partitions) {
        partitions.forEach(backlogs::remove);
    }

    private Backlog backlog(TopicPartition partition) {
        return backlogs.computeIfAbsent(partition, none -> new Backlog(time));
    }

    private boolean isRunning() {
        return stopping.getCount() > 0;
    }

    private void tellTrouble(RuntimeException e) {
        if (!troubled) {
            log.warn(
                    "WB-201 '{}' cannot receive from {} and tries again: {}",
                    options.group(),
                    options.source(),
                    Verdicts.text(e));
        }
        troubled = true;
    }

    private void waitAMoment() {
        try {
            boolean stops = stopping.await(AFTER_AN_ERROR.toMillis(), TimeUnit.MILLISECONDS);
            log.debug("The subscription {}.", stops ? "stops" : "tries again");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            stopping.countDown();
        }
    }

    @Override
    public void close() {
        stopping.countDown();
        receiver.stop();
        consumer.wakeup();
        try {
            poller.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private record Work(TopicPartition partition, Backlog backlog) {}

    private record Done(Work work, @Nullable Throwable problem) {}

    private static Thread thread(String name, Runnable work) {
        var thread = new Thread(work, name);
        thread.setDaemon(true);
        return thread;
    }
}

package io.waybill.kafka;

import io.waybill.Time;
import io.waybill.transport.Delivery;
import io.waybill.transport.Receiver;
import io.waybill.transport.Subscription;
import io.waybill.transport.SubscriptionOptions;
import io.waybill.transport.SubscriptionState;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Polls, hands batches to receivers and commits what they took. One thread owns the consumer and polls all the time, with
 * partitions paused of which another batch waits already, so that a slow receiver causes no rebalance; the receivers have threads of
 * their own. A partition has one batch out at a time, which keeps its order.
 */
final class KafkaSubscription implements Subscription, ConsumerRebalanceListener {

    private static final Logger log = LoggerFactory.getLogger(KafkaSubscription.class);

    private static final Duration IDLE = Duration.ofMillis(500);
    private static final Duration RETRY_DUE = Duration.ofMillis(50);
    private static final Duration AFTER_AN_ERROR = Duration.ofSeconds(1);
    private static final Duration IDLE_THREAD = Duration.ofSeconds(10);

    /** Longer than a few heartbeats. */
    private static final Duration NO_ANSWER = Duration.ofSeconds(5);

    private final Records records = new Records();
    private final Consumer<byte[], byte[]> consumer;
    private final SubscriptionOptions options;
    private final Receiver receiver;
    private final Time time;
    private final SubscriptionState state;
    private final Duration revocation;
    private final ExecutorService receivers;
    private final Map<TopicPartition, PartitionBacklog> backlogs = new HashMap<>();
    private final Commits commits;
    private final BlockingQueue<Done> done = new LinkedBlockingQueue<>();
    private final CountDownLatch stopping = new CountDownLatch(1);
    private final Thread poller;
    private final @Nullable Metric bytesReceived;
    private double lastBytes;
    private Time.Stopwatch lastAnswer;
    private int busy;

    private KafkaSubscription(Map<String, Object> settings, SubscriptionOptions options, Receiver receiver, Time time) {
        this.consumer = new KafkaConsumer<>(settings, records, new ByteArrayDeserializer());
        this.commits = new Commits(consumer, backlogs, time);
        this.options = options;
        this.receiver = receiver;
        this.time = time;
        this.state = new SubscriptionState(log, options, time);
        this.lastAnswer = time.stopwatch();
        this.bytesReceived = consumer.metrics().values().stream()
                .filter(metric -> metric.metricName().name().equals("incoming-byte-total")
                        && metric.metricName().group().equals("consumer-metrics"))
                .findFirst()
                .orElse(null);
        // Others wait for a revoked partition no longer than this consumer may stay away from polling.
        this.revocation = Duration.ofMillis(KafkaSettings.maxPollInterval(settings) / 2);
        String name = "waybill-kafka-" + options.group() + "-" + options.source();
        var count = new AtomicInteger();
        var pool = new ThreadPoolExecutor(
                options.concurrency(),
                options.concurrency(),
                IDLE_THREAD.toMillis(),
                TimeUnit.MILLISECONDS,
                new LinkedBlockingQueue<>(),
                work -> thread(name + "-" + count.incrementAndGet(), work));
        pool.allowCoreThreadTimeOut(true);
        this.receivers = pool;
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
                tellWhetherBrokersAnswer();
            } catch (WakeupException e) {
                // A receiver is done, or the subscription stops.
            } catch (RuntimeException e) {
                state.failed(consumer, "WB-201", Verdicts.text(e));
                waitAMoment();
            }
        }
        stop();
    }

    /** A poll does not fail when there is no broker: it returns nothing, for ever. But heartbeats are answered all the time. */
    private void tellWhetherBrokersAnswer() {
        double bytes = bytesReceived == null ? -1 : ((Number) bytesReceived.metricValue()).doubleValue();
        if (bytes != lastBytes || bytes < 0) {
            lastBytes = bytes;
            lastAnswer = time.stopwatch();
            state.receives(consumer);
        } else if (lastAnswer.hasReached(NO_ANSWER)) {
            state.failed(consumer, "WB-201", "no broker of the cluster responds");
        }
    }

    private void take(ConsumerRecords<byte[], byte[]> records) {
        if (records.isEmpty()) {
            commits.passWhatIsNotReceived();
        }
        for (TopicPartition partition : records.partitions()) {
            PartitionBacklog backlog = backlog(partition);
            backlog.add(records.records(partition));
            if (!backlog.hasRoom(options.batchSize())) {
                consumer.pause(List.of(partition));
            }
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
        commits.begin();
    }

    private void settle(Done one) {
        busy--;
        PartitionBacklog backlog = one.work.backlog;
        if (backlogs.get(one.work.partition) != backlog) {
            return; // The partition has gone to another member, who gets the batch as well.
        }
        if (one.problem != null) {
            Duration pause = backlog.failed();
            if (stopping.getCount() == 0) {
                log.debug("'{}' stops and hands a batch of {} back.", options.group(), one.work.partition, one.problem);
                return;
            }
            state.failed(one.work.partition, "WB-202", "the receiver failed: " + one.problem);
            log.debug("WB-202 {} comes again in {} ms", one.work.partition, pause.toMillis(), one.problem);
            return;
        }
        backlog.received();
        state.receives(one.work.partition);
        if (backlog.hasRoom(options.batchSize())) {
            consumer.resume(List.of(one.work.partition));
        }
    }

    private Duration patience() {
        return backlogs.values().stream().anyMatch(PartitionBacklog::isPausing) ? RETRY_DUE : IDLE;
    }

    private void stop() {
        try {
            try {
                finish(backlogs.keySet(), Duration.ofDays(1), this::stayInTheGroup);
                commits.complete();
            } finally {
                consumer.close(); // Or it stays a member of the group, whose partitions nobody else gets.
            }
        } catch (KafkaException e) {
            log.warn(
                    "WB-203 '{}' stopped receiving from {} but could not acknowledge its last messages, which are"
                            + " delivered again: {}",
                    options.group(),
                    options.source(),
                    Verdicts.text(e));
        } finally {
            receivers.shutdown();
            state.closed();
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
        PartitionBacklog backlog = backlogs.get(partition);
        return backlog != null && backlog.isReceiving();
    }

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
        partitions.forEach(this::backlog);
    }

    /** Finishes what is being received, so that the next owner of the partition begins behind it. */
    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
        finish(partitions, revocation, () -> {});
        try {
            commits.complete();
        } catch (KafkaException e) {
            log.debug("{} were revoked before they could be acknowledged: {}", partitions, Verdicts.text(e));
        }
        partitions.forEach(this::forget);
    }

    /** Others have these already: what is still being received comes to them as well. */
    @Override
    public void onPartitionsLost(Collection<TopicPartition> partitions) {
        partitions.forEach(this::forget);
    }

    private void forget(TopicPartition partition) {
        backlogs.remove(partition);
        state.forget(partition);
    }

    private PartitionBacklog backlog(TopicPartition partition) {
        return backlogs.computeIfAbsent(partition, none -> new PartitionBacklog(time, records));
    }

    private boolean isRunning() {
        return stopping.getCount() > 0;
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
    public Optional<String> problem() {
        return state.problem();
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

    private record Work(TopicPartition partition, PartitionBacklog backlog) {}

    private record Done(Work work, @Nullable Throwable problem) {}

    private static Thread thread(String name, Runnable work) {
        var thread = new Thread(work, name);
        thread.setDaemon(true);
        return thread;
    }
}

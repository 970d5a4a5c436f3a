package io.waybill.testkit.contract.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.waybill.WaybillException;
import io.waybill.transport.Broker;
import io.waybill.transport.Subscription;
import io.waybill.transport.SubscriptionOptions;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.slf4j.LoggerFactory;

/** What every subscription promises over a connection that can be cut, besides; against its real broker. */
public abstract class RemoteSubscriptionContract extends SubscriptionContract {

    /** How often the connection is cut: a few times in every build, more with -Pfull. */
    private static final int CUTS = Integer.getInteger("waybill.transport.cuts", 10);

    @Override
    protected abstract BrokerFixture<? extends Broker> fixture();

    @Test
    void connections_cut_in_the_middle_lose_nothing_and_reorder_nothing() {
        int total = 200 * CUTS;
        var random = new Random(11);
        try (var proxy = fixture().proxy();
                Broker through = fixture().open(proxy.port())) {
            publish(total);
            var cuts = new AtomicInteger();
            try (var subscription = through.subscribe(options().batchSize(20), batch -> {
                keep(batch);
                if (random.nextInt(4) == 0 && cuts.get() < CUTS) {
                    cuts.incrementAndGet();
                    proxy.cut();
                }
            })) {
                awaitReceived(total, PATIENCE.multipliedBy(1 + CUTS / 10));
            }
            assertThat(cuts).as("connections cut").hasValue(CUTS);
        }
        assertThat(check(total).lost()).isZero();
        assertThat(check(total).violations()).isEmpty();
    }

    @Test
    void a_broker_that_is_away_is_said_and_waited_for() {
        publish(10);
        try (var proxy = fixture().proxy();
                Broker through = fixture().open(proxy.port());
                var subscription = through.subscribe(options(), this::keep)) {
            awaitReceived(10, PATIENCE);
            proxy.refuse();
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(subscription.problem()).isPresent());
            publish(10, 10);
            proxy.restore();
            awaitReceived(20, PATIENCE);
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(subscription.problem()).isEmpty());
        }
        assertThat(check(20).violations()).isEmpty();
    }

    /** What the documents say that subscriptions cost: run with -Dwaybill.transport.subscriptions=100. */
    @Test
    @EnabledIfSystemProperty(named = "waybill.transport.subscriptions", matches = "[0-9]+")
    void what_idle_subscriptions_cost() throws Exception {
        int count = Integer.getInteger("waybill.transport.subscriptions");
        List<String> sources =
                Stream.generate(() -> fixture().newDestination()).limit(count).toList();
        var client = new ClientThreads();
        List<Subscription> subscriptions = sources.stream()
                .map(source -> broker.subscribe(SubscriptionOptions.to(source, "group-of-" + source), this::keep))
                .toList();
        await().during(Duration.ofSeconds(5)).atMost(PATIENCE).until(() -> true);
        long before = client.cpuNanos();
        long start = System.nanoTime();
        await().during(Duration.ofSeconds(20)).atMost(PATIENCE).until(() -> true);
        double core = (double) (client.cpuNanos() - before) / (System.nanoTime() - start);
        int threads = client.count();
        start = System.nanoTime();
        assertThat(Subscription.closeAll(subscriptions, PATIENCE.multipliedBy(2)))
                .isEqualTo(count);
        LoggerFactory.getLogger(getClass())
                .warn(
                        "{} idle subscriptions: {} threads, {} % of a core, closed in {} ms",
                        count, threads, Math.round(1_000 * core) / 10.0, (System.nanoTime() - start) / 1_000_000);
    }

    /** The threads that have begun since, apart from those of a broker in this JVM. */
    private static final class ClientThreads {
        private static final Pattern BROKER = Pattern.compile(
                "data-plane|kafka-\\d|broker-|controller-|raft-|Expiration|ReplicaFetch|Log|group-"
                        + "|transaction-|share-|metrics-|activemq|Thread-\\d+ \\(ActiveMQ-(server|remoting)|IoRcv|.*-server.*");

        private final ThreadMXBean all = ManagementFactory.getThreadMXBean();
        private final Set<Long> before =
                Arrays.stream(all.getAllThreadIds()).boxed().collect(Collectors.toSet());

        int count() {
            return (int) own().count();
        }

        long cpuNanos() {
            return own().mapToLong(thread -> Math.max(0, all.getThreadCpuTime(thread.getThreadId())))
                    .sum();
        }

        private Stream<ThreadInfo> own() {
            return Arrays.stream(all.getThreadInfo(all.getAllThreadIds()))
                    .filter(thread -> thread != null
                            && !before.contains(thread.getThreadId())
                            && !BROKER.matcher(thread.getThreadName()).lookingAt());
        }
    }

    @Test
    void a_missing_source_is_refused_at_once_by_its_name() {
        String missing = fixture().missingDestination();

        assertThatThrownBy(() -> broker.subscribe(SubscriptionOptions.to(missing, "billing"), this::keep))
                .isInstanceOf(WaybillException.class)
                .hasMessageContaining(missing);
    }
}

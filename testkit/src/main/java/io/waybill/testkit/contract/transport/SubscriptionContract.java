package io.waybill.testkit.contract.transport;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.message.Envelope;
import io.waybill.testkit.Numbered;
import io.waybill.testkit.OrderCheck;
import io.waybill.transport.Broker;
import io.waybill.transport.Deadline;
import io.waybill.transport.Delivery;
import io.waybill.transport.Outcome;
import io.waybill.transport.Publisher;
import io.waybill.transport.Receiver;
import io.waybill.transport.Subscription;
import io.waybill.transport.SubscriptionOptions;
import io.waybill.transport.wire.WireFormat;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every subscription promises. */
public abstract class SubscriptionContract {

    static final Duration PATIENCE = Duration.ofSeconds(60);

    Broker broker;
    private String source;
    private final List<Envelope> received = new ArrayList<>();

    protected abstract TransportFixture<? extends Broker> fixture();

    @SuppressWarnings("NullAway.Init")
    protected SubscriptionContract() {}

    @BeforeEach
    void open() {
        broker = fixture().open();
        source = fixture().newDestination();
    }

    @AfterEach
    void close() {
        broker.close();
    }

    @Test
    void what_was_published_is_received_in_order_and_once() {
        publish(500);
        try (var subscription = subscribe(this::keep)) {
            awaitReceived(500);
            publish(500, 500);
            awaitReceived(1_000);
        }
        assertThat(check(1_000).violations()).isEmpty();
        assertThat(check(1_000).repeated()).isZero();
    }

    @Test
    void what_was_acknowledged_does_not_come_again() {
        publish(100);
        try (var subscription = subscribe(this::keep)) {
            awaitReceived(100);
        }
        publish(100, 1);
        try (var subscription = subscribe(this::keep)) {
            awaitReceived(101);
        }
        assertThat(check(101).repeated()).isZero();
    }

    @Test
    void a_batch_whose_receiver_fails_comes_again_and_nothing_is_lost() {
        publish(300);
        var calls = new AtomicInteger();
        try (var subscription = subscribe(batch -> {
            if (calls.incrementAndGet() % 3 == 1) {
                throw new IllegalStateException("the database is away");
            }
            keep(batch);
        })) {
            awaitReceived(300);
        }
        assertThat(calls.get()).isGreaterThan(1);
        assertThat(check(300).lost()).isZero();
        assertThat(check(300).violations()).isEmpty();
    }

    @Test
    void a_receiver_that_fails_gets_the_same_batch_again_and_the_subscription_says_why_it_pauses() {
        publish(20);
        var isAway = new AtomicBoolean(true);
        var rounds = new AtomicInteger();
        try (var subscription = subscribe(batch -> {
            if (isAway.get()) {
                rounds.incrementAndGet();
                throw new IllegalStateException("the database is away");
            }
            keep(batch);
        })) {
            await().atMost(PATIENCE).until(() -> rounds.get() >= 3);
            assertThat(subscription.problem())
                    .hasValueSatisfying(problem ->
                            assertThat(problem).contains("paused since").contains("the database is away"));
            isAway.set(false);
            awaitReceived(20);
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(subscription.problem()).isEmpty());
        }
        assertThat(check(20).repeated()).isZero();
        assertThat(check(20).violations()).isEmpty();
    }

    @Test
    void stopping_waits_for_the_batch_that_is_being_received() throws Exception {
        publish(10);
        var receiving = new CountDownLatch(1);
        var proceed = new CountDownLatch(1);
        var done = new AtomicBoolean();
        Subscription subscription = subscribe(batch -> {
            receiving.countDown();
            assertThat(proceed.await(60, SECONDS)).isTrue();
            keep(batch);
            done.set(true);
        });
        assertThat(receiving.await(60, SECONDS)).isTrue();
        var stopper = new Thread(subscription::close);
        stopper.start();
        assertThat(done).isFalse();
        proceed.countDown();
        stopper.join(60_000);
        assertThat(stopper.isAlive()).isFalse();
        assertThat(done).isTrue();

        int before = received().size();
        try (var again = subscribe(this::keep)) {
            awaitReceived(10);
        }
        assertThat(check(10).repeated())
                .as("repeated, of " + before + " acknowledged when stopped")
                .isZero();
    }

    @Test
    void several_receivers_work_at_once_when_no_order_is_asked_for() throws Exception {
        // A broker with message groups gives every key to one receiver: with few keys one of them may get them all.
        publish(0, 200, 200);
        var together = new CountDownLatch(2);
        var options = SubscriptionOptions.to(source, "billing")
                .concurrency(2)
                .batchSize(10)
                .unordered();
        try (var subscription = broker.subscribe(options, batch -> {
            together.countDown();
            together.await(30, SECONDS);
            keep(batch);
        })) {
            assertThat(together.await(60, SECONDS)).as("two receivers at once").isTrue();
            awaitReceived(200);
        }
        assertThat(check(200).lost()).isZero();
    }

    @Test
    void a_receiver_that_is_slow_gets_a_batch_and_nothing_more_until_it_returns() {
        int size = 10;
        publish(10 * size);
        var proceed = new CountDownLatch(1);
        var calls = new AtomicInteger();
        var largest = new AtomicInteger();
        try (var subscription = broker.subscribe(options().batchSize(size), batch -> {
            calls.incrementAndGet();
            largest.accumulateAndGet(batch.size(), Math::max);
            assertThat(proceed.await(60, SECONDS)).isTrue();
            keep(batch);
        })) {
            await().atMost(PATIENCE).until(() -> calls.get() == 1);
            await().during(Duration.ofMillis(500)).until(() -> calls.get() == 1);
            proceed.countDown();
            awaitReceived(10 * size);
        }
        assertThat(largest.get()).isLessThanOrEqualTo(size);
        assertThat(check(10 * size).repeated()).isZero();
    }

    private Subscription subscribe(Receiver receiver) {
        return broker.subscribe(options(), receiver);
    }

    final SubscriptionOptions options() {
        return SubscriptionOptions.to(source, "billing");
    }

    final synchronized void keep(List<Delivery> batch) {
        batch.forEach(delivery -> received.add(Numbered.read(delivery)));
    }

    private synchronized List<Envelope> received() {
        return List.copyOf(received);
    }

    private void awaitReceived(int count) {
        awaitReceived(count, PATIENCE);
    }

    final void awaitReceived(int count, Duration patience) {
        await().atMost(patience)
                .until(() -> received().stream().map(Envelope::id).distinct().count() >= count);
    }

    final void publish(int count) {
        publish(0, count);
    }

    final void publish(int from, int count) {
        publish(from, count, 10);
    }

    private void publish(int from, int count, int keys) {
        try (Publisher publisher = broker.publisher("relay-1", WireFormat.PLAIN)) {
            List<Outcome> outcomes =
                    publisher.publish(Numbered.messages(source, keys, from, from + count), Deadline.NEVER);
            assertThat(outcomes).hasSize(count).containsOnly(new Outcome.Accepted());
        }
    }

    final OrderCheck check(int expected) {
        return OrderCheck.of(received(), expected, Numbered::number);
    }
}

package io.waybill.testkit.contract.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.WaybillException;
import io.waybill.message.Envelope;
import io.waybill.message.Message;
import io.waybill.relay.Relay;
import io.waybill.relay.RelayLoop;
import io.waybill.relay.route.RelayOptions;
import io.waybill.relay.route.Route;
import io.waybill.relay.route.Routes;
import io.waybill.store.outbox.LeaseStore;
import io.waybill.testkit.OrderCheck;
import io.waybill.transport.Deadline;
import io.waybill.transport.Outcome;
import io.waybill.transport.Publisher;
import io.waybill.transport.Transport;
import io.waybill.transport.wire.WireFormat;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What relays promise when shards change hands, and when something of them is in flight meanwhile. */
public abstract class RelayHandOverContract extends RelayScenario {

    private static final RelayOptions BRISK = SMALL_BATCHES.withLeaseTime(Duration.ofSeconds(1));

    @Test
    @Timeout(60)
    void a_shard_is_handed_over_when_its_broker_has_answered() {
        var gate = new Gate();
        appendOrders(0, 40, 4);
        try (var first = RelayLoop.start(relay(Routes.of(Route.of("**", gate)), BRISK), BRISK)) {
            until(gate::isWaiting);
            try (var second = RelayLoop.start(relay(Routes.of(Route.of("**", broker)), BRISK), BRISK)) {
                appendOrders(40, 140, 100);
                until(() -> !broker.accepted().isEmpty());
                pass(BRISK.leaseTime().multipliedBy(3));
                assertThat(broker.accepted())
                        .as("of the shards of which nothing is in flight")
                        .isNotEmpty()
                        .allMatch(message -> number(message) >= 40);

                gate.open();
                until(() -> store.statuses().isEmpty());
            }
        }
        assertKept(140);
    }

    @Test
    @Timeout(60)
    void a_publisher_hears_that_its_relay_took_shards_before_it_publishes_for_them() {
        List<String> calls = new CopyOnWriteArrayList<>();
        var remembering = new Publisher() {
            @Override
            public List<Outcome> publish(List<Envelope> batch, Deadline deadline) {
                calls.add("publish");
                return broker.publish(batch, deadline);
            }

            @Override
            public void shardsTaken() {
                calls.add("taken");
            }
        };
        try (var first = RelayLoop.start(relay(Routes.of(Route.of("**", remembering)), BRISK), BRISK)) {
            appendOrders(0, 100, 100);
            until(() -> store.statuses().isEmpty());
            try (var second = RelayLoop.start(relay(Routes.of(Route.of("**", other)), BRISK), BRISK)) {
                until(() -> lastEvent().equals("owns 32"));
            }
            until(() -> lastEvent().equals("owns 64"));
            calls.clear();

            appendOrders(100, 200, 100);
            until(() -> store.statuses().isEmpty());
        }
        assertThat(calls).startsWith("taken", "publish").containsOnlyOnce("taken");
    }

    private String lastEvent() {
        synchronized (events) {
            return events.isEmpty() ? "" : events.get(events.size() - 1);
        }
    }

    @Test
    @Timeout(60)
    void a_message_that_is_being_handled_stays_with_its_relay_when_another_one_joins() {
        var slow = new SlowHandler();
        appendOrders(0, 1, 1);
        try (var first = RelayLoop.start(relay(slow.routes(), BRISK), BRISK)) {
            until(() -> slow.started.getCount() == 0);
            try (var second = RelayLoop.start(relay(slow.quickRoutes(), BRISK), BRISK)) {
                pass(BRISK.leaseTime().multipliedBy(3));
                assertThat(events).contains("owns 32");
                assertThat(slow.handled).containsExactly(0L);

                slow.release.countDown();
                until(() -> store.statuses().isEmpty());
            }
        }
        assertThat(slow.handled).containsExactly(0L);
        assertThat(events).noneMatch(event -> event.startsWith("lost "));
    }

    @Test
    @Timeout(60)
    void a_message_that_is_in_flight_for_too_long_goes_to_the_other_relay_as_if_this_one_had_died() {
        RelayOptions brief = BRISK.withClaimTimeout(Duration.ofSeconds(2));
        var gate = new Gate();
        appendOrders(0, 200, 200);
        try (var first = RelayLoop.start(relay(Routes.of(Route.of("**", gate)), brief), brief)) {
            until(gate::isWaiting);
            try (var second = RelayLoop.start(relay(Routes.of(Route.of("**", other)), brief), brief)) {
                until(() -> store.statuses().isEmpty() || events.stream().anyMatch(event -> event.startsWith("lost ")));
                assertThat(events).anyMatch(event -> event.startsWith("lost "));
                until(() -> !other.accepted().isEmpty());
                gate.open();
                until(() -> store.statuses().isEmpty());
            }
        }
    }

    @Test
    @Timeout(60)
    void leases_are_kept_until_the_last_handler_has_ended_when_a_relay_closes() throws Exception {
        var slow = new SlowHandler();
        appendOrders(0, 1, 1);
        var first = RelayLoop.start(relay(slow.routes(), BRISK), BRISK);
        until(() -> slow.started.getCount() == 0);
        var closing = new Thread(first::close);
        closing.start();
        try (var second = RelayLoop.start(relay(slow.quickRoutes(), BRISK), BRISK)) {
            pass(BRISK.leaseTime().multipliedBy(4));
            assertThat(slow.handled).containsExactly(0L);
            slow.release.countDown();
            closing.join(TimeUnit.SECONDS.toMillis(30));
            until(() -> store.statuses().isEmpty());
        }
        assertThat(slow.handled).containsExactly(0L);
        assertThat(events).noneMatch(event -> event.startsWith("lost "));
    }

    @Test
    @Timeout(60)
    void a_close_that_takes_too_long_leaves_what_is_in_flight_to_others() {
        RelayOptions brief = BRISK.withCloseTimeout(Duration.ofMillis(300));
        var gate = new Gate();
        appendOrders(0, 4, 4);
        var first = RelayLoop.start(relay(Routes.of(Route.of("**", gate)), brief), brief);
        until(gate::isWaiting);
        first.close();

        try (var second = RelayLoop.start(relay(Routes.of(Route.of("**", other)), brief), brief)) {
            until(() -> store.statuses().isEmpty());
        }
        gate.open();
        assertThat(check(other.accepted(), 4).lost()).isZero();
    }

    /** When nobody could renew, everybody's leases have expired: that says nothing about the others. */
    @Test
    void after_an_outage_relays_take_their_own_shards_back_and_go_on_at_full_rate() {
        var requests = new AtomicInteger();
        Publisher counted = (batch, deadline) -> {
            requests.incrementAndGet();
            return broker.publish(batch, deadline);
        };
        Relay first = relay(Routes.of(Route.of("**", counted)), BRISK);
        Relay second = relay(Routes.of(Route.of("**", counted)), BRISK);
        until(() -> {
            first.runOnce();
            second.runOnce();
            return events.size() > 1 && events.get(events.size() - 1).equals("owns 32");
        });
        pass(BRISK.leaseTime().multipliedBy(3).dividedBy(2));
        appendOrders(0, 200, 200);

        first.drain();
        second.drain();

        assertThat(check(broker.accepted(), 200).lost()).isZero();
        assertThat(requests).as("batches, not one message after the other").hasValueLessThan(20);
        first.close();
        second.close();
    }

    /** The database has done it, and the relay heard of a broken connection: the shards are its own, and it does not know. */
    @Test
    void shards_that_were_taken_without_an_answer_are_served_within_the_time_of_a_lease() {
        LeaseStore real = store.leaseStore();
        var lost = new AtomicInteger();
        LeaseStore losing = (LeaseStore) Proxy.newProxyInstance(
                LeaseStore.class.getClassLoader(), new Class<?>[] {LeaseStore.class}, (proxy, method, arguments) -> {
                    Object answer = method.invoke(real, arguments);
                    if (method.getName().equals("take") && lost.getAndIncrement() == 0) {
                        throw new WaybillException("The answer was lost.");
                    }
                    return answer;
                });
        Relay relay = new Relay(
                store.outboxStore(),
                losing,
                Routes.of(Route.of("**", broker)),
                BRISK,
                store.clock().time(),
                new Recorder());
        appendOrders(0, 10, 10);
        assertThatThrownBy(relay::runOnce).isInstanceOf(WaybillException.class);

        pass(Duration.ofMillis(100));
        long keptAlive = System.nanoTime() + BRISK.leaseTime().multipliedBy(3).toNanos();
        until(() -> {
            relay.keepAlive();
            relay.drain();
            return store.statuses().isEmpty();
        });
        assertThat(System.nanoTime()).isLessThan(keptAlive);
        relay.close();
    }

    @Test
    @Timeout(60)
    void whoever_takes_shards_from_a_relay_that_stopped_answering_fences_it_each_time() {
        var fenced = new CopyOnWriteArrayList<String>();
        var names = new CopyOnWriteArrayList<String>();
        Transport transport = recording(names, fenced);
        Relay first = relay(Routes.of(Route.of("**", transport)), BRISK);
        Relay second = relay(Routes.of(Route.of("**", transport)), BRISK);
        int number = 0;
        for (Relay next : List.of(first, second, first, second)) {
            appendOrders(number, ++number, 1);
            until(() -> {
                next.runOnce();
                return store.statuses().isEmpty();
            });
        }

        assertThat(fenced).containsExactly(names.get(0), names.get(1), names.get(0));
        first.close();
        second.close();
    }

    /** What was committed late has a smaller position than what is being handled; what is appended after it must not go first. */
    @Test
    @Timeout(60)
    void a_message_that_is_committed_late_while_its_key_is_handled_goes_before_what_comes_after_it() {
        var handled = new CopyOnWriteArrayList<Long>();
        var started = new CountDownLatch(1);
        var release = new CountDownLatch(1);
        Routes routes = Routes.of(
                Route.handled(ORDERS, store.transactions(), (message, transaction) -> {
                    handled.add(number(message));
                    if (number(message) == 2) {
                        started.countDown();
                        release.await();
                    }
                }),
                Route.of("bulk", broker));
        Relay relay = relay(routes, SMALL_BATCHES);
        try (var early = store.begin()) {
            outboxIn(early).append(order("k", 1));
            append(order("k", 2));
            until(() -> {
                relay.runOnce();
                return started.getCount() == 0;
            });
            early.commit();
        }
        // Much is settled meanwhile, so that the relay learns how far it has read for good.
        for (int i = 0; i < 4; i++) {
            append(bulk(1_000));
            until(() -> {
                relay.runOnce();
                return broker.accepted().size() % 1_000 == 0
                        && !broker.accepted().isEmpty();
            });
        }
        append(order("k", 3));
        relay.runOnce();
        release.countDown();
        until(() -> {
            relay.drain();
            return handled.size() == 3;
        });
        relay.close();

        assertThat(handled).containsExactly(2L, 1L, 3L);
    }

    private static Message[] bulk(int count) {
        var messages = new ArrayList<Message>();
        for (int i = 0; i < count; i++) {
            messages.add(
                    Message.event("Bulk", "{\"number\":" + i + "}").to("bulk").inOrderOf("b-" + i % 50));
        }
        return messages.toArray(Message[]::new);
    }

    private Transport recording(List<String> names, List<String> fenced) {
        return new Transport() {
            @Override
            public Publisher publisher(String relay, WireFormat format) {
                names.add(relay);
                return (batch, deadline) -> broker.publish(batch, deadline);
            }

            @Override
            public void fence(String relay) {
                fenced.add(relay);
            }

            @Override
            public void close() {}
        };
    }

    private void appendOrders(int from, int to, int keys) {
        var orders = new ArrayList<Message>();
        for (int i = from; i < to; i++) {
            orders.add(order("key-" + UUID.nameUUIDFromBytes(new byte[] {(byte) (i % keys)}), i));
        }
        append(orders.toArray(Message[]::new));
    }

    /** Lets time pass, the test's and the database's. */
    private void pass(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        while (System.nanoTime() < end) {
            store.clock().advance(Duration.ofMillis(20));
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
    }

    private void assertKept(int expected) {
        OrderCheck check = check(broker.accepted(), expected);
        assertThat(check.lost()).isZero();
        assertThat(check.repeated()).isZero();
        assertThat(check.violations()).isEmpty();
    }

    /** Handles when it is released; another relay's handler of the same messages is quick. */
    private final class SlowHandler {
        private final List<Long> handled = new CopyOnWriteArrayList<>();
        private final CountDownLatch started = new CountDownLatch(1);
        private final CountDownLatch release = new CountDownLatch(1);

        Routes routes() {
            return Routes.of(Route.handled(ORDERS, store.transactions(), (message, transaction) -> {
                handled.add(number(message));
                started.countDown();
                release.await();
            }));
        }

        Routes quickRoutes() {
            return Routes.of(Route.handled(
                    ORDERS, store.transactions(), (message, transaction) -> handled.add(number(message))));
        }
    }

    /** A broker that answers when it is opened. */
    private final class Gate implements Publisher {
        private final CountDownLatch waiting = new CountDownLatch(1);
        private final CountDownLatch opened = new CountDownLatch(1);

        @Override
        public List<Outcome> publish(List<Envelope> batch, Deadline deadline) {
            waiting.countDown();
            while (opened.getCount() > 0) {
                LockSupport.parkNanos(Duration.ofMillis(1).toNanos()); // Not even an interrupt helps.
            }
            return broker.publish(batch, deadline);
        }

        boolean isWaiting() {
            return waiting.getCount() == 0;
        }

        void open() {
            opened.countDown();
        }
    }
}

package io.waybill.testkit.contract.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.message.Envelope;
import io.waybill.observe.RelayListener;
import io.waybill.relay.Relay;
import io.waybill.relay.RelayLoop;
import io.waybill.relay.route.Route;
import io.waybill.relay.route.Routes;
import io.waybill.store.admin.Selection;
import io.waybill.transport.Outcome;
import io.waybill.transport.Publisher;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A message that makes its publisher or its receiver fail ends as failed, and delays nobody but its own key. */
public abstract class RelayPoisonContract extends RelayScenario {

    private static final int POISON = 7;
    private static final int KEYS = 10;

    @Test
    void a_message_that_makes_its_publisher_throw_fails_alone() {
        for (Throwable thrown : List.of(
                new StackOverflowError(), new NoClassDefFoundError("codec"), new IllegalStateException("broken"))) {
            closeStore();
            openStore();
            int before = broker.accepted().size();
            appendOrders(40);
            Publisher throwing = (batch, deadline) -> {
                if (batch.stream().anyMatch(RelayPoisonContract::isPoison)) {
                    throw sneaky(thrown);
                }
                return broker.publish(batch, deadline);
            };
            try (Relay relay = relay(Routes.of(Route.of("**", throwing).maxAttempts(2)))) {
                outlastBesideOthers(relay, 6);
            }

            List<Envelope> accepted =
                    broker.accepted().subList(before, broker.accepted().size());
            assertThat(check(accepted, 46).violations()).isEmpty();
            assertThat(accepted).as("all but the key of the poison").hasSize(42);
            assertThat(store.statuses()).containsEntry("FAILED", 1L).containsEntry("HELD", 3L);
        }
    }

    @Test
    void a_publisher_that_runs_out_of_memory_uses_no_attempt_and_gets_the_next_messages_one_by_one() {
        var requests = new ArrayList<Integer>();
        Publisher tight = (batch, deadline) -> {
            requests.add(batch.size());
            if (requests.size() == 1) {
                throw new OutOfMemoryError("Java heap space");
            }
            return broker.publish(batch, deadline);
        };
        appendOrders(40);
        try (Relay relay = relay(Routes.of(Route.of("**", tight).maxAttempts(1)))) {
            outlast(relay, 3);
        }

        assertThat(requests.get(0)).isGreaterThan(1);
        assertThat(requests.subList(1, 6)).containsOnly(1);
        assertThat(check(broker.accepted(), 40).lost()).isZero();
        assertThat(check(broker.accepted(), 40).violations()).isEmpty();
        assertThat(store.statuses()).isEmpty();
    }

    @Test
    void a_relay_that_crashes_says_so_and_begins_anew() {
        var crashes = new AtomicInteger();
        var failures = new AtomicInteger();
        var crashing = new RelayListener() {
            @Override
            public void claimed(List<Envelope> messages) {
                if (failures.incrementAndGet() <= 3) {
                    throw failures.get() == 2 ? new OutOfMemoryError("Java heap space") : new StackOverflowError();
                }
            }

            @Override
            public void crashed(Throwable error) {
                crashes.incrementAndGet();
            }
        };
        appendOrders(20);
        var relay = new Relay(
                store.outboxStore(),
                store.leaseStore(),
                Routes.of(Route.of("**", broker)),
                SMALL_BATCHES,
                store.clock().time(),
                crashing);
        try (RelayLoop loop = RelayLoop.start(relay, SMALL_BATCHES)) {
            until(() -> crashes.get() > 0 && loop.trouble().contains("has crashed"));
            until(() -> broker.accepted().size() >= 20);
            until(() -> loop.trouble().isEmpty());
            assertThat(loop.isAlive()).isTrue();
        }

        assertThat(crashes).hasValue(3);
        assertThat(check(broker.accepted(), 20).violations()).isEmpty();
        assertThat(store.statuses()).isEmpty();
    }

    @Test
    void a_message_on_which_its_destination_fails_while_it_accepts_others_ends_failed_and_delays_no_other_key() {
        broker.answers(message -> isPoison(message) ? failing() : new Outcome.Accepted());
        appendOrders(300);
        try (Relay relay = relay(route -> route.maxAttempts(3))) {
            relay.drain();
            assertThat(broker.accepted()).as("without any pause").hasSize(270);

            outlastBesideOthers(relay, 4);
        }

        assertThat(events).noneMatch(event -> event.startsWith("paused"));
        assertThat(events).contains("failed {\"number\":7} after 3");
        assertThat(check(broker.accepted(), 304).violations()).isEmpty();
        assertThat(store.statuses()).containsEntry("FAILED", 1L);
    }

    @Test
    void a_destination_that_fails_on_everything_for_a_while_uses_no_attempt() {
        broker.answers(message -> failing());
        appendOrders(300);
        try (Relay relay = relay(route -> route.maxAttempts(1))) {
            for (int i = 0; i < 60; i++) {
                relay.drain();
                store.clock().advance(Duration.ofSeconds(10));
            }
            assertThat(events).noneMatch(event -> event.startsWith("failed"));
            broker.recovers();
            outlast(relay, 2);
        }

        assertThat(check(broker.accepted(), 300).lost()).isZero();
        assertThat(check(broker.accepted(), 300).violations()).isEmpty();
        assertThat(store.statuses()).isEmpty();
    }

    @Test
    void a_destination_that_may_be_down_is_asked_with_another_key_each_time() {
        var asked = new ArrayList<String>();
        broker.answers(message -> {
            asked.add(message.partitionKey());
            return failing();
        });
        try (Relay relay = relay()) {
            append(order("first", 1));
            relay.drain();
            append(order("second", 2));
            store.clock().advance(Duration.ofSeconds(61));
            relay.drain();
        }

        assertThat(asked).containsExactly("first", "second");
    }

    @Test
    void a_message_that_is_alone_uses_an_attempt_with_every_tenth_probe() {
        broker.answers(message -> failing());
        append(order("a", 1));
        try (Relay relay = relay(route -> route.maxAttempts(2))) {
            outlast(relay, 8);
            assertThat(attempts()).isZero();
            store.clock().advance(Duration.ofSeconds(61));
            relay.drain();
            assertThat(attempts()).isEqualTo(1);

            outlast(relay, 12);
        }

        assertThat(store.statuses()).containsEntry("FAILED", 1L);
    }

    /** Lets a message be tried that many times, with something else to send each time. */
    private void outlastBesideOthers(Relay relay, int attempts) {
        relay.drain();
        for (int i = 0; i < attempts; i++) {
            store.clock().advance(Duration.ofSeconds(61));
            append(order("beside", 1_000 + i));
            relay.drain();
        }
    }

    private int attempts() {
        return store.admin().list(Selection.all(), 0, 1).get(0).attempts();
    }

    private static Outcome failing() {
        return new Outcome.Inconclusive("500");
    }

    private static boolean isPoison(Envelope message) {
        return number(message) == POISON;
    }

    private void appendOrders(int count) {
        for (int i = 0; i < count; i++) {
            append(order("key-" + i % KEYS, i));
        }
    }

    @SuppressWarnings("unchecked")
    private static <X extends Throwable> RuntimeException sneaky(Throwable thrown) throws X {
        throw (X) thrown;
    }
}

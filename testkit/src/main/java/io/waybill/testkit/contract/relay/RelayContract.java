package io.waybill.testkit.contract.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.Backoff;
import io.waybill.message.Message;
import io.waybill.relay.RelayLoop;
import io.waybill.relay.route.Route;
import io.waybill.relay.route.Routes;
import io.waybill.store.outbox.ClaimedMessage.State;
import io.waybill.store.outbox.OnExhausted;
import io.waybill.transport.Outcome;
import io.waybill.transport.Publisher;
import io.waybill.transport.Transport;
import io.waybill.transport.wire.WireFormat;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What a relay promises on any store: nothing lost, nothing out of order, nobody held up by somebody else's trouble. */
public abstract class RelayContract extends RelayScenario {

    @Test
    void what_was_committed_is_sent_once_and_in_order() {
        append(
                order("a", 1),
                order("a", 2),
                order("b", 3),
                Message.event("Free", "4").to("free"));

        assertThat(relay().drain()).isEqualTo(4);

        assertThat(broker.accepted()).hasSize(4);
        assertThat(check(broker.accepted(), 4).violations()).isEmpty();
        assertThat(relay().drain()).isZero();
    }

    @Test
    void each_route_has_its_own_name_and_wire_format() {
        Map<String, WireFormat> sent = new ConcurrentHashMap<>();
        var transport = new Transport() {
            @Override
            public Publisher publisher(String relay, WireFormat format) {
                return (batch, deadline) -> Publisher.oneByOne(batch, deadline, message -> {
                    sent.put(message.destination(), format);
                    return new Outcome.Accepted();
                });
            }

            @Override
            public void fence(String relay) {}

            @Override
            public void close() {}
        };
        append(order("a", 1), Message.event("Paid", "2").to("bills.paid"));

        relay(Routes.of(
                        Route.of("orders.*", transport).named("shop.{destination}"),
                        Route.of("bills.*", transport).format(WireFormat.CLOUDEVENTS_BINARY)))
                .drain();

        assertThat(sent)
                .isEqualTo(Map.of("shop." + ORDERS, WireFormat.PLAIN, "bills.paid", WireFormat.CLOUDEVENTS_BINARY));
    }

    @Test
    void a_refused_message_holds_its_key_and_nobody_else() {
        append(order("a", 1), order("a", 2), order("b", 3));
        broker.answers(refuse("{\"number\":1}"));
        var relay = relay();

        relay.drain();
        append(order("a", 4));
        relay.drain();
        assertThat(broker.payloads()).containsExactly("{\"number\":3}");

        broker.recovers();
        store.clock().advance(Duration.ofSeconds(3));
        relay.drain();
        assertThat(broker.payloads())
                .containsExactly("{\"number\":3}", "{\"number\":1}", "{\"number\":2}", "{\"number\":4}");
        assertThat(store.statuses()).isEmpty();
    }

    @Test
    void a_short_pause_does_not_last_until_the_next_sweep() {
        append(order("a", 1), order("a", 2));
        var asked = new AtomicInteger();
        broker.answers(
                message -> asked.incrementAndGet() <= 2 ? new Outcome.Refused("not at once") : new Outcome.Accepted());
        var options = SMALL_BATCHES.withSweepInterval(Duration.ofDays(1));
        var pause = new Backoff(Duration.ofMillis(50), Duration.ofMillis(50), 0);
        try (var loop = RelayLoop.start(relay(Routes.of(Route.of("**", broker).backoff(pause)), options), options)) {
            until(() -> {
                loop.wake();
                return broker.accepted().size() == 2;
            });
        }
        assertThat(broker.payloads()).containsExactly("{\"number\":1}", "{\"number\":2}");
        assertThat(store.statuses()).isEmpty();
    }

    @Test
    void a_message_that_is_refused_for_good_is_parked_with_its_followers() {
        append(order("a", 1), order("a", 2), order("b", 3));
        broker.answers(refuse("{\"number\":1}"));

        var relay = relay(route -> route.maxAttempts(3));
        outlast(relay, 3);

        assertThat(broker.payloads()).containsExactly("{\"number\":3}");
        assertThat(store.statuses()).isEqualTo(Map.of("FAILED", 1L, "HELD", 1L));
        assertThat(events).contains("failed {\"number\":1} after 3");
    }

    @Test
    void a_route_that_skips_goes_on_without_the_message() {
        append(order("a", 1), order("a", 2));
        broker.answers(refuse("{\"number\":1}"));

        var relay = relay(route -> route.maxAttempts(2).onExhausted(OnExhausted.SKIP));
        outlast(relay, 2);

        assertThat(broker.payloads()).containsExactly("{\"number\":2}");
        assertThat(store.statuses()).isEqualTo(Map.of("FAILED", 1L));
    }

    @Test
    void a_damaged_message_fails_unsent_and_is_parked_with_its_followers() {
        append(order("a", 1), order("a", 2), order("b", 3));
        store.damage(claimAll().get(0).envelope().id());

        relay().drain();

        assertThat(broker.payloads()).containsExactly("{\"number\":3}");
        assertThat(store.statuses()).isEqualTo(Map.of("FAILED", 1L, "HELD", 1L));
    }

    @Test
    void a_route_that_skips_goes_on_when_a_waiting_message_was_damaged() {
        append(order("a", 1), order("a", 2));
        var first = claimAll().get(0).envelope().id();
        broker.answers(refuse("{\"number\":1}"));
        var relay = relay(route -> route.onExhausted(OnExhausted.SKIP));
        relay.drain();
        append(order("a", 3));
        relay.drain();
        store.damage(first);

        store.clock().advance(Duration.ofSeconds(3));
        relay.drain();

        assertThat(broker.payloads()).containsExactly("{\"number\":2}", "{\"number\":3}");
        assertThat(store.statuses()).isEqualTo(Map.of("FAILED", 1L));
    }

    @Test
    void a_broker_that_is_away_for_ten_minutes_costs_no_attempt_and_fails_nothing() {
        var asked = new AtomicInteger();
        broker.answers(message -> {
            asked.incrementAndGet();
            return new Outcome.Unavailable("connection refused");
        });
        int appended = 0;
        try (var relay = relay(Routes.of(Route.of("orders.*", broker).maxAttempts(2), Route.of("**", other)))) {
            for (int second = 0; second < 600; second += 5) {
                append(order("key-" + appended % 5, ++appended));
                append(Message.event("Free", "{}").to("free"));
                relay.drain();
                store.clock().advance(Duration.ofSeconds(5));
            }
            assertThat(other.accepted()).as("another broker meanwhile").hasSize(120);
            assertThat(broker.accepted()).isEmpty();
            assertThat(asked)
                    .as("asked far more often than a message has attempts")
                    .hasValueGreaterThan(20);
            assertThat(store.statuses()).isEqualTo(Map.of("PENDING", 120L));
            assertThat(claimAll())
                    .hasSize(120)
                    .allSatisfy(message -> assertThat(message.state()).isEqualTo(State.READY))
                    .allSatisfy(message -> assertThat(message.attempts()).isZero());

            broker.recovers();
            store.clock().advance(Duration.ofSeconds(31));
            relay.drain();
        }
        var check = check(broker.accepted(), 120);
        assertThat(check.lost()).isZero();
        assertThat(check.repeated()).isZero();
        assertThat(check.violations()).isEmpty();
        assertThat(store.statuses()).isEmpty();
        assertThat(events)
                .containsOnlyOnce("paused orders.placed")
                .containsOnlyOnce("resumed orders.placed")
                .noneMatch(event -> event.startsWith("failed") || event.startsWith("retried"));
    }

    @Test
    void a_short_outage_is_a_short_pause_however_many_messages_met_it() {
        for (int i = 0; i < 50; i++) {
            append(order("key-" + i, i));
        }
        broker.answers(message -> new Outcome.Unavailable("connection reset"));
        var relay = relay();
        relay.drain();

        broker.recovers();
        store.clock().advance(Duration.ofMillis(1_100));
        relay.drain();

        assertThat(broker.accepted()).hasSize(50);
    }

    @Test
    void a_publisher_that_throws_delays_nobody_else_and_repeats_nothing_of_theirs() {
        append(order("a", 1), Message.event("Free", "2").to("free"));
        broker.answers(message -> {
            throw new IllegalStateException("a bug in the publisher");
        });
        try (var relay = relay(Routes.of(Route.of("orders.*", broker), Route.of("**", other)))) {
            for (int i = 0; i < 3; i++) {
                relay.drain();
            }
        }

        assertThat(other.payloads()).containsExactly("2");
        assertThat(store.statuses()).isEqualTo(Map.of("PENDING", 1L));
    }

    @Test
    void a_destination_that_is_set_up_wrongly_pauses_and_others_go_on() {
        append(order("a", 1), Message.event("Free", "2").to("free"));
        broker.answers(message -> message.destination().equals(ORDERS)
                ? new Outcome.Misconfigured("no such topic")
                : new Outcome.Accepted());
        var relay = relay();

        relay.drain();

        assertThat(broker.payloads()).containsExactly("2");
        assertThat(events).contains("misconfigured orders.placed");
        broker.recovers();
        store.clock().advance(Duration.ofSeconds(61));
        relay.drain();
        assertThat(broker.payloads()).containsExactly("2", "{\"number\":1}");
    }

    @Test
    void an_outage_that_turns_out_to_be_a_wrong_setup_is_reported_as_that_and_the_other_way_round() {
        append(order("a", 1));
        try (var relay = relay()) {
            for (Outcome outcome : List.of(
                    new Outcome.Unavailable("connection reset"),
                    new Outcome.Unavailable("connection reset"),
                    new Outcome.Misconfigured("wrong password"),
                    new Outcome.Misconfigured("wrong password"),
                    new Outcome.Unavailable("connection reset"))) {
                broker.answers(message -> outcome);
                relay.drain();
                store.clock().advance(Duration.ofSeconds(61));
            }
            broker.recovers();
            relay.drain();
        }

        assertThat(events)
                .filteredOn(event -> event.matches("(paused|misconfigured|resumed) .*"))
                .containsExactly(
                        "paused " + ORDERS, "misconfigured " + ORDERS, "paused " + ORDERS, "resumed " + ORDERS);
        assertThat(broker.payloads()).containsExactly("{\"number\":1}");
    }

    @Test
    void a_destination_without_a_route_is_left_to_others() {
        append(Message.event("Free", "1").to("elsewhere.far"), order("a", 2));
        try (var here = relay(Routes.of(Route.of("orders.*", broker)))) {
            here.drain();
        }
        assertThat(broker.payloads()).containsExactly("{\"number\":2}");

        try (var there = relay(Routes.of(Route.of("elsewhere.**", other)))) {
            there.drain();
        }
        assertThat(other.payloads()).containsExactly("1");
    }

    @Test
    void one_hot_key_fills_whole_batches() {
        var messages = new ArrayList<Message>();
        for (int i = 0; i < 1_000; i++) {
            messages.add(order("hot", i));
        }
        append(messages.toArray(Message[]::new));
        var relay = relay();

        int cycles = 0;
        while (relay.runOnce() > 0) {
            cycles++;
        }
        assertThat(cycles).isLessThan(12);
        assertThat(check(broker.accepted(), 1_000).violations()).isEmpty();
    }
}

package io.waybill.testkit.contract.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.WaybillException;
import io.waybill.message.Envelope;
import io.waybill.message.Message;
import io.waybill.observe.WaitingItem;
import io.waybill.ops.OutboxOperations;
import io.waybill.relay.RelayLoop;
import io.waybill.relay.route.RelayOptions;
import io.waybill.relay.route.Route;
import io.waybill.relay.route.Routes;
import io.waybill.store.Transaction;
import io.waybill.store.admin.DestinationStats;
import io.waybill.store.outbox.PausedDestination;
import io.waybill.testkit.OrderCheck;
import io.waybill.transport.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An operator pauses a destination: nothing is sent to it until it is resumed, and nothing else notices. */
public abstract class RelayPauseContract extends RelayScenario {

    private static final String BILLS = "bills.written";
    private static final int KEYS = 7;

    private OutboxOperations operator() {
        return new OutboxOperations(store.admin());
    }

    private void pauseOrders() {
        operator().pause(ORDERS, "the warehouse moves", "ann");
    }

    /** What a relay reads no earlier than after its sweep interval. */
    private void letRelaysLook() {
        store.clock().advance(RelayOptions.DEFAULT.sweepInterval().plusMillis(1));
    }

    @Test
    void a_paused_destination_gets_nothing_while_others_flow_and_goes_on_in_order() {
        int count = 900;
        pauseOrders();
        append(orders(0, count));
        append(bills(0, 300));
        append(orders(count, count + 50));

        try (var relay = relay()) {
            relay.drain();
            assertThat(destinations()).containsOnly(BILLS).hasSize(300);
            assertThat(ordersLeft().pending()).isEqualTo(count + 50L);
            assertThat(ordersLeft().attempts()).isZero();
            assertThat(events).contains("paused " + ORDERS);
            assertThat(relay.waiting(Duration.ofMinutes(1))).anySatisfy(RelayPauseContract::assertSaysWhy);

            append(bills(300, 310));
            relay.drain();
            assertThat(destinations()).containsOnly(BILLS).hasSize(310);

            operator().resume(ORDERS);
            letRelaysLook();
            relay.drain();
            assertThat(relay.waiting(Duration.ofMinutes(1))).isEmpty();
        }

        assertThat(events).contains("resumed " + ORDERS);
        assertAllInOrder(count + 50);
    }

    private static void assertSaysWhy(WaitingItem item) {
        assertThat(item.kind()).isEqualTo(WaitingItem.Kind.DESTINATION);
        assertThat(item.name()).isEqualTo(ORDERS);
        assertThat(item.why()).isEqualTo("paused by ann: the warehouse moves");
        assertThat(item.unusual()).isTrue();
        assertThat(item.begun()).isPresent();
        assertThat(item.endedBy()).startsWith("it is resumed");
    }

    @Test
    void what_an_operator_pauses_during_a_publish_goes_no_further_than_this_batch() {
        int count = 1_500;
        append(orders(0, count));
        var once = new AtomicBoolean();
        broker.answers(message -> {
            if (number(message) >= 250 && !once.getAndSet(true)) {
                pauseOrders();
                letRelaysLook();
            }
            return new Outcome.Accepted();
        });

        try (var relay = relay()) {
            relay.drain();
            int sent = broker.accepted().size();
            assertThat(sent).isBetween(200, 800);
            relay.drain();
            append(orders(count, count + 10));
            relay.drain();
            assertThat(broker.accepted()).as("what was prefetched, too").hasSize(sent);
            assertThat(ordersLeft().attempts()).isZero();

            operator().resume(ORDERS);
            letRelaysLook();
            relay.drain();
        }

        assertAllInOrder(count + 10);
    }

    @Test
    void what_was_refused_is_not_tried_again_while_its_destination_is_paused() {
        append(orders(0, 20));
        append(bills(0, 5));
        broker.answers(message -> new Outcome.Refused("not now"));

        try (var relay = relay(route -> route.maxAttempts(3))) {
            relay.drain();
            broker.recovers();
            pauseOrders();
            store.clock().advance(Duration.ofMinutes(5));
            relay.drain();

            assertThat(destinations()).containsOnly(BILLS).hasSize(5);
            assertThat(ordersLeft().maxAttempts()).isEqualTo(1);

            operator().resume(ORDERS);
            letRelaysLook();
            relay.drain();
            assertThat(ordersLeft().pending()
                            + ordersLeft().waiting()
                            + ordersLeft().failed())
                    .isZero();
        }

        assertAllInOrder(20);
    }

    @Test
    void a_pause_holds_for_relays_that_start_later_or_take_over() {
        append(orders(0, 300));
        pauseOrders();
        try (var before = impatient(broker)) {
            before.drain();
        }
        var dead = impatient(broker);
        dead.drain();
        append(bills(0, 100));

        try (var after = impatient(broker)) {
            until(() -> {
                after.drain();
                return broker.accepted().size() >= 100;
            });
            assertThat(destinations()).as("of the shards that it took over").containsOnly(BILLS);
            assertThat(ordersLeft().attempts()).isZero();

            operator().resume(ORDERS);
            letRelaysLook();
            after.drain();
        }

        assertAllInOrder(300);
    }

    @Test
    void a_destination_may_be_paused_before_there_is_a_message_and_says_who_paused_it() {
        assertThatThrownBy(() -> operator().resume(ORDERS))
                .isInstanceOf(WaybillException.class)
                .hasMessage(ORDERS + " is not paused. No destination is.");
        PausedDestination paused = operator().pause(ORDERS, "the warehouse moves", "ann");

        assertThat(operator().paused()).containsExactly(paused);
        assertThat(store.leaseStore().paused()).containsExactly(paused);
        assertThat(store.leaseStore("billing").paused()).containsExactly(paused);
        assertThat(paused.why()).isEqualTo("paused by ann: the warehouse moves");
        assertThatThrownBy(() -> operator().pause(ORDERS, "another reason", "bob"))
                .isInstanceOf(WaybillException.class)
                .hasMessageContaining("by ann: the warehouse moves")
                .hasMessageContaining("Nothing was changed");
        assertThatThrownBy(() -> operator().resume(BILLS))
                .hasMessage(BILLS + " is not paused. Paused are: " + ORDERS + ".");
        assertThatThrownBy(() -> operator().pause("orders.*", "all of them", "ann"))
                .hasMessageContaining("is not the name of one destination");
        assertThatThrownBy(() -> operator().pause(BILLS, " ", "ann")).hasMessageContaining("needs a reason");

        operator().resume(ORDERS);
        assertThat(operator().paused()).isEmpty();
    }

    @Test
    @Timeout(60)
    void what_waits_for_a_handler_is_left_when_its_destination_is_paused() {
        append(IntStream.range(0, 8)
                .mapToObj(number -> order("key-" + number, number))
                .toArray(Message[]::new));
        try (var relay = relay(
                Routes.of(Route.handled("orders.*", store.transactions(), this::pauseBySecond)),
                SMALL_BATCHES.withHandlers(1))) {
            relay.drain();

            assertThat(ordersLeft().pending()).as("the second may have begun").isBetween(6L, 7L);
            assertThat(ordersLeft().attempts()).isZero();

            operator().resume(ORDERS);
            letRelaysLook();
            relay.drain();
            assertThat(ordersLeft().pending()).isZero();
        }
    }

    /** The second message, if it has begun by then, is under way when the relay hears of the pause. */
    private void pauseBySecond(Envelope message, Transaction transaction) {
        if (number(message) == 0) {
            transaction.afterCommit(() -> {
                pauseOrders();
                letRelaysLook();
            });
        } else if (number(message) == 1) {
            until(() -> said("paused " + ORDERS));
        }
    }

    private boolean said(String event) {
        synchronized (events) {
            return events.contains(event);
        }
    }

    @Test
    @Timeout(60)
    void a_relay_on_its_own_thread_sees_pause_and_resume() {
        RelayOptions options = SMALL_BATCHES.withSweepInterval(Duration.ofMillis(50));
        try (var loop = RelayLoop.start(relay(Routes.of(Route.of("**", broker)), options), options)) {
            append(orders(0, 10));
            until(() -> broker.accepted().size() == 10);
            pauseOrders();
            until(() -> said("paused " + ORDERS));
            append(orders(10, 20));
            append(bills(0, 10));
            loop.wake();
            until(() -> destinations().stream().filter(BILLS::equals).count() == 10);
            assertThat(broker.accepted()).hasSize(20);

            operator().resume(ORDERS);
            until(() -> broker.accepted().size() == 30);
        }

        assertAllInOrder(20);
    }

    private Message[] orders(int from, int to) {
        return IntStream.range(from, to)
                .mapToObj(number -> order("key-" + number % KEYS, number))
                .toArray(Message[]::new);
    }

    private static Message[] bills(int from, int to) {
        return IntStream.range(from, to)
                .mapToObj(number -> Message.event("BillWritten", "{\"number\":" + number + "}")
                        .to(BILLS)
                        .inOrderOf("key-" + number % KEYS))
                .toArray(Message[]::new);
    }

    private List<String> destinations() {
        return broker.accepted().stream().map(Envelope::destination).toList();
    }

    private DestinationStats ordersLeft() {
        return store.admin().stats().stream()
                .filter(one -> one.destination().equals(ORDERS))
                .findFirst()
                .orElse(DestinationStats.none(ORDERS));
    }

    private void assertAllInOrder(int orders) {
        List<Envelope> received = broker.accepted().stream()
                .filter(message -> message.destination().equals(ORDERS))
                .toList();
        OrderCheck check = check(received, orders);
        assertThat(check.violations()).isEmpty();
        assertThat(check.lost()).isZero();
        assertThat(check.repeated()).isZero();
    }
}

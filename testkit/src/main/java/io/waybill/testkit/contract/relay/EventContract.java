package io.waybill.testkit.contract.relay;

import static io.waybill.command.BusinessKey.businessKey;
import static io.waybill.command.IdempotencyKey.idempotencyKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.Backoff;
import io.waybill.WaybillException;
import io.waybill.command.CommandNaming;
import io.waybill.command.CommandRetries;
import io.waybill.command.DomainCommand;
import io.waybill.command.Retryable;
import io.waybill.command.execution.CommandRuntime;
import io.waybill.command.handler.AutoCommandHandlerRegistry;
import io.waybill.inbox.Handler;
import io.waybill.inbox.Received;
import io.waybill.inbox.ReceivingOptions;
import io.waybill.inbox.Subscriber;
import io.waybill.inbox.receive.Subscribers;
import io.waybill.message.AppendTo;
import io.waybill.message.Message;
import io.waybill.message.MessageType;
import io.waybill.message.PayloadCodec;
import io.waybill.observe.InboxListener;
import io.waybill.ops.FailedMessages;
import io.waybill.relay.Relay;
import io.waybill.relay.RelayLoop;
import io.waybill.relay.route.RelayOptions;
import io.waybill.relay.route.Route;
import io.waybill.relay.route.Routes;
import io.waybill.store.NoTransactionException;
import io.waybill.store.failed.FailedSelection;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What is promised about an event that a command's handler publishes: it exists if the command took effect, and each of its
 * subscribers handles it once, in the order of its key, whatever becomes of it at the others. An effect is a message that a
 * subscriber appends.
 */
public abstract class EventContract extends RelayScenario {

    private static final String BILLING = "billing";
    private static final String MAIL = "mail";
    private static final Backoff SHORT = new Backoff(Duration.ofMillis(500), Duration.ofSeconds(1), 0);

    private Consumer<PlaceOrderCommand> afterPublishing = command -> {};
    private Handler<OrderPlaced> bill = received -> {};
    private Handler<OrderPlaced> mail = received -> {};

    /** Places an order. */
    public record PlaceOrderCommand(String customer, int number) implements DomainCommand {}

    /** An order was placed. */
    @MessageType("OrderPlaced")
    @AppendTo(value = ORDERS, inOrderOf = "customer")
    public record OrderPlaced(String customer, int number) {}

    /** Goes nowhere. */
    @MessageType("Lost")
    public record Lost(String customer) {}

    /** Names what it does not have. */
    @MessageType("Confused")
    @AppendTo(value = ORDERS, inOrderOf = "order")
    public record Confused(String customer) {}

    /** Is about nobody. */
    @MessageType("Anonymous")
    @AppendTo(value = ORDERS, inOrderOf = "customer")
    public record Anonymous(@Nullable String customer) {}

    /** Not now. */
    public static final class BusyException extends RuntimeException implements Retryable {
        BusyException() {
            super("not now");
        }
    }

    /** The application's service. */
    public final class Orders {
        public void place(PlaceOrderCommand command) {
            store.outbox().publish(new OrderPlaced(command.customer(), command.number()));
            afterPublishing.accept(command);
        }
    }

    /** An instance of the application: a handler of commands, and two subscribers. */
    private final class Node implements AutoCloseable {
        final CommandRuntime commandRuntime = new CommandRuntime(
                AutoCommandHandlerRegistry.of(new Orders()),
                store.commandStore(),
                store.outbox(),
                store.transactions(),
                CommandNaming.DEFAULT,
                CommandRetries.DEFAULT.backoff(SHORT),
                PayloadCodec.found(),
                store.clock().time());
        final Relay relay;

        Node(RelayOptions options) {
            Routes routes =
                    Routes.of(Stream.concat(commandRuntime.routes().stream(), Stream.of(Route.of("effects", other)))
                            .toArray(Route[]::new));
            var subscribers = new Subscribers(
                    routes,
                    store.inbox(),
                    store.outboxStore(),
                    store.failedStore(),
                    store.waitingKeys(),
                    InboxListener.NONE);
            var receiving = ReceivingOptions.DEFAULT.attempts(5).backoff(SHORT);
            subscribers.add(ORDERS, subscriber(BILLING, received -> bill.handle(received)), receiving);
            subscribers.add(ORDERS, subscriber(MAIL, received -> mail.handle(received)), receiving);
            relay = relay(routes, options);
        }

        @Override
        public void close() {
            relay.close();
            commandRuntime.close();
        }
    }

    private static Subscriber subscriber(String name, Handler<OrderPlaced> then) {
        return Subscriber.of(name, OrderPlaced.class, PayloadCodec.found(), received -> {
            OrderPlaced event = received.payload();
            received.outbox()
                    .append(Message.event("Effect", name + " " + event.number())
                            .as("text/plain")
                            .to("effects")
                            .inOrderOf(event.customer() + " at " + name));
            then.handle(received);
        });
    }

    @Test
    void each_subscriber_handles_an_event_of_a_command_once_and_in_order() {
        try (var node = new Node(SMALL_BATCHES)) {
            place(node, 1, 2, 3);
            node.relay.drain();
        }

        assertThat(effects(BILLING)).containsExactly(1, 2, 3);
        assertThat(effects(MAIL)).containsExactly(1, 2, 3);
    }

    @Test
    void a_command_that_fails_has_published_nothing() {
        afterPublishing = command -> {
            throw new IllegalStateException("no stock");
        };
        try (var node = new Node(SMALL_BATCHES)) {
            place(node, 1);
            node.relay.drain();
        }

        assertThat(effects(BILLING)).isEmpty();
        assertThat(effects(MAIL)).isEmpty();
    }

    @Test
    void a_subscriber_that_fails_keeps_no_other_from_an_event() {
        var broken = new boolean[] {true};
        bill = received -> {
            if (broken[0]) {
                throw new IllegalStateException("no paper");
            }
        };
        try (var node = new Node(SMALL_BATCHES)) {
            place(node, 1, 2, 3);
            node.relay.drain();
            assertThat(effects(MAIL)).containsExactly(1, 2, 3);
            assertThat(effects(BILLING)).isEmpty();

            broken[0] = false;
            outlast(node.relay, 2);
        }

        assertThat(effects(BILLING)).containsExactly(1, 2, 3);
        assertThat(effects(MAIL)).as("handled once").containsExactly(1, 2, 3);
    }

    @Test
    void an_event_that_a_subscriber_cannot_handle_is_retried_for_it_alone() {
        bill = received -> {
            throw new IllegalStateException("no paper");
        };
        try (var node = new Node(SMALL_BATCHES)) {
            place(node, 1);
            outlast(node.relay, 5);
            assertThat(store.failedStore().list(FailedSelection.all(), 0, 10))
                    .extracting(failed -> failed.handler())
                    .containsExactly(BILLING);

            bill = received -> {};
            new FailedMessages(store.failedStore(), store.outboxStore(), store.transactions())
                    .retry(FailedSelection.all(), FailedMessages.Target.HANDLER, "there is paper", done -> {});
            node.relay.drain();
        }

        assertThat(effects(BILLING)).containsExactly(1);
        assertThat(effects(MAIL)).containsExactly(1);
    }

    @Test
    @Timeout(60)
    void a_slow_subscriber_does_not_hold_the_others() throws Exception {
        var release = new CountDownLatch(1);
        bill = received -> release.await();
        RelayOptions options = SMALL_BATCHES.withHandlers(2);
        try (var node = new Node(options);
                RelayLoop loop = RelayLoop.start(node.relay, options)) {
            place(node, 1, 2, 3);
            until(() -> effects(MAIL).size() == 3);
            assertThat(effects(BILLING)).isEmpty();

            release.countDown();
            loop.wake();
            until(() -> effects(BILLING).size() == 3);
        } finally {
            release.countDown();
        }
        assertThat(effects(MAIL)).containsExactly(1, 2, 3);
    }

    @Test
    void handlers_and_subscribers_that_crash_at_random_on_nodes_that_come_and_go_have_each_effect_once() {
        int events = 120;
        int customers = 10;
        var random = new Random(20_261_116);
        Set<String> crashes = ConcurrentHashMap.newKeySet();
        for (int number = 0; number < events; number++) {
            for (String who : List.of("place", BILLING, MAIL)) {
                if (random.nextInt(4) == 0) {
                    crashes.add(who + number);
                }
            }
        }
        afterPublishing = command -> {
            if (crashes.remove("place" + command.number())) {
                throw new BusyException();
            }
        };
        bill = received -> {
            if (crashes.remove(BILLING + received.payload().number())) {
                throw new IllegalStateException("not at first");
            }
        };
        mail = received ->
                loseConnectionIf(crashes.remove(MAIL + received.payload().number()), received);
        RelayOptions options =
                SMALL_BATCHES.withLeaseTime(Duration.ofSeconds(1)).withMessagesPerCommit(3);
        try (var node = new Node(options)) {
            for (int number = 0; number < events; number++) {
                place(node, "customer-" + number % customers, number);
            }
        }

        for (int round = 0; isUnderWay() && round < 200; round++) {
            try (var first = new Node(options);
                    var second = new Node(options)) {
                first.relay.runOnce();
                second.relay.runOnce();
                first.relay.runOnce();
                second.relay.drain();
            }
            store.clock().advance(Duration.ofSeconds(2));
        }

        assertThat(crashes).as("crashes that did not happen").isEmpty();
        for (String subscriber : List.of(BILLING, MAIL)) {
            assertThat(effects(subscriber)).as(subscriber).hasSize(events).doesNotHaveDuplicates();
            for (int customer = 0; customer < customers; customer++) {
                int remainder = customer;
                assertThat(effects(subscriber).stream().filter(number -> number % customers == remainder))
                        .as(subscriber + " about customer " + customer)
                        .isSorted();
            }
        }
    }

    /** As if the process had died before the commit. */
    private void loseConnectionIf(boolean crashes, Received<OrderPlaced> received) {
        if (crashes) {
            store.cut(received.transaction());
        }
    }

    @Test
    void an_event_that_cannot_be_published_says_what_its_class_lacks() {
        store.transactions().inTransaction(transaction -> {
            assertThatThrownBy(() -> store.outbox().publish(new Lost("a")))
                    .isInstanceOf(WaybillException.class)
                    .hasMessageContaining("Lost does not say where its events go. Put @AppendTo(");
            assertThatThrownBy(() -> store.outbox().publish(new Confused("a")))
                    .isInstanceOf(WaybillException.class)
                    .hasMessageContaining("there is no public method order() or getOrder()");
            assertThatThrownBy(() -> store.outbox().publish(new Anonymous(null)))
                    .isInstanceOf(WaybillException.class)
                    .hasMessageContaining("@AppendTo(inOrderOf = \"customer\")")
                    .hasMessageContaining("it is null");
            assertThatThrownBy(() -> store.outbox().publish("text"))
                    .isInstanceOf(WaybillException.class)
                    .hasMessageContaining("java.lang.String does not say where its events go");
            return transaction;
        });
        assertThatThrownBy(() -> store.outbox().publish(new OrderPlaced("a", 1)))
                .isInstanceOf(NoTransactionException.class);
        assertThat(store.statuses()).isEmpty();
    }

    private static void place(Node node, int... numbers) {
        IntStream.of(numbers).forEach(number -> place(node, "customer-1", number));
    }

    private static void place(Node node, String customer, int number) {
        node.commandRuntime
                .bus()
                .accept(new PlaceOrderCommand(customer, number), idempotencyKey(number), businessKey(customer));
    }

    private boolean isUnderWay() {
        return store.statuses().keySet().stream().anyMatch(Set.of("PENDING", "HELD")::contains);
    }

    /**
     * The numbers of the events that a subscriber has handled, in the order in which it did. An effect is a message of its own: a relay
     * that lost its lease before it could settle sends the same one twice, and that is still one effect.
     */
    private List<Integer> effects(String subscriber) {
        Map<UUID, String> effects = new LinkedHashMap<>();
        other.accepted()
                .forEach(message ->
                        effects.putIfAbsent(message.id(), message.payload().asText()));
        return effects.values().stream()
                .filter(effect -> effect.startsWith(subscriber + " "))
                .map(effect -> Integer.parseInt(effect.substring(subscriber.length() + 1)))
                .toList();
    }
}

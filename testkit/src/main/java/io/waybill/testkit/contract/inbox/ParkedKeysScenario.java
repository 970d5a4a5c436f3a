package io.waybill.testkit.contract.inbox;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.Backoff;
import io.waybill.inbox.Received;
import io.waybill.inbox.ReceivingOptions;
import io.waybill.inbox.Subscriber;
import io.waybill.inbox.receive.Subscribers;
import io.waybill.message.Message;
import io.waybill.message.Payload;
import io.waybill.message.PayloadCodec;
import io.waybill.observe.InboxListener;
import io.waybill.ops.FailedMessages;
import io.waybill.ops.FailedMessages.Retried;
import io.waybill.ops.FailedMessages.Target;
import io.waybill.relay.Relay;
import io.waybill.relay.route.RelayOptions;
import io.waybill.relay.route.Route;
import io.waybill.relay.route.Routes;
import io.waybill.store.Faults;
import io.waybill.store.failed.FailedMessage;
import io.waybill.store.failed.FailedSelection;
import io.waybill.testkit.contract.relay.RelayScenario;
import io.waybill.transport.Delivery;
import io.waybill.transport.Receiver;
import io.waybill.transport.wire.Headers;
import io.waybill.transport.wire.WireMessage;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** What the contract of parked keys is played with: processes with a handler that cannot handle everything, and an operator. */
abstract class ParkedKeysScenario extends RelayScenario {

    static final String BILLING = "billing";
    static final String EFFECTS = "effects";
    static final String KEY = "a";
    static final String WHY = "the printer has ink again";
    static final ReceivingOptions OPTIONS = ReceivingOptions.DEFAULT
            .tries(1)
            .attempts(2)
            .backoff(new Backoff(Duration.ofMillis(500), Duration.ofSeconds(1), 0))
            .parkKeys();

    /** The messages that the handler cannot handle. */
    final Set<String> broken = ConcurrentHashMap.newKeySet();

    /** The messages whose handler loses its connection once. */
    final Set<String> crashing = ConcurrentHashMap.newKeySet();

    /** How messages come to the handler. */
    enum Way {
        FROM_A_BROKER,
        STORED_FIRST,
        OF_THIS_PROCESS
    }

    /** A process with a handler, and its relay. */
    final class Node implements AutoCloseable {
        final Way way;
        final Optional<Receiver> receiver;
        final Relay relay;

        Node(Way way) {
            this(way, SMALL_BATCHES);
        }

        Node(Way way, RelayOptions options) {
            this.way = way;
            Routes routes = Routes.of(Route.of("nowhere", other));
            var subscribers = new Subscribers(
                    routes,
                    store.inbox(),
                    store.outboxStore(),
                    store.failedStore(),
                    store.waitingKeys(),
                    InboxListener.NONE);
            var subscriber =
                    Subscriber.of(BILLING, Payload.class, PayloadCodec.found(), ParkedKeysScenario.this::handle);
            if (way == Way.OF_THIS_PROCESS) {
                subscribers.add(ORDERS, subscriber, OPTIONS);
                receiver = Optional.empty();
            } else {
                receiver = Optional.of(subscribers.receiver(
                        ORDERS, subscriber, way == Way.STORED_FIRST ? OPTIONS.storeFirst() : OPTIONS));
            }
            relay = relay(routes, options);
        }

        void arrive(String key, int... numbers) {
            for (int number : numbers) {
                if (receiver.isPresent()) {
                    receive(delivery(key, number, "text/plain"));
                } else {
                    store.transactions()
                            .inTransaction(transaction -> store.outbox()
                                    .append(Message.event("OrderPlaced", key + number)
                                            .as("text/plain")
                                            .to(ORDERS)
                                            .inOrderOf(key)));
                }
            }
        }

        /** One that says it is a structured CloudEvent, and is not. */
        void arriveUnreadable(String key, int number) {
            receive(delivery(key, number, "application/cloudevents+json"));
        }

        /** A broker delivers again what was not acknowledged. */
        private void receive(Delivery delivery) {
            for (boolean done = false; !done; ) {
                try {
                    receiver.orElseThrow().receive(List.of(delivery));
                    done = true;
                } catch (Exception e) {
                    assertThat(Faults.isOutage(e)).as("%s", e).isTrue();
                }
            }
        }

        /** Lets everything be tried as often as it may. */
        void exhaust() {
            outlast(relay, 3);
        }

        @Override
        public void close() {
            relay.close();
        }
    }

    static Delivery delivery(String key, int number, String contentType) {
        Map<String, String> headers = Map.of(
                Headers.MESSAGE_TYPE,
                "OrderPlaced",
                Headers.MESSAGE_ID,
                key + number,
                Headers.CONTENT_TYPE,
                contentType);
        return new Delivery(
                ORDERS, key, "orders-0@" + number, new WireMessage(headers, (key + number).getBytes(UTF_8)));
    }

    private void handle(Received<Payload> received) {
        String number = received.payload().asText();
        received.outbox()
                .append(Message.event("Effect", number).as("text/plain").to(EFFECTS));
        if (broken.contains(number)) {
            throw new IllegalStateException("no ink for " + number);
        }
        if (crashing.remove(number)) {
            store.cut(received.transaction());
        }
    }

    /** Five messages of a key, of which the first has failed. */
    void breakFirst(Node node) {
        broken.add(KEY + 1);
        node.arrive(KEY, 1, 2, 3, 4, 5);
        node.exhaust();
        broken.clear();
        assertThat(numbers(failed())).containsExactly("a1", "a2", "a3", "a4", "a5");
    }

    FailedMessages operations() {
        return new FailedMessages(store.failedStore(), store.outboxStore(), store.transactions());
    }

    Retried retry(FailedSelection selection) {
        return operations().retry(selection, Target.HANDLER, WHY, done -> {});
    }

    List<FailedMessage> failed() {
        return store.failedStore().list(FailedSelection.all(), 0, 10_000);
    }

    static FailedSelection ids(FailedMessage... messages) {
        return FailedSelection.of(
                List.of(messages).stream().map(FailedMessage::id).distinct().toList());
    }

    static List<String> numbers(List<FailedMessage> messages) {
        return messages.stream()
                .map(message -> message.message().payload().asText())
                .toList();
    }

    /** The numbers of the effects of a key, in their order. */
    List<Integer> effects(String key) {
        return payloads(claimAll().stream()
                        .filter(message -> message.envelope().destination().equals(EFFECTS))
                        .toList())
                .stream()
                .filter(effect -> effect.startsWith(key))
                .map(effect -> Integer.parseInt(effect.replaceAll("^.*?(\\d+)$", "$1")))
                .toList();
    }
}

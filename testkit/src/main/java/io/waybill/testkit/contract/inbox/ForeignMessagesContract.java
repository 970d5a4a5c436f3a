package io.waybill.testkit.contract.inbox;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.Backoff;
import io.waybill.inbox.Handler;
import io.waybill.inbox.ReceivingOptions;
import io.waybill.inbox.Subscriber;
import io.waybill.inbox.receive.BatchReceiver;
import io.waybill.inbox.receive.FailAtOnce;
import io.waybill.inbox.receive.Subscribers;
import io.waybill.message.Envelope;
import io.waybill.message.Message;
import io.waybill.message.Payload;
import io.waybill.message.PayloadCodec;
import io.waybill.observe.InboxListener;
import io.waybill.ops.FailedMessages;
import io.waybill.relay.Relay;
import io.waybill.relay.route.Route;
import io.waybill.relay.route.Routes;
import io.waybill.store.failed.FailedMessage;
import io.waybill.store.failed.FailedSelection;
import io.waybill.testkit.contract.relay.RelayScenario;
import io.waybill.transport.Delivery;
import io.waybill.transport.Receiver;
import io.waybill.transport.wire.Headers;
import io.waybill.transport.wire.WireMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * What a stranger may send: any key, type, header and body that a broker can carry ends as an effect or as a failed message with its
 * original bytes, and holds nobody up. The messages are generated from a seed.
 */
public abstract class ForeignMessagesContract extends RelayScenario {

    private static final String EFFECTS = "effects";
    private static final int BATCH = 25;
    private static final String[] RESERVED = {
        "waybill-retry",
        "waybill-retry-counted",
        "waybill-retry-handler",
        "waybill-retry-source",
        "waybill-retry-parked",
        "waybill-retry-unreadable",
        "waybill-kept"
    };

    private static final int MESSAGES = Integer.getInteger("waybill.foreign.messages", 150);
    private static final long SEED = Long.getLong("waybill.foreign.seed", 20_261_118);
    private static final String BILLING = "billing";
    private static final String NUMBER = "number";
    private static final Backoff SHORT = new Backoff(Duration.ofMillis(500), Duration.ofSeconds(1), 0);
    private static final ReceivingOptions OPTIONS =
            ReceivingOptions.DEFAULT.tries(1).attempts(2).backoff(SHORT);

    private static final Handler<Payload> FAILING = received -> {
        throw new IllegalStateException("not '" + received.message().key() + "' and not '"
                + received.message().type() + "'");
    };

    private final List<Delivery> foreign = generated(new Random(SEED));

    /** Takes a message that is as it was sent. */
    private final Handler<Payload> taking = received -> {
        assertAsSent(received.message());
        received.outbox()
                .append(Message.event("Taken", received.headers().getOrDefault(NUMBER, ""))
                        .to(EFFECTS));
    };

    @Test
    void handlers_get_them_as_they_were_sent() throws Exception {
        receiveAll(direct(taking));

        assertThat(ended()).hasSize(MESSAGES);
        assertThat(effects()).as("many can be read").hasSizeGreaterThan(MESSAGES / 3);
    }

    @Test
    void what_no_handler_takes_is_kept_as_it_was_sent() throws Exception {
        receiveAll(direct(FAILING));

        assertThat(effects()).isEmpty();
        assertThat(ended()).hasSize(MESSAGES);
    }

    @Test
    void what_waits_for_another_attempt_is_kept_as_it_was_sent() throws Exception {
        try (var node = new Node(OPTIONS, FAILING)) {
            receiveAll(node.receiver);
            drain(node);
        }

        assertThat(effects()).isEmpty();
        assertThat(ended()).hasSize(MESSAGES);
    }

    @Test
    void what_waits_behind_another_of_its_key_is_handled_as_it_was_sent() throws Exception {
        var failing = new AtomicBoolean(true);
        Handler<Payload> handler = received -> (failing.get() ? FAILING : taking).handle(received);
        try (var node = new Node(OPTIONS.parkKeys(), handler)) {
            receiveAll(node.receiver);
            failing.set(false);
            drain(node);
        }

        assertThat(ended()).hasSize(MESSAGES);
        assertThat(effects()).isNotEmpty();
    }

    @Test
    void what_is_stored_first_is_handled_as_it_was_sent() throws Exception {
        try (var node = new Node(OPTIONS.storeFirst(), taking)) {
            receiveAll(node.receiver);
            drain(node);
        }

        assertThat(ended()).hasSize(MESSAGES);
        assertThat(effects()).hasSizeGreaterThan(MESSAGES / 3);
    }

    @Test
    void what_is_stored_first_and_fails_is_kept_and_published_again_as_it_was_sent() throws Exception {
        try (var node = new Node(OPTIONS.storeFirst(), FAILING)) {
            receiveAll(node.receiver);
            drain(node);
        }
        assertThat(ended()).hasSize(MESSAGES);

        operations().retry(FailedSelection.all(), FailedMessages.Target.QUEUE, "it is theirs", done -> {});
        relay().drain();

        assertThat(broker.accepted()).hasSize(MESSAGES).allSatisfy(this::assertAsSent);
    }

    private FailedMessages operations() {
        return new FailedMessages(store.failedStore(), store.outboxStore(), store.transactions());
    }

    private void drain(Node node) {
        for (int round = 0; round < 100 && ended().size() < MESSAGES; round++) {
            outlast(node.relay, 1);
        }
    }

    /** The numbers of the messages that took effect or failed, each as it was sent and once. */
    private List<String> ended() {
        List<FailedMessage> failed = store.failedStore().list(FailedSelection.all(), 0, 10 * MESSAGES);
        var ended = new ArrayList<>(effects());
        failed.forEach(one -> {
            assertAsSent(one.message());
            ended.add(one.message().headers().get(NUMBER));
        });
        assertThat(ended).doesNotHaveDuplicates();
        return ended;
    }

    private List<String> effects() {
        return payloads(claimAll().stream()
                .filter(message -> message.envelope().destination().equals(EFFECTS))
                .toList());
    }

    private void assertAsSent(Envelope message) {
        Delivery sent = foreign.get(Integer.parseInt(message.headers().get(NUMBER)));
        Map<String, String> headers = sent.message().headers();
        String what = "message " + message.headers().get(NUMBER);
        assertThat(message.payload().asBytes())
                .as(what)
                .isEqualTo(sent.message().body());
        assertThat(message.key()).as(what).isEqualTo(sent.key());
        assertThat(message.type()).as(what).isEqualTo(sent.message().header(Headers.MESSAGE_TYPE));
        headers.forEach((name, value) -> {
            if (!name.startsWith("waybill-") && !name.startsWith("message-")) {
                assertThat(message.headers()).as(what).containsEntry(name, value);
            }
        });
    }

    /** A process that receives from a broker, and its relay. */
    private final class Node implements AutoCloseable {
        final Receiver receiver;
        final Relay relay;

        Node(ReceivingOptions options, Handler<Payload> handler) {
            Routes routes = Routes.of(Route.of("nowhere", other));
            var subscribers = new Subscribers(
                    routes,
                    store.inbox(),
                    store.outboxStore(),
                    store.failedStore(),
                    store.waitingKeys(),
                    InboxListener.NONE);
            receiver = subscribers.receiver(
                    ORDERS, Subscriber.of(BILLING, Payload.class, PayloadCodec.found(), handler), options);
            relay = relay(routes);
        }

        @Override
        public void close() {
            relay.close();
        }
    }

    private Receiver direct(Handler<Payload> handler) {
        return new BatchReceiver(
                Subscriber.of(BILLING, Payload.class, PayloadCodec.found(), handler),
                store.inbox(),
                store.failedStore(),
                new FailAtOnce(store.failedStore(), BILLING),
                OPTIONS,
                InboxListener.NONE);
    }

    /** Each batch twice: brokers repeat. */
    private void receiveAll(Receiver receiver) throws Exception {
        for (int from = 0; from < foreign.size(); from += BATCH) {
            List<Delivery> batch = foreign.subList(from, Math.min(foreign.size(), from + BATCH));
            receiver.receive(batch);
            receiver.receive(batch);
        }
    }

    private static List<Delivery> generated(Random random) {
        return IntStream.range(0, MESSAGES)
                .mapToObj(number -> generated(random, number))
                .toList();
    }

    private static Delivery generated(Random random, int number) {
        var headers = new HashMap<String, String>();
        for (int i = random.nextInt(5); i > 0; i--) {
            headers.put("h" + text(random), text(random));
        }
        if (random.nextInt(30) == 0) {
            headers.put("large", "\u00e9\"\0".repeat(30_000));
        }
        if (random.nextInt(4) == 0) {
            headers.put(oneOf(random, RESERVED), oneOf(random, "0", "1", "true", "{}", "x\0", text(random)));
            headers.put("waybill-retry-message", oneOf(random, "1-1-1-1-1", text(random)));
        }
        if (random.nextInt(3) == 0) {
            headers.put(
                    Headers.CONTENT_TYPE, oneOf(random, "application/json", "text/plain", "image/png", text(random)));
        }
        headers.put(Headers.MESSAGE_TYPE, text(random));
        headers.put(NUMBER, String.valueOf(number));
        if (random.nextBoolean()) {
            headers.put(Headers.MESSAGE_ID, number + text(random));
        }
        return new Delivery(ORDERS, text(random), "orders-0@" + number, new WireMessage(headers, body(random)));
    }

    private static byte[] body(Random random) {
        byte[] bytes = new byte[random.nextInt(200)];
        random.nextBytes(bytes);
        return switch (random.nextInt(5)) {
            case 0 -> bytes;
            case 1 -> ("nul " + '\0' + " and " + text(random).replaceAll("[\\uD800-\\uDFFF]", "")).getBytes(UTF_8);
            case 2 -> new byte[0];
            case 3 -> "x".repeat(100_000).getBytes(UTF_8);
            default -> "{\"number\":1}".getBytes(UTF_8);
        };
    }

    /** A name or key, such as few people would choose. */
    private static String text(Random random) {
        return switch (random.nextInt(14)) {
            case 0 -> "";
            case 1 -> "\0";
            case 2 -> "a\0b" + random.nextInt(3);
            case 3 -> "k".repeat(255);
            case 4 -> "k".repeat(256);
            case 5 -> "\uD83D\uDE00".repeat(128);
            case 6 -> "\uD83D";
            case 7 -> "\uDE00\uD83D" + random.nextInt(3);
            case 8 -> "k".repeat(3_000) + random.nextInt(3);
            case 9 -> "'; DROP TABLE outbox; -- \\ \"";
            case 10 -> "Key";
            case 11 -> "key ";
            case 12 ->
                random.ints(random.nextInt(400), 0, 0x10000)
                        .collect(StringBuilder::new, (out, c) -> out.append((char) c), StringBuilder::append)
                        .toString();
            default -> "key-" + random.nextInt(10);
        };
    }

    private static String oneOf(Random random, String... values) {
        return values[random.nextInt(values.length)];
    }
}

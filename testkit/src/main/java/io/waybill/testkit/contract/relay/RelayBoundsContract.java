package io.waybill.testkit.contract.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.message.Envelope;
import io.waybill.message.Message;
import io.waybill.relay.Relay;
import io.waybill.relay.RelayLoop;
import io.waybill.relay.route.RelayOptions;
import io.waybill.relay.route.Route;
import io.waybill.relay.route.Routes;
import io.waybill.transport.Deadline;
import io.waybill.transport.Outcome;
import io.waybill.transport.Publisher;
import io.waybill.transport.Transport;
import io.waybill.transport.wire.WireFormat;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What a relay takes into memory at once: never more bytes than it may, except for a single message that has more. */
public abstract class RelayBoundsContract extends RelayScenario {

    private static final int MEGABYTE = 1_000_000;
    private static final RelayOptions FOUR_MEGABYTES = RelayOptions.DEFAULT.withBatchBytes(4L * MEGABYTE);

    private final Requests requests = new Requests();

    @Test
    void large_messages_go_in_requests_of_bounded_size_and_in_order() {
        for (int i = 0; i < 40; i++) {
            append(large("key-" + i % 3, i, MEGABYTE));
        }

        relayOfFourMegabytes().drain();

        assertThat(requests.bytes).hasSizeBetween(10, 20).allMatch(bytes -> bytes <= 4L * MEGABYTE);
        assertThat(check(broker.accepted(), 40).lost()).isZero();
        assertThat(check(broker.accepted(), 40).violations()).isEmpty();
        assertThat(store.statuses()).isEmpty();
    }

    @Test
    void large_messages_behind_small_ones_are_no_surprise() {
        var small = new ArrayList<Message>();
        for (int i = 0; i < 3_000; i++) {
            small.add(order("key-" + i % 3, i));
        }
        append(small.toArray(Message[]::new));
        for (int i = 3_000; i < 3_012; i++) {
            append(large("key-" + i % 3, i, MEGABYTE));
        }

        relayOfFourMegabytes().drain();

        assertThat(requests.bytes).allMatch(bytes -> bytes <= 4L * MEGABYTE);
        assertThat(check(broker.accepted(), 3_012).lost()).isZero();
        assertThat(check(broker.accepted(), 3_012).violations()).isEmpty();
    }

    @Test
    void a_message_larger_than_the_bound_goes_alone() {
        append(order("a", 1));
        append(large("a", 2, 6 * MEGABYTE));
        append(order("a", 3));

        relayOfFourMegabytes().drain();

        assertThat(broker.accepted()).extracting(RelayScenario::number).containsExactly(1L, 2L, 3L);
        assertThat(requests.bytes).hasSize(3);
    }

    @Test
    void bytes_that_are_not_text_count_as_well() {
        for (int i = 0; i < 6; i++) {
            append(Message.event("Image", new byte[MEGABYTE]).to("images").inOrderOf("a"));
        }

        relayOfFourMegabytes().drain();

        assertThat(requests.bytes).containsExactly(4L * MEGABYTE, 2L * MEGABYTE);
        assertThat(broker.accepted())
                .allSatisfy(message -> assertThat(message.payload().asBytes()).hasSize(MEGABYTE));
    }

    @Test
    void what_is_tried_again_and_what_is_new_share_the_bound() {
        for (int i = 0; i < 6; i++) {
            append(large("key-" + i, i, MEGABYTE));
        }
        broker.answers(message -> new Outcome.Refused("not yet"));
        Relay relay = relayOfFourMegabytes();
        relay.drain();
        for (int i = 6; i < 12; i++) {
            append(large("key-" + i, i, MEGABYTE));
        }
        broker.recovers();
        store.clock().advance(Duration.ofSeconds(3));

        relay.drain();

        assertThat(requests.bytes).allMatch(bytes -> bytes <= 4L * MEGABYTE);
        assertThat(check(broker.accepted(), 12).lost()).isZero();
        assertThat(store.statuses()).isEmpty();
    }

    @Test
    void slow_lines_together_have_no_more_than_four_batches_under_way() {
        int destinations = 40;
        for (int i = 0; i < destinations; i++) {
            append(
                    large("key", i, MEGABYTE).to("images." + i),
                    large("key", i, MEGABYTE).to("images." + i));
        }
        var slow = new SlowLines();
        try (var loop = RelayLoop.start(relay(Routes.of(Route.of("**", slow)), FOUR_MEGABYTES), FOUR_MEGABYTES)) {
            until(() -> slow.megabytes.get() >= 12);
            for (int i = 0; i < 10; i++) {
                loop.wake();
                store.clock().advance(Duration.ofSeconds(1));
            }
            slow.answer.countDown();
            until(() -> broker.accepted().size() == 2 * destinations);
        }
        assertThat(slow.most).hasValueBetween(12, 16);
        assertThat(store.statuses()).isEmpty();
    }

    /** Each destination is a line of its own, and none answers before it is told to. */
    private final class SlowLines implements Transport {

        final CountDownLatch answer = new CountDownLatch(1);
        final AtomicInteger megabytes = new AtomicInteger();
        final AtomicInteger most = new AtomicInteger();

        @Override
        public String lineTo(String destination) {
            return destination;
        }

        @Override
        public Publisher publisher(String relay, WireFormat format) {
            return (batch, deadline) -> {
                int now = megabytes.addAndGet(batch.size());
                most.accumulateAndGet(now, Math::max);
                try {
                    answer.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                megabytes.addAndGet(-batch.size());
                return broker.publish(batch, deadline);
            };
        }

        @Override
        public void fence(String relay) {}

        @Override
        public void close() {}
    }

    private Relay relayOfFourMegabytes() {
        return relay(Routes.of(Route.of("**", requests)), FOUR_MEGABYTES);
    }

    /** A JSON text of exactly that many bytes. */
    private static Message large(String key, int number, int bytes) {
        String text = "{\"number\":" + number + "}";
        return Message.event("OrderPlaced", text + " ".repeat(bytes - text.length()))
                .to(ORDERS)
                .inOrderOf(key);
    }

    /** Counts the bytes of every request, and passes it on. */
    private final class Requests implements Publisher {

        final List<Long> bytes = new ArrayList<>();

        @Override
        public List<Outcome> publish(List<Envelope> batch, Deadline deadline) {
            bytes.add(batch.stream()
                    .mapToLong(message -> message.payload().size())
                    .sum());
            return broker.publish(batch, deadline);
        }
    }
}

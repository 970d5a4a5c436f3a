package io.waybill.kafka;

import static io.waybill.kafka.KafkaFixture.BROKER;
import static io.waybill.kafka.Messages.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.message.Envelope;
import io.waybill.testkit.services.host.TcpProxy;
import io.waybill.transport.Deadline;
import io.waybill.transport.Outcome;
import io.waybill.transport.Publisher;
import io.waybill.transport.wire.WireFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A relay is frozen while its request is on the way, another takes over, and then the request arrives. */
class FencingTest {

    private static final Outcome ACCEPTED = new Outcome.Accepted();

    private final String topic = BROKER.newTopic(1);
    private final Kafka kafka = Kafka.at(BROKER.bootstrapServers());

    @Test
    void what_arrives_after_the_fence_is_refused() throws Exception {
        try (var proxy = BROKER.proxy();
                var through = Kafka.at("127.0.0.1:" + proxy.port());
                var frozen = through.publisher("relay-frozen", WireFormat.PLAIN);
                var other = kafka.publisher("relay-other", WireFormat.PLAIN)) {
            CompletableFuture<List<Outcome>> late = freezeWhileSending(frozen, proxy);

            kafka.fence("relay-frozen");
            assertThat(other.publish(numbers(2, 6), Deadline.NEVER)).containsOnly(ACCEPTED);
            proxy.release();

            assertThat(late.get()).doesNotContain(ACCEPTED);
        }
        assertThat(KafkaFixture.bodies(topic, "read_committed")).containsExactly("1", "2", "3", "4", "5", "6");
        assertThat(KafkaFixture.bodies(topic, "read_uncommitted")).containsExactly("1", "2", "3", "4", "5", "6");
    }

    /** Shows that the test above tests something. */
    @Test
    void without_fencing_it_arrives_and_repeats_what_was_sent_since() throws Exception {
        try (var proxy = BROKER.proxy();
                var through = Kafka.at("127.0.0.1:" + proxy.port()).withoutFencing();
                var frozen = through.publisher("relay-frozen", WireFormat.PLAIN);
                var other = kafka.publisher("relay-other", WireFormat.PLAIN)) {
            CompletableFuture<List<Outcome>> late = freezeWhileSending(frozen, proxy);

            through.fence("relay-frozen");
            assertThat(other.publish(numbers(2, 6), Deadline.NEVER)).containsOnly(ACCEPTED);
            proxy.release();

            assertThat(late.get()).containsOnly(ACCEPTED);
        }
        assertThat(KafkaFixture.bodies(topic, "read_committed"))
                .containsExactly("1", "2", "3", "4", "5", "6", "2", "3");
    }

    @Test
    void what_had_arrived_before_the_fence_and_was_not_complete_is_undone() {
        try (var frozen = kafka.publisher("relay-frozen", WireFormat.PLAIN);
                var other = kafka.publisher("relay-other", WireFormat.PLAIN)) {
            var asked = new int[1];
            // The deadline is asked before every request: fenced and overtaken when the records are there and the
            // commit is not.
            List<Outcome> outcomes = frozen.publish(numbers(1, 3), Deadline.when(() -> {
                if (++asked[0] == 4) {
                    kafka.fence("relay-frozen");
                    assertThat(other.publish(numbers(1, 5), Deadline.NEVER)).containsOnly(ACCEPTED);
                }
                return false;
            }));
            assertThat(asked[0]).isGreaterThanOrEqualTo(4);
            assertThat(outcomes).doesNotContain(ACCEPTED);
        }
        assertThat(KafkaFixture.bodies(topic, "read_committed")).containsExactly("1", "2", "3", "4", "5");
        assertThat(KafkaFixture.bodies(topic, "read_uncommitted").stream().distinct())
                .containsExactly("1", "2", "3", "4", "5");
    }

    @Test
    void a_fenced_publisher_that_is_alive_after_all_goes_on() {
        try (var publisher = kafka.publisher("relay-alive", WireFormat.PLAIN)) {
            assertThat(publisher.publish(numbers(1, 3), Deadline.NEVER)).containsOnly(ACCEPTED);
            kafka.fence("relay-alive");

            assertThat(publisher.publish(numbers(4, 6), Deadline.NEVER)).doesNotContain(ACCEPTED);
            assertThat(publisher.publish(numbers(4, 6), Deadline.NEVER)).containsOnly(ACCEPTED);
        }
        assertThat(KafkaFixture.bodies(topic, "read_committed")).containsExactly("1", "2", "3", "4", "5", "6");
    }

    @Test
    void a_relay_whose_name_goes_on_where_this_one_ends_is_not_fenced() {
        try (var publisher = kafka.publisher("relay-1-2", WireFormat.PLAIN)) {
            assertThat(publisher.publish(numbers(1, 3), Deadline.NEVER)).containsOnly(ACCEPTED);
            kafka.fence("relay-1");
            kafka.fence("relay-nobody-knows");

            assertThat(publisher.publish(numbers(4, 6), Deadline.NEVER)).containsOnly(ACCEPTED);
        }
    }

    @Test
    void publishers_of_one_relay_do_not_fence_each_other() {
        try (var again = Kafka.at(BROKER.bootstrapServers());
                var plain = kafka.publisher("relay-1", WireFormat.PLAIN);
                var events = kafka.publisher("relay-1", WireFormat.CLOUDEVENTS_BINARY);
                var third = again.publisher("relay-1", WireFormat.PLAIN)) {
            for (int i = 0; i < 3; i++) {
                for (Publisher publisher : List.of(plain, events, third)) {
                    assertThat(publisher.publish(numbers(1, 1), Deadline.NEVER)).containsOnly(ACCEPTED);
                }
            }
        }
    }

    /** Sends number 1, then freezes with 2 and 3 on their way. */
    private CompletableFuture<List<Outcome>> freezeWhileSending(Publisher frozen, TcpProxy proxy) {
        assertThat(frozen.publish(numbers(1, 1), Deadline.NEVER)).containsOnly(ACCEPTED);
        proxy.hold();
        CompletableFuture<List<Outcome>> late =
                CompletableFuture.supplyAsync(() -> frozen.publish(numbers(2, 3), Deadline.NEVER));
        await().until(() -> proxy.held() > 0);
        return late;
    }

    private List<Envelope> numbers(int from, int to) {
        return IntStream.rangeClosed(from, to)
                .mapToObj(i -> message(topic, "", "key", i))
                .toList();
    }
}

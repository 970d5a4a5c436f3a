package io.waybill.testkit.contract.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.message.Category;
import io.waybill.message.Envelope;
import io.waybill.message.Payload;
import io.waybill.message.UuidV7;
import io.waybill.testkit.Numbered;
import io.waybill.testkit.OrderCheck;
import io.waybill.transport.Deadline;
import io.waybill.transport.Delivery;
import io.waybill.transport.Outcome;
import io.waybill.transport.Publisher;
import io.waybill.transport.Transport;
import io.waybill.transport.WireReader;
import io.waybill.transport.wire.WireFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What every publisher promises, to wherever it writes. */
public abstract class PublisherContract {

    private static final String TRACEPARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

    private Transport transport;
    private Publisher publisher;
    String destination;

    protected abstract TransportFixture<?> fixture();

    @SuppressWarnings("NullAway.Init")
    protected PublisherContract() {}

    @BeforeEach
    void open() {
        transport = fixture().open();
        publisher = transport.publisher("relay-1", WireFormat.PLAIN);
        destination = fixture().newDestination();
    }

    @AfterEach
    void close() {
        publisher.close();
        transport.close();
    }

    @ParameterizedTest
    @EnumSource
    void a_message_arrives_as_it_was_given(WireFormat format) {
        var given = new Envelope(
                UuidV7.SYSTEM.get(),
                Category.COMMAND,
                "PlaceOrder",
                destination,
                "",
                "order-1",
                Payload.text("{\"text\":\"Żółć \\\"quoted\\\"\"}"),
                Map.of("traceparent", TRACEPARENT, "correlation-id", "c-1", "x-tenant", "acme"));
        try (Publisher formatted = transport.publisher("relay-2", format)) {
            assertThat(formatted.publish(List.of(given), Deadline.NEVER)).containsExactly(new Outcome.Accepted());
        }

        Delivery arrived = only(fixture().contents(destination));
        Envelope read = WireReader.read(arrived);

        assertThat(read.id()).isEqualTo(given.id());
        assertThat(read.category()).isEqualTo(Category.COMMAND);
        assertThat(read.type()).isEqualTo("PlaceOrder");
        assertThat(read.partitionKey())
                .as("commands of a key wait for each other")
                .isEqualTo("order-1");
        assertThat(read.payload()).isEqualTo(given.payload());
        assertThat(read.headers())
                .containsEntry("traceparent", TRACEPARENT)
                .containsEntry("correlation-id", "c-1")
                .containsEntry("x-tenant", "acme");
    }

    @Test
    void bytes_arrive_as_they_were_given() {
        byte[] bytes = {0, 1, 2, (byte) 0xFF, (byte) 0xFE};
        var given = new Envelope(
                UuidV7.SYSTEM.get(), Category.EVENT, "Picture", destination, "", "", Payload.binary(bytes), Map.of());

        assertThat(publish(List.of(given))).containsExactly(new Outcome.Accepted());

        assertThat(WireReader.read(only(fixture().contents(destination))).payload())
                .isEqualTo(given.payload());
    }

    @ParameterizedTest
    @EnumSource
    void the_partition_key_is_in_no_header_but_the_attribute_of_cloud_events(WireFormat format) {
        try (Publisher formatted = transport.publisher("relay-2", format)) {
            assertThat(formatted.publish(List.of(message(1, "the-partition-key")), Deadline.NEVER))
                    .containsExactly(new Outcome.Accepted());
        }

        Delivery arrived = only(fixture().contents(destination));
        List<String> telling = arrived.message().headers().entrySet().stream()
                .filter(header -> header.toString().contains("the-partition-key"))
                .map(Map.Entry::getKey)
                .toList();
        if (format == WireFormat.CLOUDEVENTS_BINARY) {
            assertThat(telling).allMatch(name -> name.endsWith("partitionkey"));
        } else {
            assertThat(telling).isEmpty();
        }
        if (format != WireFormat.PLAIN) {
            assertThat(WireReader.read(arrived).partitionKey()).isEqualTo("the-partition-key");
        }
    }

    @Test
    void every_key_keeps_its_order() {
        List<Envelope> batch = messages(1_000, 20);

        assertThat(publish(batch)).containsOnly(new Outcome.Accepted());

        OrderCheck check = check(batch.size());
        assertThat(check.lost()).isZero();
        assertThat(check.repeated()).isZero();
        assertThat(check.violations()).isEmpty();
    }

    @Test
    void after_the_deadline_nothing_is_sent() {
        assertThat(publisher.publish(messages(10, 2), Deadline.when(() -> true)))
                .containsOnly(new Outcome.NotAttempted());

        assertThat(fixture().contents(destination)).isEmpty();
    }

    /** A relay that was frozen renews its lease when it wakes: then the deadline would be in the future again. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 5, 8, 13})
    void after_a_deadline_that_has_passed_once_nothing_is_sent(int asked) {
        List<Envelope> batch = messages(20, 2);
        var questions = new AtomicInteger();

        List<Outcome> outcomes = publisher.publish(batch, Deadline.when(() -> questions.getAndIncrement() == asked));

        List<Long> arrived = fixture().contents(destination).stream()
                .map(Numbered::read)
                .map(Numbered::number)
                .toList();
        for (int key = 0; key < 2; key++) {
            int parity = key;
            assertThat(arrived.stream().filter(number -> number % 2 == parity).toList())
                    .as("a prefix of its key")
                    .isEqualTo(LongStream.range(
                                    0,
                                    arrived.stream()
                                            .filter(number -> number % 2 == parity)
                                            .count())
                            .map(i -> 2 * i + parity)
                            .boxed()
                            .toList());
        }
        List<Long> accepted = IntStream.range(0, batch.size())
                .filter(i -> outcomes.get(i) instanceof Outcome.Accepted)
                .mapToObj(i -> (long) i)
                .toList();
        assertThat(arrived).as("what is accepted has arrived").containsAll(accepted);
    }

    final List<Outcome> publish(List<Envelope> batch) {
        List<Outcome> outcomes = publisher.publish(batch, Deadline.NEVER);
        assertThat(outcomes).hasSameSizeAs(batch);
        return outcomes;
    }

    final List<Envelope> messages(int count, int keys) {
        return IntStream.range(0, count)
                .mapToObj(i -> message(i, "key-" + i % keys))
                .toList();
    }

    final Envelope message(long number, String partitionKey) {
        return Numbered.message(destination, partitionKey, number);
    }

    final OrderCheck check(int expected) {
        return Numbered.check(fixture().contents(destination), expected);
    }

    private static Delivery only(List<Delivery> contents) {
        assertThat(contents).hasSize(1);
        return contents.get(0);
    }
}

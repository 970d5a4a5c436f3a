package io.waybill.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.waybill.message.Category;
import io.waybill.message.Envelope;
import io.waybill.message.Payload;
import io.waybill.message.UuidV7;
import io.waybill.testkit.Numbered;
import io.waybill.testkit.OrderCheck;
import io.waybill.transport.Delivery;
import io.waybill.transport.Outcome;
import io.waybill.transport.Publisher;
import io.waybill.transport.Transport;
import io.waybill.transport.WireFormat;
import io.waybill.transport.WireReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What every publisher promises, against its real broker; one in memory promises the same. */
public abstract class PublisherContract {

    private static final String TRACEPARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

    /** How often the connection is cut: a few times in every build, more with -Pfull. */
    private static final int CUTS = Integer.getInteger("waybill.transport.cuts", 10);

    private BrokerFixture<?> fixture;
    private Transport transport;
    private Publisher publisher;
    private String destination;

    protected abstract BrokerFixture<?> fixture();

    @SuppressWarnings("NullAway.Init")
    protected PublisherContract() {}

    @BeforeEach
    void open() {
        fixture = fixture();
        transport = fixture.open(fixture.port());
        publisher = transport.publisher("relay-1", WireFormat.PLAIN);
        destination = fixture.newDestination();
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
            assertThat(formatted.publish(List.of(given), () -> false)).containsExactly(new Outcome.Accepted());
        }

        Delivery arrived = only(fixture.contents(destination));
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

        assertThat(WireReader.read(only(fixture.contents(destination))).payload())
                .isEqualTo(given.payload());
    }

    @ParameterizedTest
    @EnumSource
    void the_partition_key_is_in_no_header_but_the_attribute_of_cloud_events(WireFormat format) {
        try (Publisher formatted = transport.publisher("relay-2", format)) {
            assertThat(formatted.publish(List.of(message(1, "the-partition-key")), () -> false))
                    .containsExactly(new Outcome.Accepted());
        }

        Delivery arrived = only(fixture.contents(destination));
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
    void behind_a_refused_message_its_key_waits_and_the_others_go_on() {
        var refused = fixture.refusable(message(3, "bad"));
        assumeTrue(refused.isPresent(), "this broker takes everything");
        List<Envelope> batch = List.of(
                message(1, "good"), message(2, "bad"), refused.orElseThrow(), message(4, "bad"), message(5, "good"));

        var outcomes = new ArrayList<>(publish(batch));
        assertThat(outcomes.get(2)).isInstanceOf(Outcome.Refused.class);
        assertThat(outcomes.get(3)).isEqualTo(new Outcome.NotAttempted());
        // A publisher may stop the whole batch at a refusal; what it did not attempt it takes the next time.
        List<Envelope> rest = IntStream.of(0, 1, 4)
                .filter(i -> outcomes.get(i).equals(new Outcome.NotAttempted()))
                .mapToObj(batch::get)
                .toList();
        assertThat(publish(rest)).allMatch(outcome -> outcome instanceof Outcome.Accepted);

        assertThat(numbers()).containsExactlyInAnyOrder(1L, 2L, 5L).containsSubsequence(1L, 5L);
    }

    @Test
    void a_missing_destination_is_a_misconfiguration_and_others_go_on() {
        var missing = fixture.missingDestination();
        assumeTrue(missing.isPresent(), "this broker takes every name");

        List<Outcome> outcomes =
                publish(List.of(message(1, "a").withDestination(missing.orElseThrow()), message(2, "a")));

        assertThat(outcomes.get(0))
                .isInstanceOfSatisfying(
                        Outcome.Misconfigured.class,
                        outcome -> assertThat(outcome.reason()).contains(missing.orElseThrow()));
        if (outcomes.get(1).equals(new Outcome.NotAttempted())) {
            assertThat(publish(List.of(message(2, "a")))).containsExactly(new Outcome.Accepted());
        } else {
            assertThat(outcomes.get(1)).isEqualTo(new Outcome.Accepted());
        }
    }

    @Test
    void after_the_deadline_nothing_is_sent() {
        assertThat(publisher.publish(messages(10, 2), () -> true)).containsOnly(new Outcome.NotAttempted());

        assertThat(fixture.contents(destination)).isEmpty();
    }

    @Test
    void a_broker_that_is_away_is_unavailable_and_comes_back() {
        assumeTrue(fixture.port() != BrokerFixture.IN_PROCESS, "there is no connection to cut");
        try (var proxy = fixture.proxy();
                Transport through = fixture.open(proxy.port());
                Publisher cut = through.publisher("relay-3", WireFormat.PLAIN)) {
            proxy.refuse();
            List<Envelope> batch = messages(10, 2);
            assertThat(cut.publish(batch, () -> false))
                    .allMatch(outcome ->
                            outcome instanceof Outcome.Unavailable || outcome instanceof Outcome.NotAttempted)
                    .anyMatch(outcome -> outcome instanceof Outcome.Unavailable);

            proxy.restore();
            publishAll(cut, batch);
        }
        assertThat(check(10).lost()).isZero();
        assertThat(check(10).violations()).isEmpty();
    }

    @Test
    void connections_cut_in_the_middle_lose_nothing_and_reorder_nothing() {
        assumeTrue(fixture.port() != BrokerFixture.IN_PROCESS, "there is no connection to cut");
        int size = 200;
        var random = new Random(7);
        long next = 0;
        try (var proxy = fixture.proxy();
                Transport through = fixture.open(proxy.port());
                Publisher cut = through.publisher("relay-4", WireFormat.PLAIN)) {
            publishAll(cut, List.of(message(next++, "key-0")));
            for (int cuts = 0; cuts < CUTS; cuts++) {
                long first = next;
                proxy.cutAfter(random.nextInt(size * 150));
                publishAll(
                        cut,
                        IntStream.range(0, size)
                                .mapToObj(i -> message(first + i, "key-" + i % 10))
                                .toList());
                next += size;
            }
        }
        OrderCheck check = check((int) next);
        assertThat(check.lost()).isZero();
        assertThat(check.violations()).isEmpty();
    }

    /** As a relay does: what was not accepted goes again, in its order. */
    private static void publishAll(Publisher publisher, List<Envelope> batch) {
        List<Envelope> left = batch;
        for (int rounds = 0; !left.isEmpty(); rounds++) {
            assertThat(rounds).as("rounds until everything was accepted").isLessThan(500);
            List<Envelope> sent = left;
            List<Outcome> outcomes = publisher.publish(sent, () -> false);
            assertThat(outcomes).hasSameSizeAs(sent).noneMatch(outcome -> outcome instanceof Outcome.Misconfigured);
            left = IntStream.range(0, sent.size())
                    .filter(i -> !(outcomes.get(i) instanceof Outcome.Accepted))
                    .mapToObj(sent::get)
                    .toList();
        }
    }

    private List<Outcome> publish(List<Envelope> batch) {
        List<Outcome> outcomes = publisher.publish(batch, () -> false);
        assertThat(outcomes).hasSameSizeAs(batch);
        return outcomes;
    }

    private List<Envelope> messages(int count, int keys) {
        return IntStream.range(0, count)
                .mapToObj(i -> message(i, "key-" + i % keys))
                .toList();
    }

    private Envelope message(long number, String partitionKey) {
        return Numbered.message(destination, partitionKey, number);
    }

    private List<Long> numbers() {
        return fixture.contents(destination).stream()
                .map(Numbered::read)
                .map(Numbered::number)
                .toList();
    }

    private OrderCheck check(int expected) {
        return Numbered.check(fixture.contents(destination), expected);
    }

    private static Delivery only(List<Delivery> contents) {
        assertThat(contents).hasSize(1);
        return contents.get(0);
    }
}

package io.waybill.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.waybill.message.Category;
import io.waybill.message.Envelope;
import io.waybill.message.Message;
import io.waybill.message.Payload;
import io.waybill.message.UuidV7;
import io.waybill.observe.WaitingItem;
import io.waybill.observe.WaitingItem.Kind;
import io.waybill.ops.FailedMessages;
import io.waybill.ops.OutboxOperations;
import io.waybill.process.ProcessListener.StepOutcome;
import io.waybill.process.state.ProcessStatus;
import io.waybill.store.admin.DestinationStats;
import io.waybill.store.admin.OutboxAdmin;
import io.waybill.store.admin.OutboxStatus;
import io.waybill.testkit.ManualClock;
import io.waybill.testkit.memory.MemoryStore;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class WaybillMetersTest {

    private final ManualClock clock = ManualClock.now();
    private final MemoryStore store = new MemoryStore(clock.time());
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final WaybillMeters meters = new WaybillMeters(clock, Tags.of("datasource", "orders"));

    @BeforeEach
    void bind() {
        meters.bindTo(registry);
    }

    @Test
    void the_backlog_is_what_is_not_sent_and_how_long() {
        assertThat(registry.get("waybill.outbox.backlog").gauge().value())
                .as("nothing to look at yet")
                .isZero();
        append("orders.placed");
        append("orders.placed");
        append("orders.paid");
        meters.watch(
                new OutboxOperations(store.admin()),
                new FailedMessages(store.failed(), store, store),
                List::of,
                List::of);
        clock.advance(Duration.ofSeconds(90));

        assertThat(registry.get("waybill.outbox.backlog").gauge().value()).isEqualTo(3);
        assertThat(registry.get("waybill.outbox.oldest.age").gauge().value()).isBetween(90.0, 91.0);
        assertThat(registry.get("waybill.outbox.destination.backlog")
                        .tag("destination", "orders.placed")
                        .tag("datasource", "orders")
                        .gauge()
                        .value())
                .isEqualTo(2);
        assertThat(registry.get("waybill.failed.messages").gauge().value()).isZero();
    }

    @Test
    void what_the_instance_has_found_is_counted() {
        assertThat(registry.get("waybill.process.stuck").gauge().value()).isZero();
        meters.watchStuck(() -> 2);
        meters.watchUnrouted(() -> 3);
        assertThat(registry.get("waybill.outbox.unrouted").gauge().value()).isEqualTo(3);
        assertThat(registry.get("waybill.process.stuck").gauge().value()).isEqualTo(2);
    }

    @Test
    void dead_letters_are_what_was_refused_for_the_last_time_and_what_could_not_be_handled() {
        OutboxAdmin admin = (OutboxAdmin) Proxy.newProxyInstance(
                OutboxAdmin.class.getClassLoader(),
                new Class<?>[] {OutboxAdmin.class},
                (proxy, method, arguments) -> List.of(
                        DestinationStats.of("orders", OutboxStatus.FAILED, 2, 20, 10, clock.instant()),
                        DestinationStats.of("mails", OutboxStatus.FAILED, 1, 10, 10, clock.instant())));
        meters.watch(new OutboxOperations(admin), new FailedMessages(store.failed(), store, store), List::of, List::of);

        assertThat(registry.get("waybill.outbox.failed").gauge().value()).isEqualTo(3);
        assertThat(registry.get("waybill.outbox.backlog").gauge().value()).isZero();
        assertThat(registry.get("waybill.dead.letters").gauge().value()).isEqualTo(3);
    }

    @Test
    void the_database_is_not_asked_again_at_once() {
        meters.watch(
                new OutboxOperations(store.admin()),
                new FailedMessages(store.failed(), store, store),
                List::of,
                List::of);
        assertThat(registry.get("waybill.outbox.backlog").gauge().value()).isZero();
        append("orders.placed");

        assertThat(registry.get("waybill.outbox.backlog").gauge().value()).isZero();
        clock.advance(Duration.ofSeconds(5));
        assertThat(registry.get("waybill.outbox.backlog").gauge().value()).isEqualTo(1);
    }

    @Test
    void processes_are_counted_by_how_they_end() {
        meters.started("Purchase");
        meters.stepEnded("Purchase", "Reserve", StepOutcome.COMPLETED);
        meters.ended("Purchase", ProcessStatus.SUCCEEDED);
        meters.ended("Purchase", ProcessStatus.COMPENSATED);
        meters.ended("Purchase", ProcessStatus.COMPENSATED);

        assertThat(count("waybill.process.started", "type", "Purchase")).isEqualTo(1);
        assertThat(count("waybill.process.steps", "outcome", "completed")).isEqualTo(1);
        assertThat(count("waybill.process.ended", "status", "succeeded")).isEqualTo(1);
        assertThat(count("waybill.process.ended", "status", "compensated")).isEqualTo(2);
    }

    @Test
    void a_command_is_tried_again_by_a_relay_or_by_its_process() {
        meters.retried(message(Category.COMMAND, "Reserve"), 1, "no stock", Duration.ofSeconds(1));
        meters.retried(message(Category.EVENT, "Reserved"), 1, "no", Duration.ofSeconds(1));
        meters.retried("Purchase", "Reserve", 2);

        assertThat(count("waybill.command.retries", "type", "Reserve")).isEqualTo(2);
        assertThat(count("waybill.relay.retried", "destination", "q")).isEqualTo(2);
        assertThat(registry.find("waybill.command.retries")
                        .tag("type", "Reserved")
                        .counter())
                .isNull();
    }

    @Test
    void what_came_from_brokers_is_counted_by_handler() {
        Envelope message = message(Category.EVENT, "Placed");
        meters.handled("mails", List.of(message, message));
        meters.duplicate("mails", List.of(message));
        meters.failed("mails", message, 3, new IllegalStateException());

        assertThat(count("waybill.inbox.handled", "handler", "mails")).isEqualTo(2);
        assertThat(count("waybill.inbox.duplicates", "handler", "mails")).isEqualTo(1);
        assertThat(count("waybill.inbox.failed", "handler", "mails")).isEqualTo(1);
    }

    @Test
    void every_registry_is_told() {
        var second = new SimpleMeterRegistry();
        meters.bindTo(second);
        meters.bindTo(second);

        meters.published(List.of(message(Category.EVENT, "Placed")), Duration.ZERO);

        assertThat(registry.get("waybill.relay.published").counter().count()).isEqualTo(1);
        assertThat(second.get("waybill.relay.published").counter().count()).isEqualTo(1);
    }

    @Test
    void the_time_from_append_to_publish_is_a_histogram_of_each_destination() {
        UUID id = new UuidV7(clock).get();
        clock.advance(Duration.ofMillis(30));

        meters.published(
                List.of(
                        new Envelope(id, Category.EVENT, "T", "orders", "", "", Payload.text("{}"), Map.of()),
                        message(Category.EVENT, "T")),
                Duration.ZERO);

        Timer time = registry.get("waybill.relay.publish")
                .tag("destination", "orders")
                .timer();
        assertThat(time.count()).isEqualTo(1);
        assertThat(time.totalTime(TimeUnit.MILLISECONDS)).isBetween(30.0, 31.0);
        assertThat(time.takeSnapshot().histogramCounts())
                .filteredOn(bucket -> bucket.bucket(TimeUnit.MILLISECONDS) <= 25)
                .allMatch(bucket -> bucket.count() == 0);
        assertThat(time.takeSnapshot().histogramCounts())
                .filteredOn(bucket -> bucket.bucket(TimeUnit.MILLISECONDS) == 50)
                .singleElement()
                .matches(bucket -> bucket.count() == 1);
        assertThat(registry.get("waybill.relay.publish")
                        .tag("destination", "q")
                        .timer()
                        .count())
                .as("an id that does not tell its time")
                .isZero();
    }

    @Test
    void however_many_destinations_there_are_the_meters_are_bounded() {
        meters.watch(
                new OutboxOperations(store.admin()),
                new FailedMessages(store.failed(), store, store),
                List::of,
                List::of);
        for (int i = 0; i < 150; i++) {
            append("orders." + i);
            meters.published(
                    List.of(new Envelope(
                            UUID.randomUUID(),
                            Category.EVENT,
                            "T",
                            "orders." + i,
                            "",
                            "",
                            Payload.text("{}"),
                            Map.of())),
                    Duration.ZERO);
        }
        clock.advance(Duration.ofSeconds(10));

        assertThat(registry.get("waybill.outbox.backlog").gauge().value()).isEqualTo(150);
        assertThat(registry.get("waybill.relay.published").counters()).hasSize(101);
        assertThat(count("waybill.relay.published", "destination", "_other")).isEqualTo(50);
        assertThat(registry.get("waybill.outbox.destination.backlog").gauges()).hasSize(101);
        assertThat(registry.get("waybill.outbox.destination.backlog")
                        .tag("destination", "_other")
                        .gauge()
                        .value())
                .isEqualTo(50);
    }

    @Test
    void the_age_of_a_destination_grows_between_two_looks() {
        append("orders.placed");
        meters.watch(
                new OutboxOperations(store.admin()),
                new FailedMessages(store.failed(), store, store),
                List::of,
                List::of);
        assertThat(registry.get("waybill.outbox.backlog").gauge().value()).isEqualTo(1);
        clock.advance(Duration.ofSeconds(4));

        assertThat(registry.get("waybill.outbox.destination.oldest.age").gauge().value())
                .isBetween(4.0, 5.0);
    }

    @Test
    void open_circuits_held_keys_and_duplicates_are_counted() {
        meters.watch(
                new OutboxOperations(store.admin()),
                new FailedMessages(store.failed(), store, store),
                () -> List.of(
                        new WaitingItem(Kind.DESTINATION, "orders", 1, null, true, "away", "it answers", "WB-102"),
                        new WaitingItem(Kind.DESTINATION, "mails", 1, null, true, "wrong", "it is fixed", "WB-103"),
                        new WaitingItem(Kind.DESTINATION, "bills", 1, null, true, "paused", "it is resumed", "WB-140"),
                        WaitingItem.of(Kind.DESTINATION, "late", 7, null, true, "many", "a relay comes"),
                        WaitingItem.of(Kind.KEY, "orders", 3, null, false, "behind", "it is accepted")),
                List::of);
        meters.watchShards(() -> 32);
        meters.unsettled(4);

        assertThat(registry.get("waybill.relay.circuits.open").gauge().value()).isEqualTo(2);
        assertThat(registry.get("waybill.relay.destinations.paused").gauge().value())
                .isEqualTo(1);
        assertThat(registry.get("waybill.outbox.keys.held").gauge().value()).isEqualTo(3);
        assertThat(registry.get("waybill.relay.shards").gauge().value()).isEqualTo(32);
        assertThat(registry.get("waybill.relay.duplicates").counter().count()).isEqualTo(4);
    }

    private double count(String name, String tag, String value) {
        return registry.get(name).tag(tag, value).counter().count();
    }

    private void append(String destination) {
        store.inTransaction(
                transaction -> store.outbox().append(Message.event("Some", "{}").to(destination)));
    }

    private static Envelope message(Category category, String type) {
        return new Envelope(UUID.randomUUID(), category, type, "q", "", "", Payload.text("{}"), Map.of());
    }
}

package io.waybill.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.waybill.WaybillException;
import io.waybill.jms.client.QueueNames;
import io.waybill.message.Envelope;
import io.waybill.message.Payload;
import io.waybill.transport.Deadline;
import io.waybill.transport.Outcome;
import io.waybill.transport.SubscriptionOptions;
import io.waybill.transport.wire.WireFormat;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What the contracts do not ask of a publisher: rights, full queues, names and missing queues. */
class ArtemisSendingTest extends ArtemisScenario {

    @Test
    void a_wrong_password_is_a_misconfiguration_told_in_one_line_without_it() {
        String queue = broker.newQueue();
        try (var intruder = Jms.artemis(url(), "app", "wr0ng-secret")) {
            Outcome outcome = publish(intruder, message(queue, "key", 1)).get(0);

            assertThat(outcome)
                    .isInstanceOfSatisfying(
                            Outcome.Misconfigured.class,
                            wrong -> assertThat(wrong.reason())
                                    .contains(
                                            "Artemis at " + url(),
                                            "the user or the password is wrong",
                                            "Unable to validate user")
                                    .doesNotContain("wr0ng-secret", "\n"));
            assertThatThrownBy(() -> intruder.subscribe(SubscriptionOptions.to(queue, "billing"), received::addAll))
                    .isInstanceOf(WaybillException.class)
                    .hasMessageContaining("refuses the connection")
                    .hasMessageNotContaining("wr0ng-secret");
        }
    }

    @Test
    void a_queue_we_may_not_send_to_is_a_misconfiguration_and_others_go_on() {
        String forbidden = broker.newQueue(TestBroker.FORBIDDEN);
        String queue = broker.newQueue();

        List<Outcome> outcomes = publish(
                jms,
                message(queue, "key", 1),
                message(forbidden, "key", 2),
                message(queue, "key", 3),
                message(forbidden, "key", 4),
                message(queue, "key", 5));

        assertThat(outcomes.get(1))
                .isInstanceOfSatisfying(
                        Outcome.Misconfigured.class,
                        wrong -> assertThat(wrong.reason()).contains(forbidden).doesNotContain("\n"));
        assertThat(outcomes.get(3)).isEqualTo(new Outcome.NotAttempted());
        assertThat(numbers(queue)).containsExactly(1, 3, 5);
        assertThat(numbers(forbidden)).isEmpty();
    }

    @Test
    void refused_messages_cost_the_others_nothing() {
        String queue = broker.newQueue();
        var batch = new ArrayList<Envelope>();
        for (int i = 0; i < 400; i++) {
            Envelope message = message(queue, "key-" + i % 40, i);
            batch.add(i % 100 == 50 ? fixture.refusable(message) : message);
        }

        List<Outcome> outcomes = publish(jms, batch.toArray(Envelope[]::new));

        // 50 and 250 have one key, 150 and 350 another: behind the first refusal of a key nothing of it is sent.
        List<Integer> expected = IntStream.range(0, 400)
                .filter(i -> !(i % 40 == 10 && i >= 50) && !(i % 40 == 30 && i >= 150))
                .boxed()
                .toList();
        assertThat(outcomes.stream().filter(Outcome.Refused.class::isInstance)).hasSize(2);
        assertThat(numbers(queue)).containsExactlyElementsOf(expected);
    }

    @Test
    void a_queue_that_is_full_is_unavailable_and_others_go_on() {
        String queue = broker.newQueue();

        List<Outcome> outcomes = publish(
                jms,
                message(queue, "key", 1),
                large(TestBroker.FAILING_WHEN_FULL, 2),
                large(TestBroker.FAILING_WHEN_FULL, 3),
                large(TestBroker.FAILING_WHEN_FULL, 4),
                message(queue, "key", 5));

        assertThat(outcomes)
                .anyMatch(Outcome.Unavailable.class::isInstance)
                .noneMatch(Outcome.Refused.class::isInstance);
        assertThat(numbers(queue)).containsExactly(1, 5);
    }

    @Test
    void a_broker_that_lets_a_sender_wait_for_ever_is_unavailable_after_the_timeout() {
        String queue = broker.newQueue();
        try (var publisher = jms.withTimeout(Duration.ofSeconds(1)).publisher("relay-1", WireFormat.PLAIN)) {
            List<Outcome> outcomes = publisher.publish(
                    IntStream.range(0, 10)
                            .mapToObj(i -> large(TestBroker.BLOCKING_WHEN_FULL, i))
                            .toList(),
                    Deadline.NEVER);

            assertThat(outcomes)
                    .anySatisfy(outcome -> assertThat(outcome)
                            .isInstanceOfSatisfying(
                                    Outcome.Unavailable.class,
                                    away -> assertThat(away.reason()).contains("did not respond within 1 s")));
            assertThat(publisher.publish(List.of(message(queue, "key", 1)), Deadline.NEVER))
                    .containsExactly(new Outcome.Accepted());
        }
    }

    @Test
    void a_deadline_that_passes_before_the_commit_leaves_nothing_at_the_broker() {
        String queue = broker.newQueue();
        var asked = new AtomicInteger();
        try (var publisher = jms.publisher("relay-1", WireFormat.PLAIN)) {
            assertThat(publisher.publish(
                            IntStream.range(0, 10)
                                    .mapToObj(i -> message(queue, "key", i))
                                    .toList(),
                            Deadline.when(() -> asked.incrementAndGet() > 8)))
                    .containsOnly(new Outcome.NotAttempted());
        }
        assertThat(numbers(queue)).isEmpty();
    }

    @Test
    void destinations_go_to_queues_by_the_convention() throws Exception {
        broker.createQueue("APP.CMD.CREATEORDER.Q");
        Jms named = jms.withQueueNames(new QueueNames("APP.CMD", "Q"));

        assertThat(publish(named, message("CreateOrder", "key", 1), message("Create Order", "key", 2)))
                .satisfiesExactly(
                        first -> assertThat(first).isEqualTo(new Outcome.Accepted()),
                        second -> assertThat(second).isInstanceOf(Outcome.Misconfigured.class));
        try (var subscription = named.subscribe(SubscriptionOptions.to("CreateOrder", "orders"), received::addAll)) {
            await().atMost(PATIENCE).until(() -> received.size() == 1);
        }
        assertThat(received.get(0).source()).isEqualTo("CreateOrder");
    }

    @Test
    void required_queues_that_are_missing_are_all_named_with_how_to_create_them() {
        String there = broker.newQueue();
        jms.requireQueues(there);

        assertThatThrownBy(() -> jms.requireQueues("missing.one", there, "missing.two"))
                .isInstanceOf(WaybillException.class)
                .hasMessageContaining("has no 'missing.one', 'missing.two'")
                .hasMessageContaining("artemis queue create --name missing.two")
                .hasMessageNotContaining(there);
    }

    private static Envelope large(String destination, int number) {
        return message(destination, "key-" + number, number)
                .withPayload(Payload.text("{\"text\":\"" + "x".repeat(10_000) + "\",\"number\":" + number + "}"));
    }
}

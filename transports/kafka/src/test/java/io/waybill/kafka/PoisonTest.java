package io.waybill.kafka;

import static io.waybill.kafka.KafkaFixture.BROKER;
import static io.waybill.kafka.Messages.message;
import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.Time;
import io.waybill.kafka.cluster.Rights;
import io.waybill.message.Envelope;
import io.waybill.transport.Deadline;
import io.waybill.transport.Outcome;
import io.waybill.transport.wire.WireFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.acl.AclOperation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages that Kafka refuses, between others that it takes. */
class PoisonTest {

    private static final Outcome ACCEPTED = new Outcome.Accepted();
    private static final Outcome NOT_ATTEMPTED = new Outcome.NotAttempted();
    private static final Map<String, String> COMPACTED = Map.of("cleanup.policy", "compact");
    private static final Map<String, String> SMALL = Map.of("max.message.bytes", "2000");

    private final Kafka kafka = Kafka.at(BROKER.bootstrapServers());

    @AfterEach
    void close() {
        kafka.close();
    }

    @Test
    void a_message_too_large_for_its_topic_is_refused_without_being_sent() {
        String topic = BROKER.newTopic(1, SMALL);
        try (var counted = new Counted(true)) {
            List<Outcome> outcomes = counted.publisher.publish(List.of(large(topic, "a", 5_000)), Deadline.NEVER);

            assertThat(outcomes)
                    .singleElement()
                    .isInstanceOfSatisfying(
                            Outcome.Refused.class,
                            refused -> assertThat(refused.reason()).contains(topic, "2000", "max.message.bytes"));
            assertThat(counted.producer.waves()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void too_large_between_good_ones_of_its_key_holds_up_its_key_and_no_other(boolean fencing) {
        String topic = BROKER.newTopic(1, SMALL);
        List<Envelope> batch = List.of(
                message(topic, "", "bad", 1),
                message(topic, "", "good", 2),
                large(topic, "bad", 5_000),
                message(topic, "", "bad", 4),
                message(topic, "", "good", 5));

        assertThat(publish(batch, fencing))
                .satisfiesExactly(
                        outcome -> assertThat(outcome).isEqualTo(ACCEPTED),
                        outcome -> assertThat(outcome).isEqualTo(ACCEPTED),
                        outcome -> assertThat(outcome).isInstanceOf(Outcome.Refused.class),
                        outcome -> assertThat(outcome).isEqualTo(NOT_ATTEMPTED),
                        outcome -> assertThat(outcome).isEqualTo(ACCEPTED));
        assertThat(KafkaFixture.bodies(topic, "read_committed")).containsExactly("1", "2", "5");
    }

    /** Here nobody can know before: the limit of the topic needs a right to be seen, and only the broker tells. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_record_that_the_broker_refuses_has_nothing_of_its_key_behind_it(boolean fencing) throws Exception {
        String topic = BROKER.newTopic(1, SMALL);
        Rights.deny(AclOperation.DESCRIBE_CONFIGS, topic);
        Kafka transport = fencing ? kafka : kafka.withoutFencing();
        try (var publisher = transport.publisher("relay-1", WireFormat.PLAIN)) {
            assertThat(publisher.publish(List.of(message(topic, "", "first", 0)), Deadline.NEVER))
                    .containsOnly(ACCEPTED);
            List<Envelope> batch = Stream.concat(
                            Stream.concat(numbers(topic, 1, 20), Stream.of(large(topic, "key-3", 5_000))),
                            numbers(topic, 22, 40))
                    .toList();

            List<Outcome> outcomes = publisher.publish(batch, Deadline.NEVER);

            assertThat(outcomes.get(20)).isInstanceOf(Outcome.Refused.class);
            for (int i = 0; i < batch.size(); i++) {
                boolean behind = i > 20 && batch.get(i).partitionKey().equals("key-3");
                assertThat(outcomes.get(i))
                        .as("message " + i)
                        .satisfies(outcome -> assertThat(outcome instanceof Outcome.Refused
                                        || outcome.equals(behind ? NOT_ATTEMPTED : ACCEPTED))
                                .isTrue());
            }
        }
        List<String> expected = Stream.concat(
                        IntStream.rangeClosed(0, 20).boxed(),
                        IntStream.rangeClosed(22, 40).filter(i -> i % 5 != 3).boxed())
                .map(Object::toString)
                .toList();
        assertThat(KafkaFixture.bodies(topic, "read_committed")).containsExactlyElementsOf(expected);
        assertThat(KafkaFixture.bodies(topic, "read_uncommitted").stream().distinct())
                .as("each for the first time, also for those who read what is not committed")
                .containsExactlyElementsOf(expected);
    }

    /** A compacted topic refuses records without a key: one in a hundred of these. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void one_poisoned_message_in_a_hundred_at_most_doubles_what_is_sent(boolean fencing) {
        String topic = BROKER.newTopic(6, COMPACTED);
        try (var clean = new Counted(fencing);
                var poisoned = new Counted(fencing)) {
            List<Envelope> good = batch(topic, 2_000, 0);
            List<Envelope> bad = batch(topic, 2_000, 100);

            assertThat(clean.publisher.publish(good, Deadline.NEVER)).containsOnly(ACCEPTED);
            List<Outcome> outcomes = poisoned.publisher.publish(bad, Deadline.NEVER);

            assertThat(outcomes.stream().filter(ACCEPTED::equals)).hasSize(1_980);
            assertThat(outcomes.stream().filter(outcome -> outcome instanceof Outcome.Refused))
                    .hasSize(20);
            assertThat(poisoned.producer.waves()).isLessThanOrEqualTo(2 * clean.producer.waves());
        }
    }

    @Test
    void a_batch_in_which_all_is_poison_is_told_apart_at_once() {
        String topic = BROKER.newTopic(6, COMPACTED);
        try (var counted = new Counted(true)) {
            List<Envelope> batch = batch(topic, 1_000, 1);

            assertThat(counted.publisher.publish(batch, Deadline.NEVER))
                    .hasSize(1_000)
                    .allMatch(outcome -> outcome instanceof Outcome.Refused);
            assertThat(counted.producer.waves()).isLessThanOrEqualTo(2);
        }
    }

    private List<Outcome> publish(List<Envelope> batch, boolean fencing) {
        try (var publisher = (fencing ? kafka : kafka.withoutFencing()).publisher("relay-1", WireFormat.PLAIN)) {
            return publisher.publish(batch, Deadline.NEVER);
        }
    }

    private static Stream<Envelope> numbers(String topic, int from, int to) {
        return IntStream.rangeClosed(from, to).mapToObj(i -> message(topic, "", "key-" + i % 5, i));
    }

    private static List<Envelope> batch(String topic, int size, int poisonEvery) {
        var batch = new ArrayList<Envelope>();
        for (int i = 0; i < size; i++) {
            boolean poison = poisonEvery > 0 && i % poisonEvery == 0;
            batch.add(message(topic, "", poison ? "" : "key-" + i % 500, i));
        }
        return batch;
    }

    private static Envelope large(String topic, String partitionKey, int size) {
        return message(topic, "", partitionKey, "\"" + "x".repeat(size) + "\"");
    }

    /** A publisher whose waves can be counted. */
    private static final class Counted implements AutoCloseable {
        private final OrderedProducer producer;
        private final KafkaPublisher publisher;
        private final Admin admin = Admin.create(Map.of("bootstrap.servers", BROKER.bootstrapServers()));

        Counted(boolean fencing) {
            var settings = KafkaSettings.of(BROKER.bootstrapServers());
            producer = fencing
                    ? OrderedProducer.ofRelay("counted", settings, Time.system())
                    : OrderedProducer.unfenced(settings, Time.system());
            publisher = new KafkaPublisher(
                    new Topics(() -> admin, "Kafka", Time.system()), producer, settings, WireFormat.PLAIN);
        }

        @Override
        public void close() {
            publisher.close();
            admin.close();
        }
    }
}

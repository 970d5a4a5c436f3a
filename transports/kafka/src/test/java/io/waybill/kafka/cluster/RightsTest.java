package io.waybill.kafka.cluster;

import static io.waybill.kafka.KafkaFixture.BROKER;
import static io.waybill.kafka.Messages.message;
import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.kafka.Kafka;
import io.waybill.kafka.KafkaFixture;
import io.waybill.message.Envelope;
import io.waybill.transport.Deadline;
import io.waybill.transport.Outcome;
import io.waybill.transport.wire.WireFormat;
import java.util.List;
import org.apache.kafka.common.acl.AclOperation;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RightsTest {

    @ParameterizedTest
    @CsvSource({"WRITE,true", "WRITE,false", "DESCRIBE,true"})
    void a_missing_right_is_a_misconfiguration_and_other_topics_go_on(AclOperation right, boolean fencing)
            throws Exception {
        String open = BROKER.newTopic(2);
        String closed = BROKER.newTopic(2);
        Rights.deny(right, closed);
        Kafka kafka = Kafka.at(BROKER.bootstrapServers());
        try (Kafka transport = fencing ? kafka : kafka.withoutFencing();
                var publisher = transport.publisher("relay-1", WireFormat.PLAIN)) {
            List<Envelope> batch = List.of(
                    message(open, "", "a", 1),
                    message(closed, "", "a", 2),
                    message(closed, "", "b", 3),
                    message(open, "", "b", 4));

            List<Outcome> outcomes = publisher.publish(batch, Deadline.NEVER);

            assertThat(outcomes.get(0)).isEqualTo(new Outcome.Accepted());
            assertThat(outcomes.get(3)).isEqualTo(new Outcome.Accepted());
            assertThat(outcomes.subList(1, 3))
                    .allSatisfy(outcome -> assertThat(outcome)
                            .isInstanceOfSatisfying(
                                    Outcome.Misconfigured.class,
                                    wrong -> assertThat(wrong.reason()).contains(closed)));
        }
        assertThat(KafkaFixture.bodies(open, "read_committed")).containsExactlyInAnyOrder("1", "4");
    }
}

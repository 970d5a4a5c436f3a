package io.waybill.kafka;

import static io.waybill.kafka.KafkaFixture.BROKER;
import static io.waybill.kafka.Messages.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.WaybillException;
import io.waybill.testkit.services.host.TcpProxy;
import io.waybill.transport.Deadline;
import io.waybill.transport.Outcome;
import io.waybill.transport.SubscriptionOptions;
import io.waybill.transport.TransportUrl;
import io.waybill.transport.Transports;
import io.waybill.transport.wire.WireFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KafkaUrlTest {

    @Test
    void a_url_opens_the_transport() {
        String topic = BROKER.newTopic(1);
        try (var transport = Transports.open("kafka://" + BROKER.bootstrapServers()
                        + "?producer.compression.type=lz4&kafka.client.id=shop&consumer.fetch.max.wait.ms=100");
                var publisher = transport.publisher("relay-1", WireFormat.PLAIN)) {
            assertThat(publisher.publish(List.of(message(topic, "", "a", 1)), Deadline.NEVER))
                    .containsExactly(new Outcome.Accepted());
        }
        assertThat(KafkaFixture.bodies(topic, "read_committed")).containsExactly("1");
    }

    @Test
    void a_user_signs_in_with_SASL() {
        Map<String, Object> settings = producer("kafka://ann:p%40ss%22word@one,two:9093?tls=true&sasl=SCRAM-SHA-512");

        assertThat(settings)
                .containsEntry("bootstrap.servers", "one:9092,two:9093")
                .containsEntry("security.protocol", "SASL_SSL")
                .containsEntry("sasl.mechanism", "SCRAM-SHA-512")
                .containsEntry(
                        "sasl.jaas.config",
                        "org.apache.kafka.common.security.scram.ScramLoginModule required"
                                + " username=\"ann\" password=\"p@ss\\\"word\";");
        assertThat(producer("kafka://one?tls=true")).containsEntry("security.protocol", "SSL");
        assertThat(producer("kafka://one")).doesNotContainKey("security.protocol");
    }

    @Test
    void who_has_the_right_password_may_publish_and_who_has_not_is_told_so_without_it() {
        String topic = BROKER.newTopic(1);

        assertThat(publish("kafka://ann:right@" + BROKER.saslServers(), topic)).isEqualTo(new Outcome.Accepted());
        assertThat(publish("kafka://ann:secret@" + BROKER.saslServers(), topic))
                .isInstanceOfSatisfying(
                        Outcome.Misconfigured.class,
                        wrong -> assertThat(wrong.reason())
                                .contains(BROKER.saslServers(), "Authentication failed")
                                .doesNotContain("secret", "\n"));
    }

    @Test
    void TLS_to_a_port_without_is_told_in_one_line() {
        assertThat(publish("kafka://" + BROKER.bootstrapServers() + "?tls=true", BROKER.newTopic(1)))
                .isInstanceOfSatisfying(
                        Outcome.Unavailable.class,
                        away -> assertThat(away.reason())
                                .contains(BROKER.bootstrapServers(), "is TLS used by both sides or by neither?")
                                .doesNotContain("\n"));
    }

    @Test
    void signing_in_where_nobody_does_is_a_misconfiguration_told_in_one_line() {
        assertThat(publish("kafka://ann:secret@" + BROKER.bootstrapServers(), BROKER.newTopic(1)))
                .isInstanceOfSatisfying(
                        Outcome.Misconfigured.class,
                        wrong -> assertThat(wrong.reason())
                                .contains(BROKER.bootstrapServers())
                                .doesNotContain("secret", "\n"));
    }

    private static Outcome publish(String url, String topic) {
        try (var kafka = new KafkaProvider().open(TransportUrl.parse(url)).with(KafkaFixture.SHORT_PATIENCE);
                var publisher = kafka.publisher("relay-1", WireFormat.PLAIN)) {
            return publisher
                    .publish(List.of(message(topic, "", "a", 1)), Deadline.NEVER)
                    .get(0);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "kafka://localhost:9092?compression=lz4",
                "kafka://localhost:9092?producer.compresion.type=lz4",
                "kafka://localhost:9092?acks=all"
            })
    void parameters_that_nobody_knows_are_refused(String url) {
        assertThatThrownBy(() -> Transports.open(url))
                .isInstanceOf(WaybillException.class)
                .hasMessageContaining(url.substring(url.indexOf('?') + 1, url.indexOf('=')))
                .hasMessageContaining("fencing")
                .hasMessageContaining("producer.NAME")
                .message()
                .doesNotContain("\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"producer.acks=1", "producer.linger.ms=0", "kafka.group.id=x", "consumer.enable.auto.commit=true"
            })
    void settings_that_promises_stand_on_are_refused(String parameter) {
        assertThatThrownBy(() -> Transports.open("kafka://localhost:9092?" + parameter))
                .isInstanceOf(WaybillException.class)
                .hasMessageContaining(parameter.substring(parameter.indexOf('.') + 1, parameter.indexOf('=')));
    }

    @ParameterizedTest
    @ValueSource(strings = {"kafka:orders", "kafka://localhost:9092/orders", "kafka://localhost?tls=yes"})
    void an_address_that_means_nothing_is_refused(String url) {
        assertThatThrownBy(() -> Transports.open(url)).isInstanceOf(WaybillException.class);
    }

    @Test
    void a_host_that_does_not_exist_is_one_line_that_names_it() {
        try (var kafka = Kafka.at("no-such-host.invalid:9092")) {
            assertThatThrownBy(() -> kafka.subscribe(SubscriptionOptions.to("orders", "billing"), batch -> {}))
                    .isInstanceOf(WaybillException.class)
                    .hasMessageContainingAll("orders", "no-such-host.invalid:9092")
                    .message()
                    .doesNotContain("\n");
        }
    }

    @Test
    void a_broker_that_does_not_answer_is_said_without_the_password() {
        try (var nobody = TcpProxy.to(BROKER.port())) {
            nobody.refuse();
            try (var kafka = new KafkaProvider()
                    .open(TransportUrl.parse("kafka://ann:secret@127.0.0.1:" + nobody.port()))
                    .with(KafkaFixture.SHORT_PATIENCE)) {
                assertThatThrownBy(() -> kafka.subscribe(SubscriptionOptions.to("orders", "billing"), batch -> {}))
                        .isInstanceOf(WaybillException.class)
                        .hasMessageContainingAll("orders", "127.0.0.1:" + nobody.port())
                        .message()
                        .doesNotContain("secret");
            }
        }
    }

    private static Map<String, Object> producer(String url) {
        return new KafkaProvider().open(TransportUrl.parse(url)).settings().producer("");
    }
}

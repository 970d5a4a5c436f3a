package io.waybill.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.WaybillException;
import io.waybill.transport.SubscriptionOptions;
import java.util.Map;
import org.junit.jupiter.api.Test;

class KafkaSettingsTest {

    private final KafkaSettings settings = KafkaSettings.of("localhost:9092");

    @Test
    void what_is_said_for_one_client_goes_over_what_is_said_for_all_and_that_over_our_defaults() {
        assertThat(settings.producer("")).containsEntry("request.timeout.ms", "10000");

        KafkaSettings common = settings.with(Map.of("request.timeout.ms", "7000", "fetch.max.wait.ms", "10"));
        assertThat(common.producer(""))
                .containsEntry("request.timeout.ms", "7000")
                .doesNotContainKey("fetch.max.wait.ms");
        assertThat(common.admin()).containsEntry("request.timeout.ms", "7000");
        assertThat(common.consumer(SubscriptionOptions.to("orders", "billing")))
                .containsEntry("request.timeout.ms", "7000")
                .containsEntry("fetch.max.wait.ms", "10");

        assertThat(common.withProducer(Map.of("request.timeout.ms", "8000")).producer(""))
                .containsEntry("request.timeout.ms", "8000");
    }

    @Test
    void the_settings_of_somebodys_own_plug_in_are_handed_on() {
        assertThat(settings.with(Map.of("my.interceptor.url", "http://localhost"))
                        .producer(""))
                .containsEntry("my.interceptor.url", "http://localhost");
    }

    @Test
    void addresses_in_code_are_checked_as_those_of_a_url_are() {
        assertThatThrownBy(() -> Kafka.at("one:9092,two:99999"))
                .isInstanceOf(WaybillException.class)
                .hasMessage("'one:9092,two:99999' has the port '99999'. A port is a number from 1 to 65535.");
        assertThatThrownBy(() -> Kafka.at("")).hasMessage("'' names no host. Write host:port.");
        assertThatThrownBy(() -> Kafka.at(":9092")).hasMessageStartingWith("':9092' has ':9092' where a host belongs.");
        assertThat(Kafka.at("one:9092, two:9093")).hasToString("kafka://one:9092,two:9093");
    }

    @Test
    void its_text_has_no_secret() {
        assertThat(settings.with(Map.of("sasl.jaas.config", "password=\"secret\"")))
                .hasToString("kafka://localhost:9092");
    }
}

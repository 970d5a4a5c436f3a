package io.waybill.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.WaybillException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TransportUrlTest {

    @Test
    void a_url_is_taken_apart() {
        TransportUrl url = TransportUrl.parse("KAFKA://me:p%40ss@one:9092,two:9093/orders?tls=true&a=b%20c");

        assertThat(url.scheme()).isEqualTo("kafka");
        assertThat(url.user()).isEqualTo("me");
        assertThat(url.password()).isEqualTo("p@ss");
        assertThat(url.hosts()).containsExactly("one:9092", "two:9093");
        assertThat(url.path()).isEqualTo("orders");
        assertThat(url.parameters()).isEqualTo(Map.of("tls", "true", "a", "b c"));
    }

    @Test
    void a_password_may_have_slashes_and_at_signs() {
        TransportUrl url = TransportUrl.parse("amqp://me:p@ss/w@rd@one:5672/vhost?a=1");

        assertThat(url.password()).isEqualTo("p@ss/w@rd");
        assertThat(url.hosts()).containsExactly("one:5672");
        assertThat(url.path()).isEqualTo("vhost");
        assertThat(TransportUrl.withoutPassword("amqp://me:p@ss/w@rd@one:5672/vhost?a=b"))
                .isEqualTo("amqp://***@one:5672/vhost?a=***");
    }

    @Test
    void a_secret_may_come_from_a_file_or_the_environment(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("secret"), "from-file\nmore");

        TransportUrl byFile = TransportUrl.parse("amqp://me@one?password-file=" + file);
        TransportUrl byEnvironment = TransportUrl.parse("kafka://one?kafka.sasl.jaas.config-env=JAAS&tls=true");

        assertThat(byFile.resolved(name -> null).password()).isEqualTo("from-file");
        assertThat(byFile.resolved(name -> null).parameters()).isEmpty();
        assertThat(byFile.secretFiles()).containsExactly(file);
        assertThat(byEnvironment.resolved(name -> "of " + name).parameters())
                .isEqualTo(Map.of("kafka.sasl.jaas.config", "of JAAS", "tls", "true"));
        assertThatThrownBy(() -> byEnvironment.resolved(name -> null)).hasMessageContaining("is not set");
    }

    @Test
    void a_path_alone_will_do() {
        assertThat(TransportUrl.parse("file:/tmp/x.ndjson").path()).isEqualTo("/tmp/x.ndjson");
        assertThat(TransportUrl.parse("file:///tmp/x.ndjson").path()).isEqualTo("/tmp/x.ndjson");
        assertThat(TransportUrl.parse("stdout:").path()).isEmpty();
    }

    @Test
    void its_text_shows_no_secret() {
        assertThat(TransportUrl.parse("kafka://me:hidden@one:9092?api-key=hidden&trust-store-password=hidden"))
                .asString()
                .doesNotContain("hidden")
                .contains("me@one:9092");
    }

    @Test
    void errors_show_no_secret_either() {
        assertThatThrownBy(() -> TransportUrl.parse("kafka://me:hidden%zz@one"))
                .isInstanceOf(WaybillException.class)
                .hasMessageNotContaining("hidden")
                .hasMessageContaining("%25");
        assertThatThrownBy(() -> TransportUrl.parse("//me:hidden@one"))
                .isInstanceOf(WaybillException.class)
                .hasMessageNotContaining("hidden");
        assertThatThrownBy(() -> TransportUrl.parse("kafka://me:hidden@"))
                .hasMessageNotContaining("hidden")
                .hasMessageContaining("no host");
    }

    @ParameterizedTest
    @ValueSource(strings = {"99999", "65536", "0", "-1", "90x", "", "9092:1"})
    void a_port_that_is_none_gives_one_line_without_credentials(String port) {
        for (String scheme : List.of("kafka", "amqp", "amqps", "jms+artemis", "jms+ibmmq", "webhook+https")) {
            assertThatThrownBy(() -> TransportUrl.parse(scheme + "://me:hidden@one:9092,two:" + port + "/path"))
                    .isInstanceOf(WaybillException.class)
                    .hasMessage("'" + scheme + "://***@one:9092,two:" + port + "/path' has the port '" + port
                            + "'. A port is a number from 1 to 65535.");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"hidden", "hid:den", "hid/den", "9092,hidden:x", "hid?den@one", "567x"})
    void what_may_be_a_password_whose_host_was_forgotten_is_masked_and_what_stands_before_it_is_shown(String secret) {
        assertThatThrownBy(() -> TransportUrl.parse("amqp://rabbit.example.com:" + secret))
                .isInstanceOf(WaybillException.class)
                .hasMessageStartingWith("'amqp://rabbit.example.com:***' has ")
                .hasMessageNotContaining(secret)
                .hasMessageNotContaining("hid");
        assertThatThrownBy(() -> TransportUrl.parse("amqp://ghp_0Gdn3kSecret:" + secret))
                .isInstanceOf(WaybillException.class)
                .hasMessageStartingWith("'amqp://***' has ")
                .hasMessageNotContaining("ghp");
    }

    @Test
    void an_address_of_ipv6_is_in_brackets() {
        assertThat(TransportUrl.parse("kafka://[::1]:65535,[::1],one:1").hosts())
                .containsExactly("[::1]:65535", "[::1]", "one:1");
        assertThatThrownBy(() -> TransportUrl.parse("kafka://[::1]9092")).hasMessageContaining("'[::1]9092'");
        assertThatThrownBy(() -> TransportUrl.parse("kafka://:9092")).hasMessageContaining("':9092'");
    }

    @Test
    void hosts_that_stand_alone_are_checked_in_the_same_way() {
        assertThat(TransportUrl.hostsIn("one:1, two", "one:1, two")).containsExactly("one:1", "two");
        assertThatThrownBy(() -> TransportUrl.hostsIn("one,two:99999", "one,two:99999"))
                .isInstanceOf(WaybillException.class)
                .hasMessage("'one,two:99999' has the port '99999'. A port is a number from 1 to 65535.");
        assertThatThrownBy(() -> TransportUrl.hostsIn("", "")).hasMessage("'' names no host. Write host:port.");
    }

    @Test
    void unknown_parameters_are_refused_with_those_that_exist() {
        assertThatThrownBy(() -> TransportUrl.parse("kafka://h?tsl=true").allowParameters("tls"))
                .hasMessageContaining("tsl")
                .hasMessageContaining("It knows tls");
        assertThatThrownBy(() -> TransportUrl.parse("kafka://h?secert=hidden").allowParameters("tls"))
                .hasMessageContaining("secert")
                .hasMessageNotContaining("hidden");
    }

    @Test
    void an_unknown_scheme_says_which_there_are_and_a_known_one_which_module_it_needs() {
        assertThatThrownBy(() -> Transports.open("carrier-pigeon://coop"))
                .hasMessageContaining("kafka")
                .hasMessageContaining("stdout");
        assertThatThrownBy(() -> Transports.open("kafka://localhost")).hasMessageContaining("io.waybill:waybill-kafka");
    }

    @Test
    void what_is_local_to_an_application_is_not_opened_by_anybody_else() {
        assertThatThrownBy(() -> Transports.open("local:"))
                .isInstanceOf(WaybillException.class)
                .hasMessageContaining("the handlers of the application's own process")
                .hasMessageContaining("stdout:");
    }
}

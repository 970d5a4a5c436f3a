package io.waybill.rabbitmq;

import static io.waybill.testkit.Numbered.ACCEPTED;
import static io.waybill.testkit.Numbered.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.SocketConfigurator;
import io.waybill.WaybillException;
import io.waybill.rabbitmq.connection.RabbitMqOptions;
import io.waybill.testkit.services.host.TcpProxy;
import io.waybill.transport.Deadline;
import io.waybill.transport.Outcome;
import io.waybill.transport.Publisher;
import io.waybill.transport.SubscriptionOptions;
import io.waybill.transport.Transport;
import io.waybill.transport.Transports;
import io.waybill.transport.wire.WireFormat;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A broker that cannot be used is said in one line, in bounded time, without credentials. */
class ConnectingTest {

    private static final RabbitFixture BROKER = RabbitFixture.chosen();
    private static final String SECRET = "s3cret-pa55word";

    @AfterAll
    static void clean() {
        BROKER.close();
    }

    @Test
    void a_wrong_password_is_a_misconfiguration_that_names_the_user_and_not_the_password() {
        String url = "amqp://guest:" + SECRET + "@127.0.0.1:" + BROKER.port();

        assertThat(publishTo(url))
                .isInstanceOfSatisfying(
                        Outcome.Misconfigured.class,
                        outcome -> assertThat(outcome.reason())
                                .contains("127.0.0.1:" + BROKER.port(), "user 'guest'", "password")
                                .doesNotContain(SECRET, "\n"));
        assertRefusedForSubscribing(url, "password is wrong");
    }

    @Test
    void a_virtual_host_that_does_not_exist_is_a_misconfiguration() {
        String url = BROKER.url(BROKER.port(), "").replaceFirst("(:\\d+)/?.*$", "$1/waybill-nowhere");

        assertThat(publishTo(url))
                .isInstanceOfSatisfying(
                        Outcome.Misconfigured.class,
                        outcome -> assertThat(outcome.reason())
                                .contains("waybill-nowhere")
                                .doesNotContain("\n"));
    }

    @Test
    void TLS_to_a_port_without_is_a_misconfiguration_said_at_once() {
        String url = "amqps://guest:" + SECRET + "@127.0.0.1:" + BROKER.port();

        Outcome outcome = assertTimeoutPreemptively(Duration.ofSeconds(20), () -> publishTo(url));

        assertThat(outcome)
                .isInstanceOfSatisfying(
                        Outcome.Misconfigured.class,
                        wrong -> assertThat(wrong.reason())
                                .contains("amqps://guest@127.0.0.1:" + BROKER.port(), "TLS")
                                .doesNotContain(SECRET, "\n"));
        assertRefusedForSubscribing(url, "TLS");
    }

    @Test
    void a_port_for_TLS_without_TLS_is_a_misconfiguration_that_says_so() throws Exception {
        byte[] alert = {21, 3, 1, 0, 2, 2, 70, 0, 0};
        try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var answering = CompletableFuture.runAsync(() -> {
                try (var client = server.accept()) {
                    client.getOutputStream().write(alert);
                    client.getInputStream().readAllBytes();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });

            assertThat(publishTo("amqp://127.0.0.1:" + server.getLocalPort()))
                    .isInstanceOfSatisfying(
                            Outcome.Misconfigured.class,
                            outcome -> assertThat(outcome.reason())
                                    .contains("127.0.0.1:" + server.getLocalPort(), "write amqps"));
            answering.handle((done, failure) -> "whatever became of it").join();
        }
    }

    @Test
    void nobody_at_the_port_is_unavailable() throws Exception {
        int port;
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        String url = "amqp://guest:" + SECRET + "@127.0.0.1:" + port;

        assertThat(publishTo(url))
                .isInstanceOfSatisfying(
                        Outcome.Unavailable.class,
                        outcome -> assertThat(outcome.reason())
                                .contains("127.0.0.1:" + port, "cannot be reached")
                                .doesNotContain(SECRET, "\n"));
        assertRefusedForSubscribing(url, "cannot be reached");
    }

    @Test
    void a_host_that_does_not_exist_is_unavailable() {
        assertThat(publishTo("amqp://nowhere.invalid"))
                .isInstanceOfSatisfying(
                        Outcome.Unavailable.class,
                        outcome -> assertThat(outcome.reason()).contains("nowhere.invalid", "no such host"));
    }

    @Test
    void somebody_who_never_answers_is_unavailable_after_the_connect_timeout() throws Exception {
        try (var silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String url = "amqp://127.0.0.1:" + silent.getLocalPort() + "?connect-timeout=1";

            Outcome outcome = assertTimeoutPreemptively(Duration.ofSeconds(15), () -> publishTo(url));

            assertThat(outcome).isInstanceOf(Outcome.Unavailable.class);
        }
    }

    @Test
    void the_first_host_that_answers_is_used() throws Exception {
        String queue = BROKER.newQueue(Map.of());
        try (var proxy = TcpProxy.to(BROKER.port())) {
            proxy.refuse();
            String url =
                    BROKER.url(BROKER.port(), "").replace("127.0.0.1:", "127.0.0.1:" + proxy.port() + ",127.0.0.1:");

            for (int i = 0; i < 5; i++) {
                assertThat(publishTo(url, queue)).isEqualTo(ACCEPTED);
            }
        }
    }

    @Test
    void a_connection_factory_of_ones_own_is_used_and_left_as_it_is() throws Exception {
        String queue = BROKER.newQueue(Map.of());
        var factory = new ConnectionFactory();
        factory.setUri(BROKER.url(BROKER.port(), ""));
        var sockets = new AtomicInteger();
        SocketConfigurator counting = socket -> sockets.incrementAndGet();
        factory.setSocketConfigurator(counting);

        try (var rabbit = RabbitMq.with(factory, RabbitMqOptions.DEFAULT);
                Publisher publisher = rabbit.publisher("relay-1", WireFormat.PLAIN)) {
            assertThat(publisher.publish(List.of(message(queue, "a", 1)), Deadline.NEVER))
                    .containsExactly(ACCEPTED);
        }
        assertThat(sockets.get()).isEqualTo(1);
        assertThat(factory.isAutomaticRecoveryEnabled()).isTrue();
        assertThat(factory.getSocketConfigurator()).isSameAs(counting);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "amqp://localhost?exchnge=orders",
                "amqp://localhost?in-flight=0",
                "amqp://localhost?confirm-timeout=soon",
                "amqp://localhost?single-active-consumer=yes",
                "amqp://localhost?send-key=yes",
                "amqp://localhost:here",
                "amqp:localhost"
            })
    void a_URL_that_means_nothing_is_refused_by_what_is_wrong_with_it(String url) {
        String wrong = url.replaceAll(".*[?]|=.*", "").replaceAll(".*:here", "A port is a number");

        assertThatThrownBy(() -> Transports.open(url))
                .isInstanceOf(WaybillException.class)
                .hasMessageContaining(wrong);
    }

    private static Outcome publishTo(String url) {
        return publishTo(url, "waybill-nowhere");
    }

    private static Outcome publishTo(String url, String queue) {
        try (Transport transport = Transports.open(url);
                Publisher publisher = transport.publisher("relay-1", WireFormat.PLAIN)) {
            return publisher
                    .publish(List.of(message(queue, "a", 1)), Deadline.NEVER)
                    .get(0);
        }
    }

    private static void assertRefusedForSubscribing(String url, String reason) {
        try (RabbitMq rabbit = RabbitMq.at(url)) {
            assertThatThrownBy(() -> rabbit.subscribe(SubscriptionOptions.to("orders", "billing"), batch -> {}))
                    .isInstanceOf(WaybillException.class)
                    .hasMessageContainingAll("orders", reason)
                    .hasMessageNotContaining(SECRET)
                    .hasMessageNotContaining("\n");
        }
    }
}

package io.waybill.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waybill.message.Envelope;
import io.waybill.testkit.contract.transport.BrokerFixture;
import io.waybill.testkit.contract.transport.RemotePublisherContract;
import io.waybill.transport.Delivery;
import io.waybill.transport.wire.WireMessage;
import java.net.URLDecoder;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** What every publisher promises, against a real HTTP server. */
class WebhooksPublisherTest extends RemotePublisherContract {

    private static HookServer server;

    @BeforeAll
    static void start() {
        server = HookServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private final Fixture fixture = new Fixture();

    @Override
    protected BrokerFixture<Webhooks> fixture() {
        return fixture;
    }

    private static final class Fixture implements BrokerFixture<Webhooks> {

        private static final AtomicInteger made = new AtomicInteger();

        @Override
        public Webhooks open(int port) {
            return Webhooks.builder()
                    .endpoint("**", "http://localhost:" + port + "/hooks/{destination}", Samples.SECRET)
                    .publishTime(Duration.ofMinutes(5))
                    .headers("*")
                    .allowPrivate()
                    .build();
        }

        @Override
        public int port() {
            return server.port();
        }

        @Override
        public String newDestination() {
            String destination = "orders." + made.incrementAndGet();
            server.on(
                    path(destination),
                    exchange -> HookServer.answering(
                                    exchange.getRequestHeaders().containsKey("x-refuse") ? 422 : 204)
                            .handle(exchange));
            return destination;
        }

        @Override
        public List<Delivery> contents(String destination) {
            return server.calls(path(destination)).stream()
                    .filter(call -> call.header("x-refuse").isEmpty())
                    .map(call -> new Delivery(destination, "", "", received(call)))
                    .toList();
        }

        /** As a receiver of CloudEvents does: values of attributes are percent-encoded. */
        private static WireMessage received(HookServer.Call call) {
            var headers = new HashMap<>(call.headers());
            headers.replaceAll((name, value) -> name.startsWith("ce-") ? URLDecoder.decode(value, UTF_8) : value);
            return new WireMessage(headers, call.body());
        }

        @Override
        public String missingDestination() {
            return "nobody.is.here";
        }

        @Override
        public Envelope refusable(Envelope message) {
            return message.withHeader("x-refuse", "please");
        }

        private static String path(String destination) {
            return "/hooks/" + destination;
        }
    }
}

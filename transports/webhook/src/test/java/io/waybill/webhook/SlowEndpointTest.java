package io.waybill.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpHandler;
import io.waybill.Time;
import io.waybill.message.Message;
import io.waybill.observe.RelayListener;
import io.waybill.relay.Relay;
import io.waybill.relay.RelayLoop;
import io.waybill.relay.route.RelayOptions;
import io.waybill.relay.route.Route;
import io.waybill.relay.route.Routes;
import io.waybill.testkit.memory.MemoryStore;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Two endpoints of one transport, and one of them takes its time. */
class SlowEndpointTest {

    private static final int EACH = 200;

    private final MemoryStore store = new MemoryStore(Time.system());

    @Test
    void an_endpoint_that_is_slow_does_not_delay_another() {
        var answer = new CountDownLatch(1);
        try (var server = HookServer.start();
                var webhooks = Webhooks.builder()
                        .endpoint("**", server.url("/{destination}"), Samples.SECRET)
                        .allowPrivate()
                        .build()) {
            server.on("/slow", after(answer));
            server.on("/fast", HookServer.answering(204));
            for (int i = 0; i < EACH; i++) {
                append("slow");
                append("fast");
            }

            try (var loop = RelayLoop.start(relay(webhooks), RelayOptions.DEFAULT)) {
                await().until(() -> server.calls("/fast").size() == EACH);
                append("fast");
                loop.wake();
                await().until(() -> server.calls("/fast").size() == EACH + 1);
                assertThat(server.calls("/slow")).as("the one under way").hasSize(1);

                answer.countDown();
                await().until(() -> server.calls("/slow").size() == EACH);
            }
        }
    }

    private Relay relay(Webhooks webhooks) {
        return new Relay(
                store,
                store.leases(),
                Routes.of(Route.of("**", webhooks)),
                RelayOptions.DEFAULT,
                Time.system(),
                new RelayListener() {});
    }

    private void append(String destination) {
        store.inTransaction(transaction -> store.outbox()
                .append(Message.event("OrderPlaced", "{}").to(destination).inOrderOf("key")));
    }

    private static HttpHandler after(CountDownLatch latch) {
        return exchange -> {
            try {
                latch.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            HookServer.answering(204).handle(exchange);
        };
    }
}

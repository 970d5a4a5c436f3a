package io.waybill.webhook;

import static io.waybill.webhook.HookServer.answering;
import static io.waybill.webhook.Samples.message;
import static io.waybill.webhook.Samples.unordered;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpHandler;
import io.waybill.message.Envelope;
import io.waybill.testkit.ManualClock;
import io.waybill.transport.Deadline;
import io.waybill.transport.Outcome;
import io.waybill.transport.Publisher;
import io.waybill.transport.wire.WireFormat;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How one batch is sent: how much at once, how fast, and until when. */
class RoundTest {

    private final ManualClock clock = ManualClock.now();
    private HookServer server;

    @BeforeEach
    void start() {
        server = HookServer.start();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void as_many_keys_go_at_once_as_the_endpoint_takes_and_no_more() {
        var together = new CyclicBarrier(4);
        var current = new AtomicInteger();
        var most = new AtomicInteger();
        Publisher publisher = open(
                exchange -> {
                    most.accumulateAndGet(current.incrementAndGet(), Math::max);
                    meet(together);
                    current.decrementAndGet();
                    answering(204).handle(exchange);
                },
                builder().concurrency(4));

        assertThat(publisher.publish(unordered("orders", 20), Deadline.NEVER)).containsOnly(new Outcome.Accepted());
        assertThat(most).hasValue(4);
    }

    @Test
    void one_key_goes_one_by_one() {
        var current = new AtomicInteger();
        var most = new AtomicInteger();
        Publisher publisher = open(
                exchange -> {
                    most.accumulateAndGet(current.incrementAndGet(), Math::max);
                    current.decrementAndGet();
                    answering(204).handle(exchange);
                },
                builder());
        List<Envelope> batch = Collections.nCopies(50, "order-1").stream()
                .map(key -> message("orders", key))
                .toList();

        assertThat(publisher.publish(batch, Deadline.NEVER)).containsOnly(new Outcome.Accepted());

        assertThat(most).hasValue(1);
        assertThat(server.calls())
                .extracting(call -> call.header("webhook-id"))
                .containsExactlyElementsOf(
                        batch.stream().map(sent -> sent.id().toString()).toList());
    }

    @Test
    void what_exceeds_the_rate_goes_with_a_later_batch() {
        Publisher publisher = open(answering(204), builder().rate(5).time(clock.time()));
        List<Envelope> batch = unordered("orders", 20);

        assertThat(accepted(publisher.publish(batch, Deadline.NEVER))).isEqualTo(5);
        assertThat(publisher.publish(batch.subList(5, 20), Deadline.NEVER)).containsOnly(new Outcome.NotAttempted());
        clock.advance(Duration.ofMillis(400));
        assertThat(accepted(publisher.publish(batch.subList(5, 20), Deadline.NEVER)))
                .isEqualTo(2);
        clock.advance(Duration.ofHours(1));
        assertThat(accepted(publisher.publish(batch.subList(7, 20), Deadline.NEVER)))
                .isEqualTo(5);
        assertThat(server.calls()).hasSize(12);
    }

    @Test
    void a_batch_that_could_send_nothing_for_the_rate_waits_until_it_can() {
        Publisher publisher = open(answering(204), builder().rate(20));

        int sent = 0;
        while (sent < 25) {
            int accepted = accepted(publisher.publish(unordered("orders", 25 - sent), Deadline.NEVER));
            assertThat(accepted).isPositive();
            sent += accepted;
        }
    }

    @Test
    void the_deadline_is_asked_before_every_request() {
        Publisher publisher = open(answering(204), builder().concurrency(1));
        var asked = new AtomicInteger();

        List<Outcome> outcomes =
                publisher.publish(unordered("orders", 5), Deadline.when(() -> asked.incrementAndGet() > 2));

        assertThat(accepted(outcomes)).isEqualTo(2);
        assertThat(outcomes.subList(2, 5)).containsOnly(new Outcome.NotAttempted());
        assertThat(server.calls()).hasSize(2);
    }

    @Test
    void a_slow_endpoint_does_not_keep_the_relay_for_longer_than_the_publish_time() {
        Publisher publisher = open(
                exchange -> {
                    clock.advance(Duration.ofSeconds(11));
                    answering(204).handle(exchange);
                },
                builder().concurrency(1).time(clock.time()));

        assertThat(accepted(publisher.publish(unordered("orders", 5), Deadline.NEVER)))
                .isEqualTo(1);
    }

    @Test
    void a_message_that_cannot_be_written_is_refused_and_the_others_go_on() {
        Webhooks webhooks = builder()
                .endpoint("**", server.on("/hook", answering(204)), Samples.SECRET)
                .build();
        Envelope broken = message("orders", "1", Map.of("content-type", "nonsense"));

        assertThat(webhooks.publisher("relay", WireFormat.CLOUDEVENTS_STRUCTURED)
                        .publish(List.of(broken, message("orders", "1"), message("orders", "2")), Deadline.NEVER))
                .satisfiesExactly(
                        refused -> assertThat(refused).isInstanceOf(Outcome.Refused.class),
                        behind -> assertThat(behind).isEqualTo(new Outcome.NotAttempted()),
                        other -> assertThat(other).isEqualTo(new Outcome.Accepted()));
    }

    @Test
    void an_interrupted_publish_returns_at_once_and_stays_interrupted() {
        Thread publishing = Thread.currentThread();
        var testIsOver = new CountDownLatch(1);
        Publisher publisher = open(
                exchange -> {
                    publishing.interrupt();
                    awaitEnd(testIsOver);
                },
                builder());

        List<Outcome> outcomes =
                publisher.publish(List.of(message("orders", "1"), message("orders", "1")), Deadline.NEVER);

        assertThat(Thread.interrupted()).isTrue();
        assertThat(outcomes.get(0)).isInstanceOf(Outcome.Unavailable.class);
        assertThat(outcomes.get(1)).isEqualTo(new Outcome.NotAttempted());
        testIsOver.countDown();
    }

    private Publisher open(HttpHandler handler, Webhooks.Builder builder) {
        return builder.endpoint("**", server.on("/hook", handler), Samples.SECRET)
                .build()
                .publisher("relay", WireFormat.PLAIN);
    }

    private static Webhooks.Builder builder() {
        return Webhooks.builder().allowPrivate();
    }

    private static int accepted(List<Outcome> outcomes) {
        return (int) outcomes.stream()
                .filter(outcome -> outcome instanceof Outcome.Accepted)
                .count();
    }

    private static void meet(CyclicBarrier barrier) {
        try {
            barrier.await(10, TimeUnit.SECONDS);
        } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void awaitEnd(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

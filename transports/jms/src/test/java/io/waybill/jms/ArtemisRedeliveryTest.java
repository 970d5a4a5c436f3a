package io.waybill.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.message.Envelope;
import io.waybill.transport.SubscriptionOptions;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A queue of which Artemis delivers what came back after a delay, at most three times, and then to a dead-letter address. */
class ArtemisRedeliveryTest extends ArtemisScenario {

    private final String queue = broker.newQueue(TestBroker.DELAYED);

    @Test
    void an_outage_uses_up_no_deliveries_and_keeps_the_order() {
        publish(20);
        var calls = new AtomicInteger();
        try (var subscription =
                jms.subscribe(SubscriptionOptions.to(queue, "billing").batchSize(5), batch -> {
                    if (calls.incrementAndGet() <= 5) {
                        throw new IllegalStateException("the database is away");
                    }
                    received.addAll(batch);
                })) {
            await().atMost(PATIENCE).until(() -> received.size() >= 20);
        }
        assertThat(received).extracting(ArtemisScenario::number).isSorted().hasSize(20);
        assertThat(numbers(TestBroker.DEAD)).isEmpty();
    }

    private void publish(int count) {
        publish(
                jms,
                IntStream.range(0, count)
                        .mapToObj(i -> message(queue, "key", i))
                        .toArray(Envelope[]::new));
    }
}

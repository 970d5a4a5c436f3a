package io.waybill.transport;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SubscriptionTest {

    @Test
    void all_are_closed_at_the_same_time() {
        var together = new CyclicBarrier(100);
        List<Subscription> subscriptions = Stream.generate(() -> closing(() -> together.await(60, SECONDS)))
                .limit(100)
                .toList();

        assertThat(Subscription.closeAll(subscriptions, Duration.ofSeconds(60))).isEqualTo(100);
    }

    @Test
    void one_that_does_not_end_is_not_waited_for_beyond_the_timeout() {
        var end = new CountDownLatch(1);
        List<Subscription> subscriptions = List.of(closing(() -> end.await(60, SECONDS)), closing(() -> true));

        assertThat(Subscription.closeAll(subscriptions, Duration.ofMillis(200))).isEqualTo(1);
        end.countDown();
    }

    private static Subscription closing(Closing closing) {
        return new Subscription() {
            @Override
            public void close() {
                try {
                    Object unused = closing.close();
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            }

            @Override
            public Optional<String> problem() {
                return Optional.empty();
            }
        };
    }

    private interface Closing {
        Object close() throws Exception;
    }
}

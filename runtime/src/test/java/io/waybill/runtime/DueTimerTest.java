package io.waybill.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class DueTimerTest {

    @Test
    void an_error_in_one_round_does_not_keep_others_from_their_time() {
        var rounds = new AtomicInteger();
        try (var dueTimer = DueTimer.start(() -> {
            if (rounds.incrementAndGet() == 1) {
                throw new StackOverflowError("a definition that calls itself");
            }
        })) {
            await().until(() -> rounds.get() > 1);

            assertThat(dueTimer.isAlive()).isTrue();
        }
    }
}

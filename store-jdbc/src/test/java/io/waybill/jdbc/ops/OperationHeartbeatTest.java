package io.waybill.jdbc.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class OperationHeartbeatTest {

    @Test
    void a_database_that_does_not_answer_holds_up_no_other() {
        var answer = new CountDownLatch(1);
        var hanging = new AtomicInteger();
        var others = new AtomicInteger();
        try (var slow = OperationHeartbeat.start(soFar -> {
                    hanging.incrementAndGet();
                    waitFor(answer);
                });
                var fine = OperationHeartbeat.start(soFar -> others.incrementAndGet())) {
            assertThat(slow).isNotSameAs(fine);
            await().until(() -> hanging.get() == 1);
            int before = others.get();

            await().until(() -> others.get() >= before + 2);

            assertThat(hanging).as("one write at a time").hasValue(1);
        } finally {
            answer.countDown();
        }
    }

    @Test
    void whatever_a_write_throws_the_beats_go_on() {
        var beats = new AtomicInteger();
        try (var heartbeat = OperationHeartbeat.start(soFar -> {
            if (beats.incrementAndGet() == 1) {
                throw new IllegalStateException("The pool is closed");
            }
            throw new AssertionError("and this is no exception");
        })) {
            await().until(() -> beats.get() >= 3);
            assertThat(heartbeat).isNotNull();
        }
    }

    private static void waitFor(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}

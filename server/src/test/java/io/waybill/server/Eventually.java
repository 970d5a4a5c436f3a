package io.waybill.server;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.core.ThrowingRunnable;

/** Waits for what takes a moment. */
public final class Eventually {

    private Eventually() {}

    public static void is(ThrowingRunnable assertion) {
        within(Duration.ofSeconds(20), assertion);
    }

    public static void within(Duration most, ThrowingRunnable assertion) {
        Awaitility.await().atMost(most).pollInterval(Duration.ofMillis(20)).untilAsserted(assertion);
    }
}

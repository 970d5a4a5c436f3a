package io.waybill.console.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.console.request.ConsoleRequest;
import io.waybill.console.request.ConsoleResponse;
import io.waybill.console.request.Role;
import io.waybill.testkit.ManualClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** How much is kept, and how long a page may have to wait. */
class LiveCacheTest {

    private final ManualClock clock = ManualClock.now();
    private final LiveCache cache = new LiveCache(clock);
    private int reads;

    @Test
    void what_is_kept_has_bounds_in_bytes_and_the_latest_stays() {
        ConsoleResponse large = ConsoleResponse.json(200, "x".repeat(3 * 1024 * 1024));
        for (int page = 0; page < 20; page++) {
            live("/page-" + page, 1, large);
        }
        assertThat(reads).isEqualTo(20);

        live("/page-19", 1, large);
        assertThat(reads).as("the latest is kept").isEqualTo(20);
        live("/page-0", 1, large);
        assertThat(reads).as("the oldest is not").isEqualTo(21);

        ConsoleResponse tooLarge = ConsoleResponse.json(200, "x".repeat(5 * 1024 * 1024));
        live("/too-large", 1, tooLarge);
        live("/too-large", 1, tooLarge);
        assertThat(reads).as("this one takes the room of no other").isEqualTo(23);
        live("/page-19", 1, large);
        assertThat(reads).isEqualTo(23);
    }

    @Test
    void pages_are_spaced_by_what_they_cost_within_a_bound() {
        for (int page = 0; page < 20; page++) {
            live("/page-" + page, 3, ConsoleResponse.json(200, "{}"));
        }
        assertThat(cache.interval("shop", clock.instant())).isBetween(Duration.ofSeconds(29), Duration.ofSeconds(30));

        for (int page = 0; page < 1_000; page++) {
            live("/other-" + page, 3, ConsoleResponse.json(200, "{}"));
        }
        assertThat(cache.interval("shop", clock.instant())).isEqualTo(Duration.ofMinutes(2));
        assertThat(cache.interval("billing", clock.instant())).isEqualTo(Duration.ofSeconds(2));
    }

    private void live(String path, int cost, ConsoleResponse response) {
        clock.advance(Duration.ofMillis(10));
        cache.live("shop", ConsoleRequest.of("GET", path), Role.VIEWER, cost, () -> {
            reads++;
            return response;
        });
    }
}

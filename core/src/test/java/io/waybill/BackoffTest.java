package io.waybill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BackoffTest {

    private final Backoff exact = Backoff.exact(Duration.ofMillis(100), Duration.ofSeconds(1));

    @Test
    void it_doubles_up_to_its_cap() {
        assertThat(IntStream.range(0, 6).mapToObj(exact::delay).map(Duration::toMillis))
                .containsExactly(100L, 200L, 400L, 800L, 1_000L, 1_000L);
        assertThat(exact.delay(Integer.MAX_VALUE)).hasSeconds(1);
    }

    @Test
    void it_doubles_far_beyond_a_day_and_stays_exact_below_a_millisecond() {
        var years = Backoff.exact(Duration.ofDays(365), Duration.ofDays(365_000));
        assertThat(years.delay(3)).hasDays(8 * 365);
        assertThat(years.delay(1_000)).hasDays(365_000);
        assertThat(Backoff.exact(Duration.ofNanos(10), Duration.ofNanos(30)).delay(1))
                .hasNanos(20);
        assertThat(Backoff.exact(Duration.ZERO, Duration.ZERO).delay(1_000_000)).isZero();
    }

    @Test
    void jitter_only_shortens() {
        var jittered = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(60), 0.5);
        assertThat(IntStream.range(0, 1_000).mapToObj(i -> jittered.delay(2)))
                .allSatisfy(delay -> assertThat(delay).isBetween(Duration.ofSeconds(2), Duration.ofSeconds(4)));
    }

    @Test
    void nonsense_is_refused() {
        assertThatThrownBy(() -> new Backoff(Duration.ofSeconds(2), Duration.ofSeconds(1), 0))
                .isInstanceOf(WaybillException.class)
                .hasMessageContaining("cap (PT1S)");
        assertThatThrownBy(() -> new Backoff(Duration.ZERO, Duration.ZERO, 1.1))
                .isInstanceOf(WaybillException.class)
                .hasMessageContaining("jitter (1.1)");
    }
}

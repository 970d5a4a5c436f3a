package io.waybill.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.relay.route.RelayOptions;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Each advice has the rule, the value and what to do; the guide's own sizes get none. */
final class TuningCheckTest {

    private static final RelayOptions GUIDE =
            RelayOptions.DEFAULT.withSweepInterval(Duration.ofSeconds(1)).withBatchSize(100);

    @Test
    void the_sizes_of_the_guide_and_the_defaults_get_no_advice() {
        assertThat(TuningCheck.of(GUIDE)).isEmpty();
        assertThat(TuningCheck.of(RelayOptions.DEFAULT)).isEmpty();
        assertThat(TuningCheck.ofPool(50, 16)).isEmpty();
        assertThat(TuningCheck.ofPool(8, 4)).isEmpty();
    }

    @Test
    void intervals_and_batches_outside_of_the_rules_are_named_with_the_rule_and_the_value() {
        assertThat(TuningCheck.of(GUIDE.withSweepInterval(Duration.ofMillis(10)).withBatchSize(5)))
                .satisfiesExactly(
                        sweep -> assertThat(sweep)
                                .startsWith("outbox.sweep-interval is 10 ms. Rule: 100 ms to one minute.")
                                .endsWith("use 1s."),
                        batch -> assertThat(batch)
                                .startsWith("outbox.batch-size is 5. Rule: 10 to 10000.")
                                .endsWith("use 100 or more."));
        assertThat(TuningCheck.of(GUIDE.withSweepInterval(Duration.ofMinutes(2)).withBatchSize(20_000)))
                .hasSize(2);
    }

    @Test
    void a_pool_of_less_than_two_connections_for_each_core_is_named() {
        assertThat(TuningCheck.ofPool(10, 8).orElseThrow())
                .contains("10 connections", "8 cores", "two connections for each core", "maximum-pool-size to 16");
    }

    @Test
    void half_of_the_pool_is_right_for_handlers_and_for_the_consumers_of_a_queue() {
        assertThat(new PoolUse(1, 4, 25, 17).isTightIn(50)).isFalse();
        assertThat(new PoolUse(1, 4, 26, 1).isTightIn(50)).isTrue();
        assertThat(new PoolUse(1, 25, 0, 0).isTightIn(50)).isFalse();
        assertThat(new PoolUse(1, 26, 0, 0).isTightIn(50)).isTrue();
        assertThat(new PoolUse(2, 13, 0, 0).pool()).isEqualTo(52);
    }
}

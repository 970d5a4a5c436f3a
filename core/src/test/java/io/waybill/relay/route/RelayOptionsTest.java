package io.waybill.relay.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.WaybillException;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class RelayOptionsTest {

    private final RelayOptions options = RelayOptions.DEFAULT;

    @Test
    void each_setting_changes_itself_alone() {
        assertThat(options.withBatchBytes(7).batchBytes()).isEqualTo(7);
        assertThat(options.withBatchBytes(7).withBatchBytes(options.batchBytes()))
                .isEqualTo(options);
        assertThat(options.withBatchSize(7).batchSize()).isEqualTo(7);
        assertThat(options.withBatchSize(7).withBatchSize(options.batchSize())).isEqualTo(options);
    }

    @Test
    void nonsense_is_refused_by_the_name_of_the_setting_and_its_value() {
        refused(() -> options.withBatchBytes(0), "batch-bytes (0) must be at least 1", "goes alone");
        refused(() -> options.withBatchSize(-1), "batch-size (-1) must be at least 1");
        refused(() -> options.withLeaseTime(Duration.ZERO), "lease-time (PT0S)");
        refused(() -> options.withClaimTimeout(Duration.ZERO), "claim-timeout (PT0S)");
        refused(() -> options.withCloseTimeout(Duration.ZERO), "close-timeout (PT0S)");
        refused(() -> options.withSweepInterval(Duration.ofSeconds(-1)), "sweep-interval (PT-1S)");
    }

    private static void refused(ThrowingCallable call, String... words) {
        assertThatThrownBy(call).isInstanceOf(WaybillException.class).hasMessageContainingAll(words);
    }
}

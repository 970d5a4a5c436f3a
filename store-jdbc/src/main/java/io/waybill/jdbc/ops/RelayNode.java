package io.waybill.jdbc.ops;

import io.waybill.store.outbox.RelayActivity;
import java.time.Duration;
import java.time.Instant;

/**
 * A relay as the others see it.
 *
 * @param shards how many it owns; of an adopted table each destination has one
 * @param serves which destinations, as it has written it
 * @param activity what it had published when it was heard of last
 * @param renewedAt when it was heard of last
 * @param silence how long ago that is
 * @param left how long it counts as alive if it is not heard of again; negative when it was not
 */
public record RelayNode(
        String relay,
        String pool,
        Instant startedAt,
        int shards,
        String serves,
        RelayActivity activity,
        Instant renewedAt,
        Duration silence,
        Duration left) {

    public boolean isAlive() {
        return !left.isNegative();
    }

    /** Whether it should have been heard of since: relays renew more than three times in the time of a lease. */
    public boolean isOverdue() {
        return silence.compareTo(left) > 0;
    }
}

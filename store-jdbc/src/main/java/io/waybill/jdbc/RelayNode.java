package io.waybill.jdbc;

import java.time.Duration;
import java.time.Instant;

/**
 * A relay as the others see it.
 *
 * @param shards how many it owns; of an adopted table each destination has one
 * @param left how long it counts as alive if it is not heard of again; negative when it was not
 */
public record RelayNode(String relay, String pool, Instant startedAt, int shards, Duration left) {

    public boolean isAlive() {
        return !left.isNegative();
    }
}

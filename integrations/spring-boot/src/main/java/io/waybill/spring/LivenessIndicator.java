package io.waybill.spring;

import io.waybill.runtime.Waybill;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/** Down when a relay has ended by itself or hangs: only a restart helps. A database that is away is no reason. */
final class LivenessIndicator implements HealthIndicator {

    private final Waybill waybill;
    private final WaybillLifecycle lifecycle;

    LivenessIndicator(Waybill waybill, WaybillLifecycle lifecycle) {
        this.waybill = waybill;
        this.lifecycle = lifecycle;
    }

    @Override
    public Health health() {
        return (waybill.isAlive() ? Health.up() : Health.down())
                .withDetail("started", lifecycle.isRunning())
                .build();
    }
}

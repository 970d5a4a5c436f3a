package io.waybill.spring;

import io.waybill.WaybillException;
import io.waybill.jdbc.SchemaStatus;
import io.waybill.plain.Waybill;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/** Up when the database answers and has the tables. */
final class ReadinessIndicator implements HealthIndicator {

    private final Waybill waybill;

    ReadinessIndicator(Waybill waybill) {
        this.waybill = waybill;
    }

    @Override
    public Health health() {
        try {
            SchemaStatus schema = waybill.store().schemaStatus();
            return (schema.isCurrent() ? Health.up() : Health.down())
                    .withDetail("database", waybill.store().dialect().name())
                    .withDetail("schema", schema.isCurrent() ? "current" : schema.problems())
                    .build();
        } catch (WaybillException e) {
            return Health.down(e).build();
        }
    }
}

package io.waybill.spring;

import io.waybill.WaybillException;
import io.waybill.jdbc.schema.SchemaStatus;
import io.waybill.runtime.Backlog;
import io.waybill.runtime.Waybill;
import java.util.Map;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/** Up while the database answers and has the tables; what waits in the outbox is shown, and is no reason to be down. */
final class ReadinessIndicator implements HealthIndicator {

    private static final String UP = "UP";
    private static final String DOWN = "DOWN";

    private final Waybill waybill;

    ReadinessIndicator(Waybill waybill) {
        this.waybill = waybill;
    }

    @Override
    public Health health() {
        try {
            SchemaStatus schema = waybill.store().schemaStatus();
            return schema.isCurrent() ? ready() : missing(schema);
        } catch (WaybillException e) {
            return Health.down(e)
                    .withDetail("database", DOWN)
                    .withDetail("outbox", "UNKNOWN")
                    .withDetail("receiving", receiving())
                    .build();
        }
    }

    private Health ready() {
        Backlog backlog = waybill.backlog();
        return Health.up()
                .withDetail("database", UP)
                .withDetail("outbox", UP)
                .withDetail("relays", backlog.relays())
                .withDetail("pending", backlog.pending())
                .withDetail("waiting", backlog.waiting())
                .withDetail("failed", backlog.failed())
                .withDetail("receiving", receiving())
                .withDetail("waits", backlog.unusual())
                .build();
    }

    /** Receiving that is paused is shown, and is no reason to be down: a restart would not help. */
    private Object receiving() {
        Map<String, String> problems = waybill.subscriptionProblems();
        return problems.isEmpty() ? UP : problems;
    }

    private static Health missing(SchemaStatus schema) {
        return Health.down()
                .withDetail("database", UP)
                .withDetail("outbox", DOWN)
                .withDetail("schema", schema.problems())
                .build();
    }
}

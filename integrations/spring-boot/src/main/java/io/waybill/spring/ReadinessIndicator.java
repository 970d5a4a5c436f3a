package io.waybill.spring;

import io.waybill.WaybillException;
import io.waybill.jdbc.schema.SchemaStatus;
import io.waybill.observe.WaitingItem;
import io.waybill.runtime.Waybill;
import io.waybill.store.admin.DestinationStats;
import java.util.List;
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
        DestinationStats waiting = DestinationStats.sum(waybill.store().admin().stats());
        return Health.up()
                .withDetail("database", UP)
                .withDetail("outbox", UP)
                .withDetail("pending", waiting.pending())
                .withDetail("waiting", waiting.waiting())
                .withDetail("failed", waiting.failed())
                .withDetail("receiving", receiving())
                .withDetail("waits", waits())
                .build();
    }

    /** What waits unusually, since when and what ends it. */
    private List<String> waits() {
        return waybill.waiting().stream()
                .filter(WaitingItem::unusual)
                .map(WaitingItem::text)
                .toList();
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

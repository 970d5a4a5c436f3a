package io.waybill.micronaut.health;

import io.micronaut.context.annotation.Requires;
import io.micronaut.health.HealthStatus;
import io.micronaut.management.endpoint.health.HealthEndpoint;
import io.micronaut.management.health.indicator.AbstractHealthIndicator;
import io.micronaut.management.health.indicator.annotation.Readiness;
import io.waybill.jdbc.schema.SchemaStatus;
import io.waybill.micronaut.MicronautInstance;
import io.waybill.micronaut.MicronautInstances;
import io.waybill.micronaut.WaybillBeans;
import io.waybill.runtime.Backlog;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;

/** UP while the database answers and has the tables; what waits in the outbox is shown, and is no reason to be DOWN. */
@Singleton
@Readiness
@Requires(classes = HealthEndpoint.class)
@Requires(beans = WaybillBeans.class)
public final class WaybillReadiness extends AbstractHealthIndicator<Map<String, Object>> {

    private static final int SECONDS = 5;
    private static final String UP = "UP";
    private static final String DOWN = "DOWN";

    private final MicronautInstances instances;

    WaybillReadiness(MicronautInstances instances) {
        this.instances = instances;
    }

    @Override
    protected String getName() {
        return "waybill";
    }

    @Override
    public Map<String, Object> getHealthInformation() {
        var looks = new LinkedHashMap<String, Map<String, Object>>();
        instances.all().forEach(instance -> looks.put(instance.name(), look(instance)));
        boolean up = looks.values().stream().allMatch(look -> UP.equals(look.get("outbox")));
        healthStatus = up ? HealthStatus.UP : HealthStatus.DOWN;
        return looks.size() == 1 ? looks.values().iterator().next() : new LinkedHashMap<>(looks);
    }

    private static Map<String, Object> look(MicronautInstance instance) {
        if (!answers(instance)) {
            return Map.of("database", DOWN, "outbox", "UNKNOWN", "receiving", receiving(instance));
        }
        SchemaStatus schema = instance.waybill().store().schemaStatus();
        if (!schema.isCurrent()) {
            return Map.of("database", UP, "outbox", DOWN, "schema", schema.problems());
        }
        Backlog backlog = instance.waybill().backlog();
        return Map.of(
                "database", UP,
                "outbox", UP,
                "relays", backlog.relays(),
                "pending", backlog.pending(),
                "waiting", backlog.waiting(),
                "failed", backlog.failed(),
                "receiving", receiving(instance),
                "waits", backlog.unusual());
    }

    /** Receiving that is paused is shown, and is no reason to be DOWN: a restart would not help. */
    private static Object receiving(MicronautInstance instance) {
        Map<String, String> problems = instance.waybill().subscriptionProblems();
        return problems.isEmpty() ? UP : problems;
    }

    private static boolean answers(MicronautInstance instance) {
        try (Connection connection = instance.database().dataSource().getConnection()) {
            return connection.isValid(SECONDS);
        } catch (SQLException e) {
            return false;
        }
    }
}

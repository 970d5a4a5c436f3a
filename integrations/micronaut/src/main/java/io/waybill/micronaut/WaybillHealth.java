package io.waybill.micronaut;

import io.micronaut.context.annotation.Requires;
import io.micronaut.health.HealthStatus;
import io.micronaut.management.endpoint.health.HealthEndpoint;
import io.micronaut.management.health.indicator.AbstractHealthIndicator;
import io.micronaut.management.health.indicator.annotation.Readiness;
import io.waybill.plain.Waybill;
import io.waybill.store.DestinationStats;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/** UP while the database answers and the outbox can be read; what waits there is shown, and is no reason to be DOWN. */
@Singleton
@Readiness
@Requires(classes = HealthEndpoint.class)
@Requires(beans = WaybillFactory.class)
final class WaybillHealth extends AbstractHealthIndicator<Map<String, Object>> {

    private static final int SECONDS = 5;

    private final ChosenDatabase database;
    private final Waybill waybill;

    WaybillHealth(ChosenDatabase database, Waybill waybill) {
        this.database = database;
        this.waybill = waybill;
    }

    @Override
    protected String getName() {
        return "waybill";
    }

    @Override
    protected Map<String, Object> getHealthInformation() {
        healthStatus = HealthStatus.DOWN;
        if (!databaseAnswers()) {
            return Map.of("database", "DOWN", "outbox", "UNKNOWN");
        }
        List<DestinationStats> waiting = waybill.store().admin().stats();
        healthStatus = HealthStatus.UP;
        return Map.of(
                "database", "UP",
                "outbox", "UP",
                "pending", sum(waiting, DestinationStats::pending),
                "waiting", sum(waiting, DestinationStats::waiting),
                "failed", sum(waiting, DestinationStats::failed));
    }

    private boolean databaseAnswers() {
        try (Connection connection = database.dataSource().getConnection()) {
            return connection.isValid(SECONDS);
        } catch (SQLException e) {
            return false;
        }
    }

    private static long sum(List<DestinationStats> stats, ToLongFunction<DestinationStats> count) {
        return stats.stream().mapToLong(count).sum();
    }
}

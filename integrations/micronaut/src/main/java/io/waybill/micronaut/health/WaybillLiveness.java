package io.waybill.micronaut.health;

import io.micronaut.context.annotation.Requires;
import io.micronaut.health.HealthStatus;
import io.micronaut.management.endpoint.health.HealthEndpoint;
import io.micronaut.management.health.indicator.AbstractHealthIndicator;
import io.micronaut.management.health.indicator.annotation.Liveness;
import io.waybill.micronaut.MicronautInstances;
import io.waybill.micronaut.WaybillBeans;
import jakarta.inject.Singleton;
import java.util.LinkedHashMap;
import java.util.Map;

/** DOWN when a relay has ended by itself or hangs: only a restart helps. A database that is away is no reason. */
@Singleton
@Liveness
@Requires(classes = HealthEndpoint.class)
@Requires(beans = WaybillBeans.class)
public final class WaybillLiveness extends AbstractHealthIndicator<Map<String, Object>> {

    private final MicronautInstances instances;

    WaybillLiveness(MicronautInstances instances) {
        this.instances = instances;
    }

    @Override
    protected String getName() {
        return "waybill-relays";
    }

    @Override
    public Map<String, Object> getHealthInformation() {
        var details = new LinkedHashMap<String, Object>();
        instances
                .all()
                .forEach(instance ->
                        details.put(instance.name(), instance.waybill().isAlive() ? "UP" : "DOWN"));
        healthStatus = details.containsValue("DOWN") ? HealthStatus.DOWN : HealthStatus.UP;
        return details;
    }
}

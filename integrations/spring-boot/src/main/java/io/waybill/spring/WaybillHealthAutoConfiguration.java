package io.waybill.spring;

import io.waybill.runtime.Waybill;
import java.util.LinkedHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/** What Actuator shows of Waybill: {@code waybillReadiness}, the database and its tables, and {@code waybillLiveness}, the relays. */
@AutoConfiguration(after = WaybillAutoConfiguration.class)
@ConditionalOnClass(HealthIndicator.class)
@ConditionalOnBean(value = WaybillLifecycle.class, search = SearchStrategy.CURRENT)
@ConditionalOnEnabledHealthIndicator("waybill")
public class WaybillHealthAutoConfiguration {

    @Bean
    HealthContributor waybillReadinessHealthIndicator(Waybill waybill, ObjectProvider<SpringInstances> instances) {
        return of(waybill, instances.getIfAvailable(), ReadinessIndicator::new);
    }

    @Bean
    HealthContributor waybillLivenessHealthIndicator(
            Waybill waybill, ObjectProvider<SpringInstances> instances, WaybillLifecycle lifecycle) {
        return of(waybill, instances.getIfAvailable(), each -> new LivenessIndicator(each, lifecycle));
    }

    /** With several data sources each is a component of its own. */
    private static HealthContributor of(
            Waybill waybill, @Nullable SpringInstances instances, Function<Waybill, HealthIndicator> indicator) {
        if (instances == null || instances.all().size() == 1) {
            return indicator.apply(waybill);
        }
        var each = new LinkedHashMap<String, HealthIndicator>();
        instances.all().forEach(instance -> each.put(instance.name(), indicator.apply(instance.waybill())));
        return CompositeHealthContributor.fromMap(each);
    }
}

package io.waybill.spring;

import io.waybill.plain.Waybill;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/** What Actuator shows of Waybill: {@code waybillReadiness}, the database and its tables, and {@code waybillLiveness}, the relays. */
@AutoConfiguration(after = WaybillAutoConfiguration.class)
@ConditionalOnClass(HealthIndicator.class)
@ConditionalOnBean(value = WaybillLifecycle.class, search = SearchStrategy.CURRENT)
@ConditionalOnEnabledHealthIndicator("waybill")
public class WaybillHealthAutoConfiguration {

    @Bean
    HealthIndicator waybillReadinessHealthIndicator(Waybill waybill) {
        return new ReadinessIndicator(waybill);
    }

    @Bean
    HealthIndicator waybillLivenessHealthIndicator(Waybill waybill, WaybillLifecycle lifecycle) {
        return new LivenessIndicator(waybill, lifecycle);
    }
}

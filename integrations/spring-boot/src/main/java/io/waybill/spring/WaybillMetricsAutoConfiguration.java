package io.waybill.spring;

import io.micrometer.core.instrument.binder.MeterBinder;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.context.annotation.Bean;

/** Meters where there is Micrometer: what waits, what has failed, and what becomes of messages, commands and processes. */
@AutoConfiguration(after = WaybillAutoConfiguration.class)
@ConditionalOnClass(MeterBinder.class)
@ConditionalOnBean(value = WaybillLifecycle.class, search = SearchStrategy.CURRENT)
public class WaybillMetricsAutoConfiguration {

    @Bean
    static SpringMeters waybillMeters() {
        return new SpringMeters();
    }
}

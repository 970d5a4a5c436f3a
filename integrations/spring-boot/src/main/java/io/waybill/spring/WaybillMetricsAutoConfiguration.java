package io.waybill.spring;

import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.waybill.ops.FailedMessages;
import io.waybill.ops.OutboxOperations;
import io.waybill.plain.Waybill;
import io.waybill.telemetry.WaybillMeters;
import java.time.Clock;
import org.springframework.beans.factory.SmartInitializingSingleton;
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
    static WaybillMeters waybillMeters() {
        return new WaybillMeters(Clock.systemUTC(), Tags.empty());
    }

    /** The meters listen from the beginning, and count once a registry is there. */
    @Bean
    static WaybillCustomizer waybillMetersListen(WaybillMeters meters) {
        return builder -> builder.listener(meters).inboxListener(meters).processListener(meters);
    }

    @Bean
    static SmartInitializingSingleton waybillMetersWatch(
            WaybillMeters meters, Waybill waybill, FailedMessages failedMessages) {
        return () -> {
            meters.watch(new OutboxOperations(waybill.store().admin()), failedMessages);
            meters.watchStuck(() -> waybill.processManager().lastStuck().size());
        };
    }
}

package io.waybill.spring;

import io.micrometer.core.instrument.binder.MeterBinder;
import io.waybill.ops.FailedMessages;
import io.waybill.ops.OutboxOperations;
import io.waybill.plain.Waybill;
import java.time.Clock;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/** What waits in the outbox and what has failed, as meters. */
@AutoConfiguration(after = WaybillAutoConfiguration.class)
@ConditionalOnClass(MeterBinder.class)
@ConditionalOnBean(Waybill.class)
public class WaybillMetricsAutoConfiguration {

    @Bean
    MeterBinder waybillMeters(Waybill waybill, FailedMessages failed) {
        return new Meters(new OutboxOperations(waybill.store().admin()), failed, Clock.systemUTC());
    }
}

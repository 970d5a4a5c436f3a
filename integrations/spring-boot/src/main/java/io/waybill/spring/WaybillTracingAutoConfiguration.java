package io.waybill.spring;

import io.opentelemetry.api.OpenTelemetry;
import io.waybill.telemetry.OpenTelemetryListener;
import java.util.Optional;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.context.annotation.Bean;

/** Traces where there is OpenTelemetry: a bean, which Micrometer Tracing's bridge has too, or the Java agent. */
@AutoConfiguration(after = WaybillAutoConfiguration.class)
@ConditionalOnClass({OpenTelemetry.class, OpenTelemetryListener.class})
@ConditionalOnBean(value = WaybillLifecycle.class, search = SearchStrategy.CURRENT)
public class WaybillTracingAutoConfiguration {

    @Bean
    static SpringObserver waybillTracing(ObjectProvider<OpenTelemetry> telemetry) {
        return (dataSource, only, builder) -> Optional.ofNullable(telemetry.getIfUnique())
                .map(OpenTelemetryListener::of)
                .or(OpenTelemetryListener::ofAgent)
                .ifPresent(tracing ->
                        builder.outboxListener(tracing).listener(tracing).inboxListener(tracing));
    }
}

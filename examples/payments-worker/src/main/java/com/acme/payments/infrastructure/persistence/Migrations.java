package com.acme.payments.infrastructure.persistence;

import io.micronaut.context.annotation.Value;
import io.micronaut.context.event.BeanCreatedEvent;
import io.micronaut.context.event.BeanCreatedEventListener;
import io.micronaut.core.annotation.Order;
import io.micronaut.core.order.Ordered;
import jakarta.inject.Singleton;
import java.util.Map;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.configuration.FluentConfiguration;

/**
 * Brings the tables up to date before anybody gets the data source: those of Waybill, which have a history of their own, and those of
 * the domain. An orchestrator has no accounts.
 */
@Singleton
@Order(Ordered.HIGHEST_PRECEDENCE)
class Migrations implements BeanCreatedEventListener<DataSource> {

    private final String url;
    private final String role;

    Migrations(@Value("${datasources.default.url}") String url, @Value("${payments.role:all}") String role) {
        this.url = url;
        this.role = role;
    }

    @Override
    public DataSource onCreated(BeanCreatedEvent<DataSource> event) {
        String database = url.startsWith("jdbc:h2") ? "h2" : "postgresql";
        on(event.getBean(), "classpath:io/waybill/schema/" + database)
                .table("flyway_waybill_history")
                .placeholders(Map.of("prefix", ""))
                .load()
                .migrate();
        if (!role.equals("orchestrator")) {
            on(event.getBean(), "classpath:db/migration").load().migrate();
        }
        return event.getBean();
    }

    private static FluentConfiguration on(DataSource dataSource, String location) {
        return Flyway.configure()
                .dataSource(dataSource)
                .locations(location)
                .baselineOnMigrate(true)
                .baselineVersion("0");
    }
}

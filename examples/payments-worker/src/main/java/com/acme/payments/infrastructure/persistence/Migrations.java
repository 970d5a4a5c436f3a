package com.acme.payments.infrastructure.persistence;

import io.micronaut.context.event.BeanCreatedEvent;
import io.micronaut.context.event.BeanCreatedEventListener;
import io.micronaut.core.annotation.Order;
import io.micronaut.core.order.Ordered;
import jakarta.inject.Singleton;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;

/**
 * Brings the tables of the domain up to date before anybody gets the data source. Waybill looks after its own tables, so that the
 * schema may hold some already.
 */
@Singleton
@Order(Ordered.HIGHEST_PRECEDENCE)
class Migrations implements BeanCreatedEventListener<DataSource> {

    @Override
    public DataSource onCreated(BeanCreatedEvent<DataSource> event) {
        Flyway.configure()
                .dataSource(event.getBean())
                .locations("classpath:db/migration")
                .baselineOnMigrate(true)
                .baselineVersion("2")
                .load()
                .migrate();
        return event.getBean();
    }
}

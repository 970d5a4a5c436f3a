package io.waybill.spring.tables;

import io.waybill.testkit.contract.framework.FrameworkFixture.Clerk;
import io.waybill.testkit.contract.framework.FrameworkFixture.Filing;
import io.waybill.testkit.contract.framework.FrameworkTablesContract;
import io.waybill.testkit.services.database.TestDatabase;
import java.util.Set;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.sql.init.dependency.AbstractBeansOfTypeDatabaseInitializerDetector;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Flyway migrates, then Waybill makes its tables. */
final class FlywayTablesTest extends FrameworkTablesContract {

    @Override
    protected Application start(TestDatabase database) {
        return RunningApplication.start(Migrating.class, database);
    }

    /** Flyway comes late in it: that Waybill comes after it is the work of the detector. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({Clerk.class, Filing.class})
    static class Migrating {
        @Bean(initMethod = "migrate")
        Flyway flyway(DataSource dataSource) {
            return Flyway.configure()
                    .dataSource(dataSource)
                    .locations("classpath:io/waybill/testkit/guide")
                    .load();
        }
    }

    /** What Spring Boot's module for Flyway registers. */
    static final class Detector extends AbstractBeansOfTypeDatabaseInitializerDetector {
        @Override
        protected Set<Class<?>> getDatabaseInitializerBeanTypes() {
            return Set.of(Flyway.class);
        }
    }
}

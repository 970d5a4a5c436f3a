package io.waybill.spring.tables;

import static io.waybill.command.IdempotencyKey.idempotencyKey;
import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.jdbc.schema.JdbcStoreOptions;
import io.waybill.jdbc.schema.Schema;
import io.waybill.jdbc.sql.Dialect;
import io.waybill.testkit.contract.framework.FrameworkFixture.Clerk;
import io.waybill.testkit.contract.framework.FrameworkFixture.FileCommand;
import io.waybill.testkit.contract.framework.FrameworkFixture.Filing;
import io.waybill.testkit.contract.framework.FrameworkTablesContract;
import io.waybill.testkit.services.H2;
import io.waybill.testkit.services.database.Postgres;
import io.waybill.testkit.services.database.TestDatabase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import javax.sql.DataSource;
import liquibase.integration.spring.SpringLiquibase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.sql.init.dependency.AbstractBeansOfTypeDatabaseInitializerDetector;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.JdbcTemplate;

/** Liquibase migrates, then Waybill makes its tables, or Liquibase makes those too. */
final class LiquibaseTablesTest extends FrameworkTablesContract {

    @Override
    protected Application start(TestDatabase database) {
        return RunningApplication.start(
                Migrating.class, database, "shop.changes=classpath:io/waybill/spring/tables/changes.yaml");
    }

    @Override
    protected String history() {
        return "SELECT id, md5sum FROM databasechangelog ORDER BY orderexecuted";
    }

    @Test
    void liquibase_runs_what_schema_print_has_written_on_postgresql(@TempDir Path folder) throws Exception {
        runs(Postgres.shared().newDatabase(), Dialect.POSTGRESQL, folder);
    }

    @Test
    void liquibase_runs_what_schema_print_has_written_on_h2(@TempDir Path folder) throws Exception {
        runs(H2.newDatabase(), Dialect.H2, folder);
    }

    private static void runs(TestDatabase database, Dialect dialect, Path folder) throws Exception {
        Files.writeString(
                folder.resolve("waybill.sql"),
                Schema.of(dialect, JdbcStoreOptions.DEFAULT).print());
        Files.writeString(folder.resolve("changes.yaml"), """
                databaseChangeLog:
                  - changeSet:
                      id: waybill
                      author: shop
                      changes:
                        - sqlFile: {path: waybill.sql, relativeToChangelogFile: true}
                """);
        try (database;
                var application = RunningApplication.start(
                        Migrating.class,
                        database,
                        "shop.changes=" + folder.resolve("changes.yaml").toUri(),
                        "waybill.initialize-schema=never")) {
            application
                    .commandBus()
                    .send(new FileCommand("a letter"), idempotencyKey("letter"))
                    .await(Duration.ofSeconds(20));

            var jdbc = new JdbcTemplate(database.dataSource());
            assertThat(jdbc.queryForObject("SELECT status FROM command", String.class))
                    .isEqualTo("COMPLETED");
            assertThat(jdbc.queryForList("SELECT id FROM databasechangelog", String.class))
                    .containsExactly("waybill");
            assertThat(jdbc.queryForObject(
                            "SELECT count(*) FROM information_schema.tables WHERE lower(table_name) = 'waybill_schema'",
                            Long.class))
                    .isZero();
        }
    }

    /** Liquibase comes late in it: that Waybill comes after it is the work of the detector. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({Clerk.class, Filing.class})
    static class Migrating {
        @Bean
        SpringLiquibase liquibase(DataSource dataSource, Environment settings) {
            var liquibase = new SpringLiquibase();
            liquibase.setDataSource(dataSource);
            liquibase.setChangeLog(settings.getRequiredProperty("shop.changes"));
            return liquibase;
        }
    }

    /** What Spring Boot's module for Liquibase registers. */
    static final class Detector extends AbstractBeansOfTypeDatabaseInitializerDetector {
        @Override
        protected Set<Class<?>> getDatabaseInitializerBeanTypes() {
            return Set.of(SpringLiquibase.class);
        }
    }
}

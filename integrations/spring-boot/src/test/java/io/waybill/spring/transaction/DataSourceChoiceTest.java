package io.waybill.spring.transaction;

import static io.waybill.spring.TestApplication.problems;
import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.outbox.Outbox;
import io.waybill.spring.TestApplication;
import java.util.UUID;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;

/** On which database Waybill works. */
final class DataSourceChoiceTest {

    private final ApplicationContextRunner withoutDatabase = TestApplication.withoutDatabase();

    @Test
    void a_database_is_needed() {
        withoutDatabase.run(context -> assertThat(problems(context))
                .contains("waybill.data-source is not set: Waybill needs a database, but there is no DataSource:"
                        + " set spring.datasource.url"));
    }

    @Test
    void without_a_database_the_other_problems_are_told_too() {
        withoutDatabase
                .withPropertyValues("waybill.outbox.batch-size=0")
                .run(context -> assertThat(problems(context))
                        .contains("waybill.data-source is not set")
                        .contains("waybill.outbox.batch-size = 0"));
    }

    @Test
    void of_two_databases_one_must_be_chosen() {
        withoutDatabase
                .withUserConfiguration(TwoDatabases.class)
                .run(context -> assertThat(problems(context))
                        .contains(
                                "waybill.data-source is not set: there are 2 beans of type DataSource and none is primary:"
                                        + " set it to one of orders, reports."));
        withoutDatabase
                .withUserConfiguration(TwoDatabases.class)
                .withPropertyValues("waybill.data-source=order")
                .run(context -> assertThat(problems(context))
                        .contains("waybill.data-source = order: there is no DataSource of this name."
                                + " There are: orders, reports."));
        withoutDatabase
                .withUserConfiguration(TwoDatabases.class, PrimaryDatabase.class)
                .run(context -> assertThat(context).hasSingleBean(Outbox.class));
    }

    private static DataSource database() {
        var database = new JdbcDataSource();
        database.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        return database;
    }

    /** Two databases, none of them first. */
    @Configuration(proxyBeanMethods = false)
    static class TwoDatabases {
        @Bean
        DataSource orders() {
            return database();
        }

        @Bean
        DataSource reports() {
            return database();
        }
    }

    /** The one that is meant. */
    @Configuration(proxyBeanMethods = false)
    static class PrimaryDatabase {
        @Bean
        @Primary
        DataSource main() {
            return database();
        }
    }
}

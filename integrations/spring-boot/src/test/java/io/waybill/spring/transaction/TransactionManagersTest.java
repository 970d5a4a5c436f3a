package io.waybill.spring.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.message.Message;
import io.waybill.outbox.Outbox;
import io.waybill.spring.WaybillAutoConfiguration;
import io.waybill.store.NoTransactionException;
import java.util.UUID;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Which transaction manager is that of Waybill's data source, where there are several of either. */
final class TransactionManagersTest {

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(WaybillAutoConfiguration.class))
            .withPropertyValues("waybill.relays=0");

    @Test
    void a_jpa_manager_of_another_data_source_is_refused_at_the_start() {
        application
                .withUserConfiguration(Shop.class, ReportsJpa.class)
                .withPropertyValues("waybill.data-source=shop")
                .run(context -> assertThat(context)
                        .hasFailed()
                        .getFailure()
                        .hasStackTraceContaining("the transaction manager is not that of Waybill's DataSource")
                        .hasStackTraceContaining("There is none of it: define a JdbcTransactionManager"));
    }

    @Test
    void the_manager_that_is_named_is_not_named_again_as_the_remedy() {
        application
                .withUserConfiguration(Shop.class, Reports.class, ReportsManager.class)
                .withPropertyValues("waybill.data-source=shop", "waybill.transaction-manager=reportsManager")
                .run(context -> assertThat(context)
                        .hasFailed()
                        .getFailure()
                        .hasStackTraceContaining("waybill.transaction-manager = reportsManager")
                        .hasStackTraceContaining("There is none of it"));
        application
                .withUserConfiguration(Shop.class, ShopManager.class, Reports.class, ReportsManager.class)
                .withPropertyValues("waybill.data-source=shop", "waybill.transaction-manager=reportsManager")
                .run(context -> assertThat(context)
                        .hasFailed()
                        .getFailure()
                        .hasStackTraceContaining("Name the one that is: shopManager."));
    }

    @Test
    void the_manager_of_the_chosen_data_source_is_found_among_several() {
        application
                .withUserConfiguration(Shop.class, ShopManager.class, Reports.class, ReportsManager.class)
                .withPropertyValues("waybill.data-source=reports")
                .run(context -> {
                    Outbox outbox = context.getBean(Outbox.class);
                    in(context.getBean("reportsManager", PlatformTransactionManager.class), outbox);

                    assertThat(new JdbcTemplate(context.getBean("reports", DataSource.class))
                                    .queryForObject("SELECT count(*) FROM outbox", Long.class))
                            .isEqualTo(1);
                    assertThatThrownBy(
                                    () -> in(context.getBean("shopManager", PlatformTransactionManager.class), outbox))
                            .isInstanceOf(NoTransactionException.class)
                            .hasMessageContaining("not one of Waybill's DataSource");
                });
    }

    @Test
    void the_transaction_of_another_manager_of_the_same_data_source_is_joined() {
        application
                .withUserConfiguration(Shop.class, ShopManager.class, Second.class)
                .run(context -> {
                    in(context.getBean("second", PlatformTransactionManager.class), context.getBean(Outbox.class));

                    assertThat(new JdbcTemplate(context.getBean(DataSource.class))
                                    .queryForObject("SELECT count(*) FROM outbox", Long.class))
                            .isEqualTo(1);
                });
    }

    @Test
    void a_manager_that_is_no_bean_tells_nothing_and_is_not_joined() {
        application.withUserConfiguration(Shop.class, ShopManager.class).run(context -> {
            var own = new JdbcTransactionManager(context.getBean(DataSource.class));

            assertThatThrownBy(() -> in(own, context.getBean(Outbox.class)))
                    .isInstanceOf(NoTransactionException.class)
                    .hasMessageContaining("its transaction manager is not a bean");
        });
    }

    private static void in(PlatformTransactionManager manager, Outbox outbox) {
        new TransactionTemplate(manager)
                .executeWithoutResult(
                        status -> outbox.append(Message.event("Told", "{}").to("told")));
    }

    private static DataSource h2() {
        var database = new JdbcDataSource();
        database.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        return database;
    }

    /** One database. */
    @Configuration(proxyBeanMethods = false)
    static class Shop {
        @Bean
        DataSource shop() {
            return h2();
        }
    }

    /** Its transactions. */
    @Configuration(proxyBeanMethods = false)
    static class ShopManager {
        @Bean
        @Primary
        JdbcTransactionManager shopManager(@Qualifier("shop") DataSource shop) {
            return new JdbcTransactionManager(shop);
        }
    }

    /** The same once more. */
    @Configuration(proxyBeanMethods = false)
    static class Second {
        @Bean
        JdbcTransactionManager second(@Qualifier("shop") DataSource shop) {
            return new JdbcTransactionManager(shop);
        }
    }

    /** Another database. */
    @Configuration(proxyBeanMethods = false)
    static class Reports {
        @Bean
        DataSource reports() {
            return h2();
        }
    }

    /** Its transactions. */
    @Configuration(proxyBeanMethods = false)
    static class ReportsManager {
        @Bean
        JdbcTransactionManager reportsManager(@Qualifier("reports") DataSource reports) {
            return new JdbcTransactionManager(reports);
        }
    }

    /** The other database with JPA. */
    @Configuration(proxyBeanMethods = false)
    static class ReportsJpa {
        @Bean
        DataSource reports() {
            return h2();
        }

        @Bean
        LocalContainerEntityManagerFactoryBean entityManagerFactory(@Qualifier("reports") DataSource reports) {
            var factory = new LocalContainerEntityManagerFactoryBean();
            factory.setDataSource(reports);
            factory.setPackagesToScan("io.waybill.spring");
            factory.setJpaVendorAdapter(new HibernateJpaVendorAdapter());
            return factory;
        }

        @Bean
        JpaTransactionManager transactionManager() {
            return new JpaTransactionManager();
        }
    }
}

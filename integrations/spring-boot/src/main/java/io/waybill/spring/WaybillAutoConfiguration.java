package io.waybill.spring;

import io.waybill.command.CommandBus;
import io.waybill.command.handler.AutoCommandHandlerRegistry;
import io.waybill.command.store.CommandRepository;
import io.waybill.ops.FailedMessages;
import io.waybill.outbox.Outbox;
import io.waybill.process.ProcessManager;
import io.waybill.process.store.ProcessLogRepository;
import io.waybill.process.store.ProcessRepository;
import io.waybill.runtime.Waybill;
import io.waybill.spring.beans.Ancestors;
import io.waybill.spring.beans.SpringHandlerCheck;
import io.waybill.spring.settings.SpringProblems;
import io.waybill.spring.settings.StartupCheck;
import io.waybill.spring.settings.UnboundSettings;
import io.waybill.spring.settings.WaybillProperties;
import java.util.Optional;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadataProvider;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * Waybill on the application's database. It needs one: without a {@code DataSource}, or with several and no choice, the application does
 * not start, and the error says what to set.
 */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
            "org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration",
            // Spring Boot 3.
            "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
            "org.springframework.boot.autoconfigure.jdbc.DataSourceTransactionManagerAutoConfiguration"
        })
@ConditionalOnClass({DataSource.class, PlatformTransactionManager.class})
@ConditionalOnProperty(prefix = "waybill", name = "enabled", matchIfMissing = true)
@Conditional(Ancestors.HaveNone.class)
@EnableConfigurationProperties(WaybillProperties.class)
@Import(NamedBeans.class)
public class WaybillAutoConfiguration {

    @Bean
    static SpringProblems waybillProblems() {
        return new SpringProblems();
    }

    @Bean
    static UnboundSettings waybillUnboundSettings(SpringProblems problems) {
        return new UnboundSettings(problems);
    }

    @Bean
    SpringHandlerCheck waybillHandlerCheck(ConfigurableListableBeanFactory beans, SpringProblems problems) {
        return new SpringHandlerCheck(beans, problems);
    }

    /** Everything is looked at before anything is refused, so that all problems are told at once. */
    @Bean
    @DependsOnDatabaseInitialization
    @ConditionalOnMissingBean(Waybill.class)
    SpringInstances waybillInstances(
            ConfigurableListableBeanFactory beans,
            Environment environment,
            WaybillProperties properties,
            SpringHandlerCheck check,
            SpringProblems problems,
            ObjectProvider<DataSourcePoolMetadataProvider> pools,
            ObjectProvider<SpringObserver> observers,
            ObjectProvider<StartupCheck> checks) {
        return new SpringInstanceFactory(beans, environment, properties, check, problems, pools, observers, checks)
                .make();
    }

    /** Closed with all the others. */
    @Bean(destroyMethod = "")
    @ConditionalOnMissingBean
    Waybill waybill(SpringInstances instances) {
        return instances.primary().waybill();
    }

    @Bean
    WaybillLifecycle waybillLifecycle(
            Waybill waybill,
            ObjectProvider<SpringInstances> instances,
            SpringHandlerCheck check,
            SpringProblems problems) {
        return new WaybillLifecycle(waybill, Optional.ofNullable(instances.getIfAvailable()), check, problems);
    }

    @Bean
    @ConditionalOnMissingBean
    Outbox outbox(Waybill waybill) {
        return waybill.outbox();
    }

    @Bean
    @ConditionalOnMissingBean
    CommandBus commandBus(Waybill waybill) {
        return waybill.commandBus();
    }

    @Bean
    @ConditionalOnMissingBean
    ProcessManager processManager(Waybill waybill) {
        return waybill.processManager();
    }

    @Bean
    @ConditionalOnMissingBean
    ProcessRepository processRepository(ProcessManager processes) {
        return processes::find;
    }

    @Bean
    @ConditionalOnMissingBean
    ProcessLogRepository processLogRepository(ProcessManager processes) {
        return processes::log;
    }

    @Bean
    @ConditionalOnMissingBean
    CommandRepository commandRepository(Waybill waybill) {
        return waybill.commands();
    }

    @Bean
    @ConditionalOnMissingBean
    AutoCommandHandlerRegistry autoCommandHandlerRegistry(Waybill waybill) {
        return waybill.commandHandlers();
    }

    @Bean
    @ConditionalOnMissingBean
    FailedMessages failedMessages(Waybill waybill) {
        return waybill.failedMessages();
    }

    @Bean
    SpringOutgoingEvents waybillOutgoingEvents(
            ObjectProvider<Outbox> outbox,
            ObjectProvider<SpringInstances> instances,
            ApplicationContext context,
            SpringProblems problems) {
        return new SpringOutgoingEvents(outbox, instances, context, problems);
    }
}

package io.waybill.spring;

import io.waybill.command.AutoCommandHandlerRegistry;
import io.waybill.command.CommandBus;
import io.waybill.command.HandlerCandidate;
import io.waybill.ops.FailedMessages;
import io.waybill.outbox.Outbox;
import io.waybill.plain.Waybill;
import io.waybill.plain.WaybillBuilder;
import io.waybill.process.ProcessConfiguration;
import io.waybill.process.ProcessManager;
import io.waybill.process.UnhandledCommand;
import io.waybill.relay.RelayOptions;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadataProvider;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.datasource.SimpleDriverDataSource;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * Waybill on the application's database. It needs one: without a {@code DataSource}, or with several and no choice, the application does
 * not start and is told what to set.
 */
@AutoConfiguration(after = {DataSourceAutoConfiguration.class, DataSourceTransactionManagerAutoConfiguration.class})
@ConditionalOnClass({DataSource.class, PlatformTransactionManager.class})
@ConditionalOnProperty(prefix = "waybill", name = "enabled", matchIfMissing = true)
@Conditional(Ancestors.HaveNone.class)
@EnableConfigurationProperties(WaybillProperties.class)
public class WaybillAutoConfiguration {

    @Bean
    static Problems waybillProblems() {
        return new Problems();
    }

    @Bean
    static UnboundSettings waybillUnboundSettings(Problems problems) {
        return new UnboundSettings(problems);
    }

    @Bean
    Settings waybillSettings(WaybillProperties properties, Problems problems, Environment environment) {
        Duration shutdownPhase = Binder.get(environment)
                .bind("spring.lifecycle.timeout-per-shutdown-phase", Duration.class)
                .orElse(RelayOptions.DEFAULT.closeTimeout());
        return new Settings(properties, problems, shutdownPhase);
    }

    @Bean
    HandlerCheck waybillHandlerCheck(ConfigurableListableBeanFactory beans, Problems problems) {
        return new HandlerCheck(beans, problems);
    }

    @Bean
    SubscriberBeans waybillSubscribers(
            ConfigurableListableBeanFactory beans, Settings settings, Problems problems, HandlerCheck check) {
        return SubscriberBeans.among(BeanTypes.of(beans), beans, settings.brokers(), problems, check);
    }

    /** Everything is looked at before anything is refused, so that all problems are told at once. */
    @Bean
    @DependsOnDatabaseInitialization
    @ConditionalOnMissingBean
    Waybill waybill(
            ConfigurableListableBeanFactory beans,
            WaybillProperties properties,
            Settings settings,
            SubscriberBeans subscribers,
            ObjectProvider<ProcessConfiguration> processes,
            ObjectProvider<WaybillCustomizer> customizers,
            ObjectProvider<DataSourcePoolMetadataProvider> pools,
            HandlerCheck check,
            Problems problems) {
        Database database = Database.choose(beans, properties, problems);
        List<HandlerCandidate> handlers = HandlerBeans.among(BeanTypes.of(beans), beans, check);
        List<ProcessConfiguration> definitions = processes.orderedStream().toList();
        Set<String> handled = problems.check(
                "handlers of commands",
                null,
                () -> AutoCommandHandlerRegistry.of(handlers).types(),
                Set.of());
        if (settings.isOnlyPool()) {
            UnhandledCommand.among(
                            definitions,
                            handled,
                            settings.naming(),
                            queue -> settings.brokers().routeOf(queue).isPresent())
                    .forEach(problems::add);
        }
        if (database != null) {
            int queues = (int)
                    handled.stream().map(settings.naming()::queueOf).distinct().count();
            int subscriptions = subscribers.subscriptions() + settings.brokers().commandSubscriptions(queues);
            boolean handles = !handled.isEmpty() || !definitions.isEmpty() || subscribers.handleFromOutbox();
            new PoolCheck(settings, problems).check(database.dataSource(), pools, subscriptions, handles);
        }
        WaybillBuilder builder =
                builder(database).handlers(handlers).processes(definitions.toArray(ProcessConfiguration[]::new));
        settings.apply(builder);
        settings.checkRetentions(!definitions.isEmpty());
        problems.report();
        customizers.orderedStream().forEach(customizer -> customizer.customize(builder));
        Waybill waybill = problems.checked("waybill.initialize-schema", properties.initializeSchema(), builder::build);
        subscribers.subscribeTo(waybill);
        problems.report();
        return waybill;
    }

    /** Without a database the rest of the settings is looked at all the same. */
    private static WaybillBuilder builder(@Nullable Database database) {
        return database == null
                ? Waybill.on(new SimpleDriverDataSource())
                : Waybill.on(database.dataSource()).transactions(database.transactions());
    }

    @Bean
    WaybillLifecycle waybillLifecycle(
            Waybill waybill, SubscriberBeans subscribers, Settings settings, HandlerCheck check, Problems problems) {
        return new WaybillLifecycle(waybill, subscribers, settings.brokers(), check, problems);
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
    FailedMessages failedMessages(Waybill waybill) {
        return waybill.failedMessages();
    }

    @Bean
    OutgoingEvents waybillOutgoingEvents(ObjectProvider<Outbox> outbox) {
        return new OutgoingEvents(outbox);
    }
}

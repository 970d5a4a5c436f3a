package io.waybill.spring;

import io.waybill.command.handler.AutoCommandHandlerRegistry;
import io.waybill.command.handler.HandlerCandidate;
import io.waybill.process.definition.ProcessConfiguration;
import io.waybill.process.definition.UnhandledCommand;
import io.waybill.relay.route.RelayOptions;
import io.waybill.runtime.TuningCheck;
import io.waybill.runtime.Waybill;
import io.waybill.runtime.WaybillBuilder;
import io.waybill.spring.beans.BeanTypes;
import io.waybill.spring.beans.Placement;
import io.waybill.spring.beans.SpringHandlerBeans;
import io.waybill.spring.beans.SpringHandlerCheck;
import io.waybill.spring.beans.SpringSubscriberBeans;
import io.waybill.spring.settings.DataSourceKeys;
import io.waybill.spring.settings.SpringPoolCheck;
import io.waybill.spring.settings.SpringProblems;
import io.waybill.spring.settings.SpringSettings;
import io.waybill.spring.settings.StartupCheck;
import io.waybill.spring.settings.WaybillProperties;
import io.waybill.spring.transaction.DataSourceChoice;
import io.waybill.spring.transaction.SpringDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadataProvider;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.datasource.SimpleDriverDataSource;

/** Looks at everything before it builds anything, so that all errors are reported at once. */
final class SpringInstanceFactory {

    private final ConfigurableListableBeanFactory beans;
    private final Environment environment;
    private final WaybillProperties properties;
    private final SpringHandlerCheck check;
    private final SpringProblems problems;
    private final ObjectProvider<DataSourcePoolMetadataProvider> pools;
    private final ObjectProvider<SpringObserver> observers;
    private final ObjectProvider<StartupCheck> checks;

    SpringInstanceFactory(
            ConfigurableListableBeanFactory beans,
            Environment environment,
            WaybillProperties properties,
            SpringHandlerCheck check,
            SpringProblems problems,
            ObjectProvider<DataSourcePoolMetadataProvider> pools,
            ObjectProvider<SpringObserver> observers,
            ObjectProvider<StartupCheck> checks) {
        this.beans = beans;
        this.environment = environment;
        this.properties = properties;
        this.check = check;
        this.problems = problems;
        this.pools = pools;
        this.observers = observers;
        this.checks = checks;
    }

    /** What an instance will be made of. */
    private record Plan(
            String name,
            SpringSettings settings,
            @Nullable SpringDatabase database,
            SpringSubscriberBeans subscribers,
            WaybillBuilder builder,
            List<WaybillCustomizer> customizers,
            SpringProblems problems) {}

    SpringInstances make() {
        var choice = DataSourceChoice.of(beans, properties, DataSourceKeys.names(properties, environment), problems);
        var placement = new Placement(beans, choice.primary());
        Map<String, Class<?>> types = BeanTypes.of(beans);
        placement.refuseOthers(new LinkedHashSet<>(choice.names()), types, problems);
        List<Plan> plans = choice.names().stream()
                .map(name -> plan(name, choice, placement, types))
                .toList();
        refuseUnusedSources(plans);
        refuseSharedReplies(plans);
        checks.forEach(each -> each.look(problems));
        if (problems.areThere()) {
            lookAtTables(plans);
            check.lookForHiddenInFactories();
        }
        problems.report();
        return built(plans);
    }

    private Plan plan(String name, DataSourceChoice choice, Placement placement, Map<String, Class<?>> types) {
        var keys = new DataSourceKeys(environment, name);
        SpringProblems own = keys.within(problems);
        WaybillProperties bound = choice.hasSettings(name) ? keys.bind(own) : properties;
        var settings =
                new SpringSettings(bound, own, shutdownPhase(), environment.getProperty("spring.application.name", ""));
        String manager = bound.transactionManager().isEmpty() && choice.isPrimary(name)
                ? properties.transactionManager()
                : bound.transactionManager();
        @Nullable SpringDatabase database = choice.database(name, beans, manager, own);
        Map<String, Class<?>> placed = placement.on(name, types);
        List<HandlerCandidate> handlers = SpringHandlerBeans.among(placed, beans, check);
        SpringSubscriberBeans subscribers = SpringSubscriberBeans.among(placed, beans, settings.brokers(), own, check);
        List<ProcessConfiguration> processes = placement.on(name, ProcessConfiguration.class);
        WaybillBuilder builder =
                builder(database).handlers(handlers).processes(processes.toArray(ProcessConfiguration[]::new));
        settings.apply(builder);
        settings.checkRetentions(!processes.isEmpty());
        Set<String> handled = lookAtCommands(settings, handlers, processes, own);
        TuningCheck.warn(settings.relay());
        if (database != null) {
            int queues = (int)
                    handled.stream().map(settings.naming()::queueOf).distinct().count();
            int subscriptions = subscribers.subscriptions() + settings.brokers().commandSubscriptions(queues);
            boolean handles = !handled.isEmpty() || !processes.isEmpty() || subscribers.handleFromOutbox();
            new SpringPoolCheck(settings, own).check(database.dataSource(), pools, subscriptions, handles);
        }
        List<WaybillCustomizer> customizers = placement.on(name, WaybillCustomizer.class);
        return new Plan(name, settings, database, subscribers, builder, customizers, own);
    }

    /** Without a database the rest of the settings is looked at all the same. */
    private static WaybillBuilder builder(@Nullable SpringDatabase database) {
        return database == null
                ? Waybill.on(new SimpleDriverDataSource())
                : Waybill.on(database.dataSource()).transactions(database.transactions());
    }

    private Duration shutdownPhase() {
        return Binder.get(environment)
                .bind("spring.lifecycle.timeout-per-shutdown-phase", Duration.class)
                .orElse(RelayOptions.DEFAULT.closeTimeout());
    }

    private static Set<String> lookAtCommands(
            SpringSettings settings,
            List<HandlerCandidate> handlers,
            List<ProcessConfiguration> processes,
            SpringProblems problems) {
        AutoCommandHandlerRegistry.ambiguities(handlers)
                .forEach(ambiguity -> problems.refuse("handlers of commands", ambiguity));
        Set<String> handled = AutoCommandHandlerRegistry.typesOf(handlers);
        UnhandledCommand.warn(UnhandledCommand.among(
                processes,
                handled,
                settings.naming(),
                queue -> !settings.brokers().isByDefault(queue)));
        return handled;
    }

    /** A source may be there for a subscriber on another data source. */
    private static void refuseUnusedSources(List<Plan> plans) {
        Set<String> destinations = new TreeSet<>();
        plans.forEach(plan -> destinations.addAll(plan.subscribers().destinations()));
        plans.forEach(plan -> plan.settings().brokers().refuseSourcesBut(destinations));
    }

    /** Two instances that take replies from one queue would take each other's. */
    private static void refuseSharedReplies(List<Plan> plans) {
        for (int i = 1; i < plans.size(); i++) {
            Plan plan = plans.get(i);
            plans.subList(0, i).stream()
                    .filter(other -> plan.settings().sharesReplies(other.settings()))
                    .findFirst()
                    .ifPresent(other -> problemOf(plan, other));
        }
    }

    private static void problemOf(Plan plan, Plan other) {
        plan.problems()
                .add(
                        "waybill.data-sources." + plan.name() + ".commands.prefix",
                        plan.settings().naming().prefix(),
                        "the instance on '" + other.name()
                                + "' receives replies from the same queue, and each would take those of the other. Give this one its"
                                + " own prefix, or set waybill.data-sources."
                                + plan.name()
                                + ".messaging.consumers.enabled=false.");
    }

    /** What else is wrong is known: the tables are looked at too, unless code of the application decides about them. */
    private static void lookAtTables(List<Plan> plans) {
        for (Plan plan : plans) {
            SpringDatabase database = plan.database();
            if (database != null && plan.customizers().isEmpty()) {
                plan.settings().lookForTables(database.dataSource());
            }
        }
    }

    private SpringInstances built(List<Plan> plans) {
        List<SpringInstance> made = new ArrayList<>();
        for (Plan plan : plans) {
            observers.forEach(observer -> observer.listenTo(plan.name(), plans.size() == 1, plan.builder()));
            plan.customizers().forEach(customizer -> customizer.customize(plan.builder()));
            Optional<Waybill> waybill = plan.problems()
                    .check(
                            "waybill.initialize-schema",
                            plan.settings().initializeSchema(),
                            () -> Optional.of(plan.builder().build()),
                            Optional.empty());
            waybill.ifPresent(built -> made.add(instance(plan, built)));
        }
        var instances = new SpringInstances(made);
        if (problems.areThere()) {
            check.lookForHiddenInFactories();
            instances.close();
        }
        problems.report();
        return instances;
    }

    private SpringInstance instance(Plan plan, Waybill waybill) {
        plan.subscribers().keepFormerNames(waybill, plan.settings().inboxRetention());
        plan.subscribers().subscribeTo(waybill);
        observers.forEach(observer -> observer.watch(plan.name(), waybill));
        return new SpringInstance(plan.name(), plan.settings(), plan.subscribers(), waybill);
    }
}

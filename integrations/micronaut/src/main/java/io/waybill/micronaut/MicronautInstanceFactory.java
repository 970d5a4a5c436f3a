package io.waybill.micronaut;

import io.micronaut.context.BeanContext;
import io.micronaut.context.env.Environment;
import io.waybill.WaybillException;
import io.waybill.command.handler.AutoCommandHandlerRegistry;
import io.waybill.command.handler.HandlerCandidate;
import io.waybill.micronaut.settings.ChosenDatabase;
import io.waybill.micronaut.settings.Keys;
import io.waybill.micronaut.settings.MicronautCheck;
import io.waybill.micronaut.settings.MicronautProblems;
import io.waybill.micronaut.settings.MicronautRequiredQueues;
import io.waybill.micronaut.settings.MicronautSettings;
import io.waybill.process.definition.ProcessConfiguration;
import io.waybill.process.definition.UnhandledCommand;
import io.waybill.runtime.TuningCheck;
import io.waybill.runtime.Waybill;
import io.waybill.runtime.WaybillBuilder;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Looks at everything before it builds anything, so that all that is wrong is said at once. */
@Singleton
final class MicronautInstanceFactory {

    private final BeanContext beans;
    private final Environment environment;
    private final HandlerCheck check;
    private final HandlerBeans handlers;
    private final SubscriberBeans subscribers;
    private final Collection<ProcessConfiguration> processes;
    private final Collection<WaybillCustomizer> customizers;
    private final Collection<MicronautObserver> observers;
    private final Collection<MicronautCheck> checks;

    MicronautInstanceFactory(
            BeanContext beans,
            Environment environment,
            HandlerCheck check,
            HandlerBeans handlers,
            SubscriberBeans subscribers,
            Collection<ProcessConfiguration> processes,
            Collection<WaybillCustomizer> customizers,
            Collection<MicronautObserver> observers,
            Collection<MicronautCheck> checks) {
        this.beans = beans;
        this.environment = environment;
        this.check = check;
        this.handlers = handlers;
        this.subscribers = subscribers;
        this.processes = processes;
        this.customizers = customizers;
        this.observers = observers;
        this.checks = checks;
    }

    /** What an instance will be made of. */
    private record Plan(
            String name,
            boolean primary,
            MicronautSettings settings,
            List<HandlerCandidate> handlers,
            Set<String> handled,
            List<SubscriberMethod> subscribers,
            List<ProcessConfiguration> processes) {}

    MicronautInstances make() {
        var problems = new MicronautProblems();
        Keys.refuseUnknown(environment, problems);
        check.look(problems);
        checks.forEach(each -> each.look(problems));
        List<Plan> plans = plans(problems);
        refuseOtherDataSources(plans, problems);
        refuseUnusedSources(plans, problems);
        List<MicronautInstance> made = new ArrayList<>();
        List<ChosenDatabase> databases = databases(plans, problems);
        if (problems.areThere()) {
            lookAtTables(plans, databases, problems);
            check.lookForHiddenInFactories(problems);
        }
        problems.report();
        for (int i = 0; i < plans.size(); i++) {
            build(plans.get(i), databases.get(i), problems).ifPresent(made::add);
        }
        var instances = new MicronautInstances(made);
        if (problems.areThere()) {
            check.lookForHiddenInFactories(problems);
            instances.close();
        }
        problems.report();
        return instances;
    }

    private List<Plan> plans(MicronautProblems problems) {
        List<String> known = ChosenDatabase.names(beans);
        List<String> each = environment.getPropertyEntries("waybill.data-sources").stream()
                .filter(name -> new Keys(environment, problems, "").flag("data-sources." + name + ".enabled", true))
                .sorted()
                .toList();
        Optional<String> chosen = environment.getProperty("waybill.data-source", String.class);
        Optional<String> primary = ChosenDatabase.primary(known, chosen, each, problems);
        var names = new LinkedHashSet<String>();
        names.add(primary.orElse("default"));
        each.stream().filter(known::contains).forEach(names::add);
        return names.stream()
                .map(name -> plan(name, name.equals(primary.orElse("default")), problems))
                .toList();
    }

    /** What works on a data source that has no instance would never get a message. */
    private void refuseOtherDataSources(List<Plan> plans, MicronautProblems problems) {
        List<String> names = plans.stream().map(Plan::name).toList();
        Stream.of(handlers.types(), subscribers.types(), processes.stream().map(Object::getClass))
                .flatMap(types -> types)
                .distinct()
                .forEach(type -> Singletons.dataSource(type)
                        .filter(name -> !names.contains(name))
                        .ifPresent(name -> problems.add("@OnDataSource(\"" + name + "\") on " + type.getName()
                                + ": Waybill is not on this data source. It is on " + String.join(", ", names)
                                + ": name one of them, or set waybill.data-sources." + name + ".enabled to true.")));
    }

    /** A source may be there for a subscriber on another data source. */
    private static void refuseUnusedSources(List<Plan> plans, MicronautProblems problems) {
        Set<String> destinations = plans.stream()
                .flatMap(plan -> plan.subscribers().stream())
                .map(SubscriberMethod::destination)
                .collect(Collectors.toCollection(TreeSet::new));
        plans.forEach(plan -> plan.settings().brokers().refuseSourcesBut(destinations, problems));
    }

    private Plan plan(String name, boolean primary, MicronautProblems problems) {
        MicronautSettings settings = MicronautSettings.of(new Keys(environment, problems, name), problems);
        List<HandlerCandidate> candidates = handlers.candidates(name, primary);
        AutoCommandHandlerRegistry.ambiguities(candidates).forEach(problems::add);
        Set<String> handled = AutoCommandHandlerRegistry.typesOf(candidates);
        List<ProcessConfiguration> definitions = processes.stream()
                .filter(process -> Singletons.isOn(process.getClass(), name, primary))
                .toList();
        UnhandledCommand.warn(UnhandledCommand.among(
                definitions,
                handled,
                settings.commandNaming(),
                queue -> !settings.brokers().isByDefault(queue)));
        List<SubscriberMethod> methods = subscribers.on(name, primary, settings, problems);
        MicronautRequiredQueues.check(settings.brokers(), problems);
        if (settings.commandsInOrder().orElse(false)) {
            settings.brokers().refuseOrder(problems);
        }
        settings.checkRetentions(!definitions.isEmpty(), problems);
        return new Plan(name, primary, settings, candidates, handled, methods, definitions);
    }

    private List<ChosenDatabase> databases(List<Plan> plans, MicronautProblems problems) {
        if (ChosenDatabase.names(beans).isEmpty()) {
            return List.of();
        }
        try {
            return plans.stream().map(plan -> database(plan, problems)).toList();
        } catch (RuntimeException e) {
            // What is known to be wrong may well be the reason.
            problems.report();
            throw e;
        }
    }

    private ChosenDatabase database(Plan plan, MicronautProblems problems) {
        ChosenDatabase database = ChosenDatabase.of(beans, plan.name());
        TuningCheck.warn(plan.settings().relay());
        if (database.poolSize().isPresent()) {
            TuningCheck.inform(database.poolSize().getAsInt());
            new PoolCheck(plan.settings(), database.poolSize().getAsInt())
                    .check(plan.handled(), plan.subscribers(), !plan.processes().isEmpty(), problems);
        }
        return database;
    }

    /** What else is wrong is known: the tables are looked at too, unless code of the application decides about them. */
    private void lookAtTables(List<Plan> plans, List<ChosenDatabase> databases, MicronautProblems problems) {
        for (int i = 0; i < databases.size(); i++) {
            if (customizers(plans.get(i)).isEmpty()) {
                plans.get(i).settings().lookForTables(databases.get(i).dataSource(), problems);
            }
        }
    }

    private List<WaybillCustomizer> customizers(Plan plan) {
        return customizers.stream()
                .filter(customizer -> Singletons.isOn(customizer.getClass(), plan.name(), plan.primary()))
                .toList();
    }

    private Optional<MicronautInstance> build(Plan plan, ChosenDatabase database, MicronautProblems problems) {
        MicronautSettings settings = plan.settings();
        WaybillBuilder builder = Waybill.on(database.dataSource())
                .transactions(database.transactions())
                .handlers(plan.handlers())
                .processes(plan.processes().toArray(ProcessConfiguration[]::new));
        settings.applyTo(builder);
        observers.forEach(observer -> observer.listenTo(plan.name(), builder));
        customizers(plan).forEach(customizer -> customizer.customize(builder));
        Optional<Waybill> built = problems.check(
                "waybill.initialize-schema",
                settings.initializeSchema().name().toLowerCase(Locale.ROOT),
                () -> Optional.of(builder.build()),
                Optional.empty());
        return built.map(waybill -> instance(plan, database, waybill, problems));
    }

    private MicronautInstance instance(
            Plan plan, ChosenDatabase database, Waybill waybill, MicronautProblems problems) {
        MicronautSettings settings = plan.settings();
        plan.subscribers().stream()
                .filter(method ->
                        settings.brokers().sourceOf(method.destination()).isEmpty())
                .forEach(method -> subscribe(method, waybill, problems));
        observers.forEach(observer -> observer.watch(plan.name(), waybill));
        return new MicronautInstance(
                database,
                settings,
                waybill,
                plan.subscribers().stream()
                        .filter(method -> settings.brokers()
                                .sourceOf(method.destination())
                                .isPresent())
                        .toList());
    }

    private static void subscribe(SubscriberMethod method, Waybill waybill, MicronautProblems problems) {
        try {
            method.subscribeTo(waybill);
        } catch (WaybillException e) {
            problems.add("@SubscribeTo on " + method.handler(), method.destination(), String.valueOf(e.getMessage()));
        }
    }
}

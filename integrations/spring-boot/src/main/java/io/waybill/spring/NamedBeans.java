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
import io.waybill.spring.settings.DataSourceKeys;
import java.util.Map;
import java.util.Set;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.support.AutowireCandidateQualifier;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;

/**
 * The beans of every data source under {@code waybill.data-sources}, for {@code @Qualifier("<name>")}. Who asks without it gets those of the
 * primary one. They are made by factory methods, which a native image keeps.
 */
final class NamedBeans implements ImportBeanDefinitionRegistrar {

    private static final Map<String, Class<?>> TYPES = Map.of(
            "waybill", Waybill.class,
            "outbox", Outbox.class,
            "commandBus", CommandBus.class,
            "processManager", ProcessManager.class,
            "processRepository", ProcessRepository.class,
            "processLogRepository", ProcessLogRepository.class,
            "commandRepository", CommandRepository.class,
            "autoCommandHandlerRegistry", AutoCommandHandlerRegistry.class,
            "failedMessages", FailedMessages.class);

    private final Environment environment;

    NamedBeans(Environment environment) {
        this.environment = environment;
    }

    @Override
    public void registerBeanDefinitions(AnnotationMetadata metadata, BeanDefinitionRegistry registry) {
        named().stream()
                .filter(name -> DataSourceKeys.isEnabled(name, environment))
                .forEach(name -> TYPES.forEach((method, type) -> register(name, method, type, registry)));
    }

    /** What cannot be read is reported with the other settings. */
    private Set<String> named() {
        try {
            return Binder.get(environment)
                    .bind("waybill.data-sources", Bindable.mapOf(String.class, Object.class))
                    .orElse(Map.of())
                    .keySet();
        } catch (BindException e) {
            return Set.of();
        }
    }

    private static void register(String dataSource, String method, Class<?> type, BeanDefinitionRegistry registry) {
        var definition = new RootBeanDefinition(NamedBeans.class);
        definition.setFactoryMethodName(method);
        definition.setTargetType(type);
        definition.setAutowireMode(RootBeanDefinition.AUTOWIRE_CONSTRUCTOR);
        definition.getConstructorArgumentValues().addIndexedArgumentValue(1, dataSource);
        definition.addQualifier(new AutowireCandidateQualifier(Qualifier.class, dataSource));
        definition.setDefaultCandidate(false);
        // The life cycle stops and closes them.
        definition.setDestroyMethodName("");
        registry.registerBeanDefinition(
                dataSource + Character.toUpperCase(method.charAt(0)) + method.substring(1), definition);
    }

    static Waybill waybill(SpringInstances instances, String name) {
        return instances.named(name);
    }

    static Outbox outbox(SpringInstances instances, String name) {
        return instances.named(name).outbox();
    }

    static CommandBus commandBus(SpringInstances instances, String name) {
        return instances.named(name).commandBus();
    }

    static ProcessManager processManager(SpringInstances instances, String name) {
        return instances.named(name).processManager();
    }

    static ProcessRepository processRepository(SpringInstances instances, String name) {
        return instances.named(name).processManager()::find;
    }

    static ProcessLogRepository processLogRepository(SpringInstances instances, String name) {
        return instances.named(name).processManager()::log;
    }

    static CommandRepository commandRepository(SpringInstances instances, String name) {
        return instances.named(name).commands();
    }

    static AutoCommandHandlerRegistry autoCommandHandlerRegistry(SpringInstances instances, String name) {
        return instances.named(name).commandHandlers();
    }

    static FailedMessages failedMessages(SpringInstances instances, String name) {
        return instances.named(name).failedMessages();
    }
}

package io.waybill.micronaut;

import io.micronaut.context.annotation.EachBean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Primary;
import io.micronaut.context.annotation.Requires;
import io.waybill.command.CommandBus;
import io.waybill.command.handler.AutoCommandHandlerRegistry;
import io.waybill.command.store.CommandRepository;
import io.waybill.ops.FailedMessages;
import io.waybill.outbox.Outbox;
import io.waybill.process.ProcessManager;
import io.waybill.process.store.ProcessLogRepository;
import io.waybill.process.store.ProcessRepository;
import io.waybill.runtime.Waybill;
import io.waybill.store.Transactions;
import jakarta.inject.Singleton;

/**
 * What an application injects: the outbox, the command bus and the process manager, what is known about commands and processes, and the
 * instance they belong to. Without a name they are those of the primary data source; {@code @Named} gives those of another.
 */
@Factory
@Requires(property = "waybill.enabled", notEquals = "false", defaultValue = "true")
public final class WaybillBeans {

    @Singleton
    MicronautInstances instances(MicronautInstanceFactory maker) {
        return maker.make();
    }

    /** {@link MicronautLifecycle} closes it, before anything that its handlers need is closed. */
    @Singleton
    @Primary
    Waybill waybill(MicronautInstances instances) {
        return instances.primary().waybill();
    }

    @Singleton
    @Primary
    Transactions transactions(Waybill waybill) {
        return waybill.transactions();
    }

    @Singleton
    @Primary
    Outbox outbox(Waybill waybill) {
        return waybill.outbox();
    }

    @Singleton
    @Primary
    CommandBus commandBus(Waybill waybill) {
        return waybill.commandBus();
    }

    @Singleton
    @Primary
    ProcessManager processManager(Waybill waybill) {
        return waybill.processManager();
    }

    @Singleton
    @Primary
    ProcessRepository processRepository(ProcessManager processes) {
        return processes::find;
    }

    @Singleton
    @Primary
    ProcessLogRepository processLogRepository(ProcessManager processes) {
        return processes::log;
    }

    @Singleton
    @Primary
    CommandRepository commandRepository(Waybill waybill) {
        return waybill.commands();
    }

    @Singleton
    @Primary
    AutoCommandHandlerRegistry commandHandlers(Waybill waybill) {
        return waybill.commandHandlers();
    }

    @Singleton
    @Primary
    FailedMessages failedMessages(Waybill waybill) {
        return waybill.failedMessages();
    }

    @EachBean(NamedInstance.class)
    Waybill waybillOf(NamedInstance instance, MicronautInstances instances) {
        return instances.named(instance.name());
    }

    @EachBean(NamedInstance.class)
    Transactions transactionsOf(NamedInstance instance, MicronautInstances instances) {
        return instances.named(instance.name()).transactions();
    }

    @EachBean(NamedInstance.class)
    Outbox outboxOf(NamedInstance instance, MicronautInstances instances) {
        return instances.named(instance.name()).outbox();
    }

    @EachBean(NamedInstance.class)
    CommandBus commandBusOf(NamedInstance instance, MicronautInstances instances) {
        return instances.named(instance.name()).commandBus();
    }

    @EachBean(NamedInstance.class)
    ProcessManager processManagerOf(NamedInstance instance, MicronautInstances instances) {
        return instances.named(instance.name()).processManager();
    }

    @EachBean(NamedInstance.class)
    ProcessRepository processRepositoryOf(NamedInstance instance, MicronautInstances instances) {
        return instances.named(instance.name()).processManager()::find;
    }

    @EachBean(NamedInstance.class)
    ProcessLogRepository processLogRepositoryOf(NamedInstance instance, MicronautInstances instances) {
        return instances.named(instance.name()).processManager()::log;
    }

    @EachBean(NamedInstance.class)
    CommandRepository commandRepositoryOf(NamedInstance instance, MicronautInstances instances) {
        return instances.named(instance.name()).commands();
    }

    @EachBean(NamedInstance.class)
    AutoCommandHandlerRegistry commandHandlersOf(NamedInstance instance, MicronautInstances instances) {
        return instances.named(instance.name()).commandHandlers();
    }

    @EachBean(NamedInstance.class)
    FailedMessages failedMessagesOf(NamedInstance instance, MicronautInstances instances) {
        return instances.named(instance.name()).failedMessages();
    }
}

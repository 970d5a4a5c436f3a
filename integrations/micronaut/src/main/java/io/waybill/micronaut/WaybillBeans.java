package io.waybill.micronaut;

import io.micronaut.context.annotation.EachBean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Primary;
import io.micronaut.context.annotation.Requires;
import io.waybill.command.CommandBus;
import io.waybill.ops.FailedMessages;
import io.waybill.outbox.Outbox;
import io.waybill.process.ProcessManager;
import io.waybill.runtime.Waybill;
import io.waybill.store.Transactions;
import jakarta.inject.Singleton;

/**
 * What an application injects: the outbox, the command bus, the process manager, and the instance they belong to. Without a name they
 * are those of the primary data source; {@code @Named} gives those of another.
 */
@Factory
@Requires(property = "waybill.enabled", notEquals = "false", defaultValue = "true")
public final class WaybillBeans {

    @Singleton
    Platforms platforms(PlatformMaker maker) {
        return maker.make();
    }

    /** {@link MicronautLifecycle} closes it, before anything that its handlers need is closed. */
    @Singleton
    @Primary
    Waybill waybill(Platforms platforms) {
        return platforms.primary().waybill();
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
    FailedMessages failedMessages(Waybill waybill) {
        return waybill.failedMessages();
    }

    @EachBean(NamedPlatform.class)
    Waybill waybillOf(NamedPlatform platform, Platforms platforms) {
        return platforms.named(platform.name());
    }

    @EachBean(NamedPlatform.class)
    Transactions transactionsOf(NamedPlatform platform, Platforms platforms) {
        return platforms.named(platform.name()).transactions();
    }

    @EachBean(NamedPlatform.class)
    Outbox outboxOf(NamedPlatform platform, Platforms platforms) {
        return platforms.named(platform.name()).outbox();
    }

    @EachBean(NamedPlatform.class)
    CommandBus commandBusOf(NamedPlatform platform, Platforms platforms) {
        return platforms.named(platform.name()).commandBus();
    }

    @EachBean(NamedPlatform.class)
    ProcessManager processManagerOf(NamedPlatform platform, Platforms platforms) {
        return platforms.named(platform.name()).processManager();
    }

    @EachBean(NamedPlatform.class)
    FailedMessages failedMessagesOf(NamedPlatform platform, Platforms platforms) {
        return platforms.named(platform.name()).failedMessages();
    }
}

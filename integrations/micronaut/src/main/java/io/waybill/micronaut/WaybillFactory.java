package io.waybill.micronaut;

import io.micronaut.context.BeanContext;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.env.Environment;
import io.waybill.WaybillException;
import io.waybill.command.CommandBus;
import io.waybill.ops.FailedMessages;
import io.waybill.outbox.Outbox;
import io.waybill.plain.Waybill;
import io.waybill.process.ProcessConfiguration;
import io.waybill.process.ProcessManager;
import io.waybill.store.Transactions;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.OptionalInt;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What an application injects: the outbox, the command bus, the process manager, and the instance they belong to. */
@Factory
@Requires(property = "waybill.enabled", notEquals = "false", defaultValue = "true")
final class WaybillFactory {

    private static final Logger log = LoggerFactory.getLogger(WaybillFactory.class);

    @Singleton
    Settings settings(Environment environment) {
        return Settings.of(environment);
    }

    @Singleton
    ChosenDatabase database(BeanContext beans, Settings settings) {
        return ChosenDatabase.of(beans, settings.dataSource());
    }

    @Singleton
    Transactions transactions(ChosenDatabase database) {
        return new MicronautTransactions(database.operations());
    }

    /** {@link Lifecycle} closes it, before anything that its handlers need is closed. */
    @Singleton
    Waybill waybill(
            Settings settings,
            ChosenDatabase database,
            Transactions transactions,
            HandlerBeans handlers,
            List<ProcessConfiguration> processes) {
        checkPool(settings, database.poolSize());
        Waybill.Builder builder = Waybill.on(database.dataSource())
                .transactions(transactions)
                .relay(settings.relay())
                .relays(settings.consumers() ? 1 : 0)
                .commandNaming(settings.commandNaming())
                .handlers(handlers.candidates())
                .processes(processes.toArray(ProcessConfiguration[]::new));
        settings.routes().forEach(route -> builder.route(route.pattern(), route.url()));
        settings.tablePrefix().ifPresent(builder::tablePrefix);
        if (settings.consumers()) {
            settings.commandsFrom().ifPresent(builder::commandsFrom);
            settings.repliesFrom().ifPresent(builder::repliesFrom);
        }
        return builder.start();
    }

    private static void checkPool(Settings settings, OptionalInt poolSize) {
        int concurrency = settings.relay().handlers();
        if (poolSize.isEmpty() || !settings.consumers() || 2 * concurrency <= poolSize.getAsInt()) {
            return;
        }
        String advice = Settings.CONCURRENCY + " is " + concurrency + ", and the pool has " + poolSize.getAsInt()
                + " connections. Each handler needs one, and relays and requests need some too: raise"
                + " maximum-pool-size of the data source to " + 2 * concurrency + ", or lower the concurrency to "
                + Math.max(1, poolSize.getAsInt() / 2) + ".";
        if (concurrency >= poolSize.getAsInt()) {
            throw new WaybillException(advice);
        }
        log.warn("WB-601 {}", advice);
    }

    @Singleton
    Outbox outbox(Waybill waybill) {
        return waybill.outbox();
    }

    @Singleton
    CommandBus commandBus(Waybill waybill) {
        return waybill.commandBus();
    }

    @Singleton
    ProcessManager processManager(Waybill waybill) {
        return waybill.processManager();
    }

    @Singleton
    FailedMessages failedMessages(Waybill waybill) {
        return waybill.failedMessages();
    }
}

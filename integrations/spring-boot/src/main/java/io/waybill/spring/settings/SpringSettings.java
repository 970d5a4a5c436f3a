package io.waybill.spring.settings;

import io.waybill.Time;
import io.waybill.command.CommandNaming;
import io.waybill.command.CommandRetries;
import io.waybill.inbox.ReceivingOptions;
import io.waybill.jdbc.JdbcStore;
import io.waybill.jdbc.schema.InitializeSchema;
import io.waybill.jdbc.schema.JdbcStoreOptions;
import io.waybill.relay.route.RelayOptions;
import io.waybill.runtime.PoolUse;
import io.waybill.runtime.WaybillBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Optional;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.util.unit.DataSize;

/** The settings as an instance wants them; what is wrong with them is noted, and the default taken instead. */
public final class SpringSettings {

    private final WaybillProperties properties;
    private final SpringProblems problems;
    private final Duration shutdownPhase;
    private final CommandNaming naming;
    private final SpringBrokers brokers;

    /**
     * @param shutdownPhase how long Spring gives a phase of its shutdown
     * @param application what it is called; empty where it has no name
     */
    public SpringSettings(
            WaybillProperties properties, SpringProblems problems, Duration shutdownPhase, String application) {
        this.properties = properties;
        this.problems = problems;
        this.shutdownPhase = shutdownPhase;
        this.naming = naming(application);
        this.brokers =
                new SpringBrokers(properties, naming, new SpringMq(properties.mq(), problems).broker(), problems);
    }

    private CommandNaming naming(String application) {
        var commands = properties.commands();
        CommandNaming named = problems.check(
                "waybill.commands.prefix and suffix",
                commands.prefix() + ", " + commands.suffix(),
                () -> new CommandNaming(commands.prefix(), commands.suffix(), CommandNaming.DEFAULT.queues()),
                CommandNaming.DEFAULT);
        if (!commands.replyQueue().isEmpty()) {
            return problems.check(
                    "waybill.commands.reply-queue",
                    commands.replyQueue(),
                    () -> named.withReplyQueue(commands.replyQueue()),
                    named);
        }
        var configured = new ArrayList<>(properties.mq().requiredQueues());
        properties.routes().forEach(route -> configured.add(route.pattern()));
        return named.ofApplication(application, configured);
    }

    /** Says all settings to this builder. */
    public void apply(WaybillBuilder builder) {
        builder.initializeSchema(properties.initializeSchema())
                .tablePrefix(tablePrefix())
                .relays(relays())
                .relay(relay())
                .retention(retention())
                .receiving(receiving())
                .receivingIdleTimeout(receivingIdleTimeout())
                .inboxRetention(properties.inbox().retention())
                .commandRetention(properties.commands().retention())
                .processRetention(properties.processes().retention())
                .unrouted(properties.outbox().unrouted())
                .maxPayload(maxPayload())
                .commandNaming(naming)
                .commandRetries(retries());
        problems.check(
                "waybill.warn-after", properties.warnAfter(), () -> builder.warnAfter(properties.warnAfter()), builder);
        @Nullable String pool = properties.pool();
        if (pool != null) {
            problems.check("waybill.pool", pool, () -> builder.pool(pool), builder);
        }
        if (!properties.signals()) {
            builder.withoutSignals();
        }
        positive(
                "waybill.outbox.cleanup-interval",
                properties.outbox().cleanupInterval().toMillis(),
                properties.outbox().cleanupInterval());
        builder.cleanupEvery(properties.outbox().cleanupInterval());
        for (int i = 0; i < properties.outbox().ordered().size(); i++) {
            String pattern = properties.outbox().ordered().get(i);
            problems.check("waybill.outbox.ordered[" + i + "]", pattern, () -> builder.ordered(pattern), builder);
        }
        brokers.apply(builder, properties.commands().inOrder());
    }

    public CommandNaming naming() {
        return naming;
    }

    public SpringBrokers brokers() {
        return brokers;
    }

    /** How many connections relays, handlers and subscriptions may hold at the same time. */
    PoolUse connectionsAtOnce(int subscriptions) {
        return new PoolUse(properties.relays(), handlers(), brokers.concurrency(), subscriptions);
    }

    /** The same in words. */
    String whatRunsAtOnce(int subscriptions) {
        return properties.relays() + (properties.relays() == 1 ? " relay" : " relays") + " with " + handlers()
                + " handlers each"
                + (subscriptions == 0
                        ? ""
                        : " and " + subscriptions + (subscriptions == 1 ? " subscription" : " subscriptions")
                                + " to brokers (waybill.messaging.consumers.concurrency = " + brokers.concurrency()
                                + ")");
    }

    int handlers() {
        return properties.handlers().concurrency();
    }

    public Duration inboxRetention() {
        return properties.inbox().retention();
    }

    public InitializeSchema initializeSchema() {
        return properties.initializeSchema();
    }

    /** Looks for the tables, where they are somebody else's task and it is known what they are called. */
    public void lookForTables(DataSource dataSource) {
        if (initializeSchema() == InitializeSchema.NEVER && tablePrefix().equals(properties.tablePrefix())) {
            var options = JdbcStoreOptions.DEFAULT
                    .withPrefix(properties.tablePrefix())
                    .acceptingUnorderedIds();
            problems.check(
                    "waybill.initialize-schema",
                    initializeSchema(),
                    () -> Optional.of(
                            JdbcStore.on(dataSource, options, Time.system()).initializeSchema(initializeSchema())),
                    Optional.empty());
        }
    }

    /** Whether both take the replies to their commands from one queue. */
    public boolean sharesReplies(SpringSettings other) {
        return brokers.takesRepliesLike(other.brokers) && naming.equals(other.naming);
    }

    private String tablePrefix() {
        String prefix = properties.tablePrefix();
        return problems.check(
                "waybill.table-prefix",
                prefix,
                () -> JdbcStoreOptions.DEFAULT.withPrefix(prefix).prefix(),
                "");
    }

    private int relays() {
        if (properties.relays() < 0) {
            problems.add("waybill.relays", properties.relays(), "it must be 0 (only append) or more.");
            return 0;
        }
        return properties.relays();
    }

    public RelayOptions relay() {
        var outbox = properties.outbox();
        int concurrency = properties.handlers().concurrency();
        int perCommit = properties.handlers().messagesPerCommit();
        RelayOptions relay = RelayOptions.DEFAULT;
        relay = with(
                relay,
                "waybill.outbox.sweep-interval",
                outbox.sweepInterval(),
                from -> from.withSweepInterval(outbox.sweepInterval()));
        relay = with(
                relay, "waybill.outbox.lease-time", outbox.leaseTime(), from -> from.withLeaseTime(outbox.leaseTime()));
        @Nullable Duration given = outbox.closeTimeout();
        Duration closeTimeout = given == null ? shutdownPhase : given;
        relay = with(relay, "waybill.outbox.close-timeout", closeTimeout, from -> from.withCloseTimeout(closeTimeout));
        relay = with(
                relay,
                "waybill.outbox.claim-timeout",
                outbox.claimTimeout(),
                from -> from.withClaimTimeout(outbox.claimTimeout()));
        relay = with(
                relay, "waybill.outbox.batch-size", outbox.batchSize(), from -> from.withBatchSize(outbox.batchSize()));
        relay = with(relay, "waybill.handlers.concurrency", concurrency, from -> from.withHandlers(concurrency));
        return with(
                relay,
                "waybill.handlers.messages-per-commit",
                perCommit,
                from -> from.withMessagesPerCommit(perCommit));
    }

    private <T> T with(T from, String key, Object value, UnaryOperator<T> change) {
        return problems.check(key, value, () -> change.apply(from), from);
    }

    private Duration retention() {
        var retention = properties.outbox().retention();
        return problems.check(
                "waybill.outbox.retention",
                retention,
                () -> JdbcStoreOptions.DEFAULT.withRetention(retention).retention(),
                JdbcStoreOptions.DEFAULT.retention());
    }

    private long maxPayload() {
        @Nullable DataSize given = properties.outbox().maxPayload();
        return given == null
                ? JdbcStoreOptions.DEFAULT_MAX_PAYLOAD
                : problems.check(
                        "waybill.outbox.max-payload",
                        given,
                        () -> JdbcStoreOptions.DEFAULT
                                .withMaxPayload(given.toBytes())
                                .maxPayload(),
                        JdbcStoreOptions.DEFAULT_MAX_PAYLOAD);
    }

    private Duration receivingIdleTimeout() {
        Duration timeout = properties.inbox().idleTimeout();
        return problems.check(
                "waybill.inbox.idle-timeout",
                timeout,
                () -> JdbcStoreOptions.DEFAULT.withReceivingIdleTimeout(timeout).receivingIdleTimeout(),
                JdbcStoreOptions.DEFAULT.receivingIdleTimeout());
    }

    private ReceivingOptions receiving() {
        var inbox = properties.inbox();
        ReceivingOptions receiving = with(
                ReceivingOptions.DEFAULT,
                "waybill.inbox.attempts",
                inbox.attempts(),
                from -> from.attempts(inbox.attempts()));
        receiving = with(
                receiving,
                "waybill.inbox.redelivery-window",
                inbox.redeliveryWindow(),
                from -> from.redeliveryWindow(inbox.redeliveryWindow()));
        return with(receiving, "waybill.inbox.retention", inbox.retention(), from -> {
            from.checkRetention(inbox.retention());
            return from;
        });
    }

    /** What may still be asked for is not forgotten. */
    public void checkRetentions(boolean hasProcesses) {
        Duration commands = properties.commands().retention();
        Duration processes = properties.processes().retention();
        Duration window = properties.inbox().redeliveryWindow();
        if (hasProcesses && commands.compareTo(processes) < 0) {
            problems.add(
                    "waybill.commands.retention",
                    commands,
                    "it must be at least waybill.processes.retention (" + processes
                            + "): the commands of a process are kept as long as the process.");
        }
        if (brokers.receivesCommands() && commands.compareTo(window) <= 0) {
            problems.add(
                    "waybill.commands.retention",
                    commands,
                    "it must be longer than waybill.inbox.redelivery-window (" + window
                            + "), or a command that a broker delivers again runs twice.");
        }
    }

    private CommandRetries retries() {
        int attempts = properties.commands().maxAttempts();
        return problems.check(
                "waybill.commands.max-attempts",
                attempts,
                () -> CommandRetries.DEFAULT.maxAttempts(attempts),
                CommandRetries.DEFAULT);
    }

    private void positive(String key, long number, Object value) {
        if (number < 1) {
            problems.add(key, value, "it must be more than zero.");
        }
    }
}

package io.waybill.micronaut.settings;

import io.waybill.Time;
import io.waybill.command.CommandNaming;
import io.waybill.command.CommandRetries;
import io.waybill.inbox.ReceivingOptions;
import io.waybill.jdbc.JdbcStore;
import io.waybill.jdbc.schema.InitializeSchema;
import io.waybill.jdbc.schema.JdbcStoreOptions;
import io.waybill.ops.WaitingWatch;
import io.waybill.outbox.Unrouted;
import io.waybill.relay.route.RelayOptions;
import io.waybill.runtime.WaybillBuilder;
import io.waybill.store.outbox.LeaseStore;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * The configuration of one instance, read once.
 *
 * @param consumers whether anything is taken from brokers here
 * @param commandsInOrder what is said about commands from a broker, or nothing
 * @param ordered destinations whose messages must have a key
 * @param unrouted what becomes of messages for destinations that nobody serves
 * @param maxPayload how many bytes the payload of a message may have
 * @param warnAfter how long a message may wait before it is unusual
 */
public record MicronautSettings(
        RelayOptions relay,
        int relays,
        boolean consumers,
        boolean signals,
        MicronautBrokers brokers,
        CommandNaming commandNaming,
        CommandRetries commandRetries,
        Optional<Boolean> commandsInOrder,
        String tablePrefix,
        InitializeSchema initializeSchema,
        Optional<String> pool,
        List<String> ordered,
        Unrouted unrouted,
        Kept kept,
        ReceivingOptions receiving,
        Duration receivingIdleTimeout,
        long maxPayload,
        Duration warnAfter) {

    public static final String CONCURRENCY = "handlers.concurrency";

    /** How long what is over is remembered, and how often it is cleaned up. */
    public record Kept(
            Duration messages, Duration inbox, Duration commands, Duration processes, Duration cleanupInterval) {

        private static final Duration LONG = Duration.ofDays(30);
        private static final Duration NOW_AND_THEN = Duration.ofMinutes(10);

        static Kept of(Keys keys) {
            return new Kept(
                    keys.durationOrZero("outbox.retention", JdbcStoreOptions.DEFAULT.retention()),
                    keys.duration("inbox.retention", LONG, ChronoUnit.DAYS),
                    keys.duration("commands.retention", LONG, ChronoUnit.DAYS),
                    keys.duration("processes.retention", LONG, ChronoUnit.DAYS),
                    keys.duration("outbox.cleanup-interval", NOW_AND_THEN, ChronoUnit.MINUTES));
        }
    }

    public static MicronautSettings of(Keys keys, MicronautProblems problems) {
        CommandNaming naming = naming(keys, problems);
        Kept kept = Kept.of(keys);
        return new MicronautSettings(
                relay(keys),
                keys.value(
                        "relays",
                        1,
                        MicronautSettings::zeroOrMore,
                        "Give 0 (only append) or a whole number from 1 on."),
                keys.flag("messaging.consumers.enabled", true),
                keys.flag("signals", true),
                MicronautBrokers.of(keys, naming, problems),
                naming,
                CommandRetries.DEFAULT.maxAttempts(
                        keys.positive("commands.max-attempts", CommandRetries.DEFAULT.maxAttempts())),
                keys.find("commands.in-order").map(found -> keys.flag("commands.in-order", true)),
                keys.value(
                        "table-prefix",
                        "",
                        prefix -> JdbcStoreOptions.DEFAULT.withPrefix(prefix).prefix(),
                        "Give letters, digits and underscores, such as shop_."),
                keys.value(
                        "initialize-schema",
                        InitializeSchema.ALWAYS,
                        InitializeSchema::of,
                        "Give always, embedded (only H2) or never."),
                keys.value(
                        "pool",
                        Optional.empty(),
                        MicronautSettings::pool,
                        "Give 1 to 60 letters, digits, '.', '_' or '-'."),
                keys.list("outbox.ordered"),
                keys.value("outbox.unrouted", Unrouted.WARN, Unrouted::of, "Give warn or refuse."),
                kept,
                receiving(keys, kept, problems),
                keys.value(
                        "inbox.idle-timeout",
                        JdbcStoreOptions.DEFAULT.receivingIdleTimeout(),
                        MicronautSettings::idleTimeout,
                        "Give a second or more, such as 30s or 2m, or 0 for no bound."),
                keys.bytes("outbox.max-payload", JdbcStoreOptions.DEFAULT_MAX_PAYLOAD),
                keys.duration("warn-after", WaitingWatch.PATIENCE, ChronoUnit.SECONDS));
    }

    private static Duration idleTimeout(String text) {
        return JdbcStoreOptions.DEFAULT
                .withReceivingIdleTimeout(Keys.duration(text, ChronoUnit.SECONDS))
                .receivingIdleTimeout();
    }

    private static RelayOptions relay(Keys keys) {
        RelayOptions normal = RelayOptions.DEFAULT;
        return normal.withSweepInterval(
                        keys.duration("outbox.sweep-interval", normal.sweepInterval(), ChronoUnit.MILLIS))
                .withLeaseTime(keys.duration("outbox.lease-time", normal.leaseTime(), ChronoUnit.SECONDS))
                .withClaimTimeout(keys.duration("outbox.claim-timeout", normal.claimTimeout(), ChronoUnit.SECONDS))
                .withCloseTimeout(keys.duration(
                        "outbox.close-timeout", keys.gracePeriod(normal.closeTimeout()), ChronoUnit.SECONDS))
                .withBatchSize(keys.positive("outbox.batch-size", normal.batchSize()))
                .withHandlers(keys.positive(CONCURRENCY, normal.handlers()))
                .withMessagesPerCommit(keys.positive("handlers.messages-per-commit", normal.messagesPerCommit()));
    }

    private static Optional<String> pool(String text) {
        if (!LeaseStore.isPoolName(text)) {
            throw new IllegalArgumentException();
        }
        return Optional.of(text);
    }

    private static int zeroOrMore(String text) {
        int number = Integer.parseInt(text);
        if (number < 0) {
            throw new IllegalArgumentException();
        }
        return number;
    }

    private static CommandNaming naming(Keys keys, MicronautProblems problems) {
        String prefix = keys.text("commands.prefix", CommandNaming.DEFAULT.prefix());
        String suffix = keys.text("commands.suffix", CommandNaming.DEFAULT.suffix());
        CommandNaming naming = problems.check(
                "waybill.commands.prefix",
                prefix,
                () -> new CommandNaming(prefix, suffix, Map.of()),
                CommandNaming.DEFAULT);
        Optional<Keys.Found> reply = keys.find("commands.reply-queue");
        if (reply.isPresent()) {
            return problems.check(
                    reply.get().key(),
                    reply.get().text(),
                    () -> naming.withReplyQueue(reply.get().text()),
                    naming);
        }
        var configured = new ArrayList<>(keys.list("mq.required-queues"));
        configured.addAll(keys.below("routes").keySet());
        return naming.ofApplication(keys.applicationName(), configured);
    }

    private static ReceivingOptions receiving(Keys keys, Kept kept, MicronautProblems problems) {
        ReceivingOptions normal = ReceivingOptions.DEFAULT;
        ReceivingOptions receiving = normal.redeliveryWindow(
                        keys.duration("inbox.redelivery-window", normal.redeliveryWindow(), ChronoUnit.DAYS))
                .attempts(keys.positive("inbox.attempts", normal.attempts()));
        return problems.check(
                "waybill.inbox.retention",
                kept.inbox().toString(),
                () -> {
                    receiving.checkRetention(kept.inbox());
                    return receiving;
                },
                normal);
    }

    /** What may still be asked for is not forgotten. */
    public void checkRetentions(boolean hasProcesses, MicronautProblems problems) {
        Duration window = receiving.redeliveryWindow();
        if (hasProcesses && kept.commands().compareTo(kept.processes()) < 0) {
            problems.add(
                    "waybill.commands.retention",
                    kept.commands().toString(),
                    "Give at least waybill.processes.retention (" + kept.processes()
                            + "): the commands of a process are kept as long as the process.");
        }
        if (brokers.commandsFrom().isPresent() && kept.commands().compareTo(window) <= 0) {
            problems.add(
                    "waybill.commands.retention",
                    kept.commands().toString(),
                    "Give more than waybill.inbox.redelivery-window (" + window
                            + "), or a command that a broker delivers again runs twice.");
        }
    }

    /** Looks for the tables, where they are somebody else's task. */
    public void lookForTables(DataSource dataSource, MicronautProblems problems) {
        if (initializeSchema == InitializeSchema.NEVER) {
            var options = JdbcStoreOptions.DEFAULT.withPrefix(tablePrefix).acceptingUnorderedIds();
            problems.check(
                    "waybill.initialize-schema",
                    "never",
                    () -> Optional.of(
                            JdbcStore.on(dataSource, options, Time.system()).initializeSchema(initializeSchema)),
                    Optional.empty());
        }
    }

    public void applyTo(WaybillBuilder builder) {
        builder.relay(relay)
                .relays(relays)
                .commandNaming(commandNaming)
                .commandRetries(commandRetries)
                .tablePrefix(tablePrefix)
                .initializeSchema(initializeSchema)
                .retention(kept.messages())
                .inboxRetention(kept.inbox())
                .commandRetention(kept.commands())
                .processRetention(kept.processes())
                .cleanupEvery(kept.cleanupInterval())
                .receivingIdleTimeout(receivingIdleTimeout)
                .maxPayload(maxPayload)
                .warnAfter(warnAfter)
                .receiving(receiving);
        pool.ifPresent(builder::pool);
        ordered.forEach(builder::ordered);
        builder.unrouted(unrouted);
        if (!signals) {
            builder.withoutSignals();
        }
        brokers.applyTo(builder, consumers, commandsInOrder);
    }
}

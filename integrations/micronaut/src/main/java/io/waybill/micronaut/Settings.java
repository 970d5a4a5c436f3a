package io.waybill.micronaut;

import io.waybill.WaybillException;
import io.waybill.command.CommandNaming;
import io.waybill.command.CommandRetries;
import io.waybill.inbox.ReceivingOptions;
import io.waybill.jdbc.InitializeSchema;
import io.waybill.jdbc.JdbcStoreOptions;
import io.waybill.message.DestinationPattern;
import io.waybill.plain.Waybill;
import io.waybill.relay.RelayOptions;
import io.waybill.transport.Broker;
import io.waybill.transport.SubscriptionOptions;
import io.waybill.transport.Transport;
import io.waybill.transport.Transports;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The configuration of one instance, read once.
 *
 * @param consumers whether messages are sent and handled here, or only appended
 * @param perQueue how many batches are taken from each queue of a broker at once
 * @param routes the exact ones first, so that a wider pattern does not take what is theirs
 * @param sources where messages for {@code @SubscribeTo} come from when it is not the outbox of this database
 */
record Settings(
        RelayOptions relay,
        boolean consumers,
        int perQueue,
        List<Place> routes,
        List<Place> sources,
        Optional<String> commandsFrom,
        Optional<String> repliesFrom,
        CommandNaming commandNaming,
        CommandRetries commandRetries,
        String tablePrefix,
        InitializeSchema initializeSchema,
        Optional<String> pool,
        Duration retention,
        Duration inboxRetention,
        Duration commandRetention,
        Duration processRetention,
        ReceivingOptions receiving,
        Optional<Mq> mq) {

    /** How long what is over is remembered. */
    private static final Duration KEPT = Duration.ofDays(30);

    static final String CONCURRENCY = "messaging.consumers.concurrency";

    /** These destinations are at this broker. */
    record Place(String key, String pattern, String url) {

        boolean has(String destination) {
            return DestinationPattern.of(pattern).matches(destination);
        }
    }

    static Settings of(Keys keys, Problems problems) {
        CommandNaming naming = naming(keys, problems);
        Optional<Mq> mq =
                Mq.of(keys, problems).filter(broker -> isOpened(new Keys.Found("mq", broker.url()), true, problems));
        var routes = new ArrayList<>(places(keys, "routes", false, problems));
        mq.ifPresent(broker -> routes.add(new Place("mq", naming.prefix() + ".*." + naming.suffix(), broker.url())));
        routes.sort(EXACT_FIRST);
        List<Place> sources = places(keys, "messaging.consumers.sources", true, problems);
        Optional<String> viaMq = mq.map(Mq::url);
        return new Settings(
                relay(keys),
                keys.flag("messaging.consumers.enabled", true),
                keys.positive("messaging.consumers.per-queue", 1),
                List.copyOf(routes),
                sources,
                broker(keys, "commands.from", problems).or(() -> viaMq),
                broker(keys, "commands.replies-from", problems).or(() -> viaMq),
                naming,
                retries(keys),
                tablePrefix(keys),
                keys.value(
                        "initialize-schema",
                        InitializeSchema.ALWAYS,
                        InitializeSchema::of,
                        "Give always, embedded (only H2) or never."),
                keys.text("pool"),
                keys.durationOrZero("outbox.retention", JdbcStoreOptions.DEFAULT.retention()),
                keys.duration("inbox.retention", KEPT, ChronoUnit.SECONDS),
                keys.duration("commands.retention", KEPT, ChronoUnit.SECONDS),
                keys.duration("processes.retention", KEPT, ChronoUnit.SECONDS),
                receiving(keys, problems),
                mq);
    }

    private static final Comparator<Place> EXACT_FIRST = Comparator.comparing(
                    (Place place) -> place.pattern().contains("*"))
            .thenComparing(place -> place.pattern().replace("*", "").length(), Comparator.reverseOrder())
            .thenComparing(Place::pattern);

    private static RelayOptions relay(Keys keys) {
        RelayOptions normal = RelayOptions.DEFAULT;
        return normal.withSweepInterval(
                        keys.duration("outbox.sweep-interval", normal.sweepInterval(), ChronoUnit.MILLIS))
                .withClaimTimeout(keys.duration("outbox.claim-timeout", normal.claimTimeout(), ChronoUnit.SECONDS))
                .withBatchSize(keys.positive("outbox.batch-size", normal.batchSize()))
                .withHandlers(keys.positive(CONCURRENCY, normal.handlers()));
    }

    private static CommandNaming naming(Keys keys, Problems problems) {
        String prefix = keys.text("commands.prefix", CommandNaming.DEFAULT.prefix());
        String suffix = keys.text("commands.suffix", CommandNaming.DEFAULT.suffix());
        return problems.check(
                "waybill.commands.prefix",
                prefix,
                () -> new CommandNaming(prefix, suffix, Map.of()),
                CommandNaming.DEFAULT);
    }

    private static CommandRetries retries(Keys keys) {
        return CommandRetries.DEFAULT.mostAttempts(
                keys.positive("commands.max-attempts", CommandRetries.DEFAULT.mostAttempts()));
    }

    private static String tablePrefix(Keys keys) {
        return keys.value(
                "table-prefix",
                "",
                prefix -> JdbcStoreOptions.DEFAULT.withPrefix(prefix).prefix(),
                "Give letters, digits and underscores, such as shop_.");
    }

    private static ReceivingOptions receiving(Keys keys, Problems problems) {
        Duration window = keys.duration(
                "inbox.redelivery-window", ReceivingOptions.DEFAULT.redeliveryWindow(), ChronoUnit.SECONDS);
        ReceivingOptions receiving = ReceivingOptions.DEFAULT.redeliveryWindow(window);
        Duration retention = keys.duration("inbox.retention", KEPT, ChronoUnit.SECONDS);
        return problems.check(
                "waybill.inbox.retention",
                retention.toString(),
                () -> {
                    receiving.checkRetention(retention);
                    return receiving;
                },
                ReceivingOptions.DEFAULT);
    }

    /** Those that cannot be opened too: what else is wrong with them is still looked for. */
    private static List<Place> places(Keys keys, String key, boolean received, Problems problems) {
        var places = new ArrayList<Place>();
        keys.below(key).forEach((pattern, found) -> {
            if (received || !isLocal(found.text())) {
                isOpened(found, received, problems);
            }
            places.add(new Place(found.key(), pattern, found.text()));
        });
        places.sort(EXACT_FIRST);
        return List.copyOf(places);
    }

    private static Optional<String> broker(Keys keys, String key, Problems problems) {
        return keys.find(key).filter(found -> isOpened(found, true, problems)).map(Keys.Found::text);
    }

    /** Opening waits for nobody: it says whether the URL is one, and whether its module is here. */
    private static boolean isOpened(Keys.Found url, boolean received, Problems problems) {
        String shown = withoutPassword(url.text());
        if (!url.text().contains(":")) {
            problems.add(url.key(), shown, "Give the URL of a broker, such as kafka://localhost:9092.");
            return false;
        }
        try (Transport transport = Transports.open(url.text())) {
            if (received && !(transport instanceof Broker)) {
                problems.add(
                        url.key(),
                        shown,
                        "Messages can be sent there but not received: give a broker, kafka://, amqp://,"
                                + " jms+artemis:// or jms+ibmmq://.");
                return false;
            }
            return true;
        } catch (WaybillException e) {
            problems.add(url.key(), shown, String.valueOf(e.getMessage()));
            return false;
        }
    }

    private static String withoutPassword(String url) {
        return url.replaceFirst("//[^/@]*@", "//***@").replaceAll("(?i)((secret|password|token)[^=&]*=)[^&]*", "$1***");
    }

    /** Where messages of this destination come from; nothing when it is the outbox of this database. */
    Optional<Place> sourceOf(String destination) {
        return sources.stream().filter(place -> place.has(destination)).findFirst();
    }

    /** What leads messages of this destination away from this process. */
    Optional<Place> routeOf(String destination) {
        return routes.stream()
                .filter(place -> place.has(destination))
                .findFirst()
                .filter(place -> !isLocal(place.url()));
    }

    private static boolean isLocal(String url) {
        return url.startsWith(Transports.LOCAL + ":");
    }

    SubscriptionOptions subscription(String destination, String handler) {
        return SubscriptionOptions.to(destination, handler).concurrency(perQueue);
    }

    void applyTo(Waybill.Builder builder) {
        builder.relay(relay)
                .relays(consumers ? 1 : 0)
                .consumers(perQueue)
                .commandNaming(commandNaming)
                .commandRetries(commandRetries)
                .tablePrefix(tablePrefix)
                .initializeSchema(initializeSchema)
                .retention(retention)
                .inboxRetention(inboxRetention)
                .commandRetention(commandRetention)
                .processRetention(processRetention)
                .receiving(receiving);
        pool.ifPresent(builder::pool);
        routes.forEach(route -> builder.route(route.pattern(), route.url()));
        if (consumers) {
            commandsFrom.ifPresent(builder::commandsFrom);
            repliesFrom.ifPresent(builder::repliesFrom);
        }
    }
}

package io.waybill.spring;

import io.waybill.WaybillException;
import io.waybill.command.CommandNaming;
import io.waybill.command.CommandRetries;
import io.waybill.inbox.ReceivingOptions;
import io.waybill.jdbc.JdbcStoreOptions;
import io.waybill.message.DestinationPattern;
import io.waybill.plain.Waybill;
import io.waybill.relay.RelayOptions;
import io.waybill.relay.Route;
import io.waybill.transport.Broker;
import io.waybill.transport.SubscriptionOptions;
import io.waybill.transport.Transport;
import io.waybill.transport.Transports;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The settings as an instance wants them; what is wrong with them is noted, and the default taken instead. */
final class Settings {

    private final WaybillProperties properties;
    private final Problems problems;
    private final CommandNaming naming;

    Settings(WaybillProperties properties, Problems problems) {
        this.properties = properties;
        this.problems = problems;
        var commands = properties.commands();
        this.naming = problems.check(
                "waybill.commands.prefix and suffix",
                commands.prefix() + ", " + commands.suffix(),
                () -> new CommandNaming(commands.prefix(), commands.suffix(), CommandNaming.DEFAULT.queues()),
                CommandNaming.DEFAULT);
    }

    /** Says all settings to this builder. */
    void apply(Waybill.Builder builder) {
        builder.initializeSchema(properties.initializeSchema())
                .tablePrefix(tablePrefix())
                .relays(relays())
                .relay(relay())
                .retention(retention())
                .receiving(receiving())
                .inboxRetention(properties.inbox().retention())
                .commandRetention(properties.commands().retention())
                .processRetention(properties.processes().retention())
                .commandNaming(naming)
                .commandRetries(retries());
        if (properties.pool() != null) {
            builder.pool(properties.pool());
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
        routes(builder);
        consumers(builder);
    }

    CommandNaming naming() {
        return naming;
    }

    /** The broker that messages of this destination come from; nothing when they come from the outbox of this database. */
    Optional<String> sourceOf(String destination) {
        return properties.messaging().consumers().sources().stream()
                .filter(source -> matches(source.pattern(), destination))
                .map(WaybillProperties.Source::url)
                .findFirst();
    }

    /** The route that leads messages of this destination away from this database. */
    Optional<WaybillProperties.Route> routeOf(String destination) {
        return properties.routes().stream()
                .filter(route -> matches(route.pattern(), destination))
                .findFirst()
                .filter(route -> !route.url().startsWith(Transports.LOCAL + ":"));
    }

    /** A pattern that is none matches nothing; it is among the problems. */
    private static boolean matches(String pattern, String destination) {
        try {
            return DestinationPattern.of(pattern).matches(destination);
        } catch (WaybillException e) {
            return false;
        }
    }

    /** How many connections handlers may hold at the same time. */
    int connectionsAtOnce(int subscriptions) {
        return properties.relays() * handlers() + subscriptions * concurrency();
    }

    /** The same in words. */
    String whatRunsAtOnce(int subscriptions) {
        return properties.relays() + (properties.relays() == 1 ? " relay" : " relays") + " with " + handlers()
                + " handlers each"
                + (subscriptions == 0
                        ? ""
                        : " and " + subscriptions + (subscriptions == 1 ? " subscription" : " subscriptions")
                                + " to brokers (waybill.messaging.consumers.concurrency = " + concurrency() + ")");
    }

    int handlers() {
        return properties.handlers().concurrency();
    }

    private int concurrency() {
        return properties.messaging().consumers().concurrency();
    }

    /** Subscriptions that are made for commands and their answers. */
    int commandSubscriptions(int queues) {
        var consumers = properties.messaging().consumers();
        return (consumers.commandsFrom().isEmpty() ? 0 : queues)
                + (consumers.repliesFrom().isEmpty() ? 0 : 1);
    }

    /** Sources that no subscriber of this application takes anything from. */
    void refuseSourcesBut(Set<String> destinations) {
        List<WaybillProperties.Source> sources =
                properties.messaging().consumers().sources();
        for (int i = 0; i < sources.size(); i++) {
            String pattern = sources.get(i).pattern();
            if (!pattern.isBlank() && destinations.stream().noneMatch(name -> matches(pattern, name))) {
                problems.add(
                        "waybill.messaging.consumers.sources[" + i + "].pattern",
                        pattern,
                        "no @SubscribeTo of this application is for such a destination"
                                + (destinations.isEmpty()
                                        ? "."
                                        : ": they are for " + String.join(", ", destinations) + ".")
                                + " Mend the pattern, or remove the source.");
            }
        }
    }

    /** Where commands and answers come from, for people. */
    String commandSources() {
        var consumers = properties.messaging().consumers();
        return Stream.of(consumers.commandsFrom(), consumers.repliesFrom())
                .filter(url -> !url.isEmpty())
                .map(Settings::withoutPassword)
                .distinct()
                .collect(Collectors.joining(", "));
    }

    boolean receives() {
        return properties.messaging().consumers().enabled();
    }

    /** Whether all instances on these tables handle the same. */
    boolean isOnlyPool() {
        return properties.pool() == null;
    }

    SubscriptionOptions subscription(String destination, String handler) {
        return SubscriptionOptions.to(destination, handler).concurrency(concurrency());
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

    private RelayOptions relay() {
        var outbox = properties.outbox();
        int concurrency = properties.handlers().concurrency();
        RelayOptions relay = RelayOptions.DEFAULT;
        relay = with(
                relay,
                "waybill.outbox.sweep-interval",
                outbox.sweepInterval(),
                from -> from.withSweepInterval(outbox.sweepInterval()));
        relay = with(
                relay,
                "waybill.outbox.claim-timeout",
                outbox.claimTimeout(),
                from -> from.withClaimTimeout(outbox.claimTimeout()));
        relay = with(
                relay, "waybill.outbox.batch-size", outbox.batchSize(), from -> from.withBatchSize(outbox.batchSize()));
        return with(relay, "waybill.handlers.concurrency", concurrency, from -> from.withHandlers(concurrency));
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
    void checkRetentions(boolean hasProcesses) {
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
        if (!properties.messaging().consumers().commandsFrom().isEmpty() && commands.compareTo(window) <= 0) {
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
                () -> CommandRetries.DEFAULT.mostAttempts(attempts),
                CommandRetries.DEFAULT);
    }

    private void routes(Waybill.Builder builder) {
        List<WaybillProperties.Route> routes = properties.routes();
        for (int i = 0; i < routes.size(); i++) {
            String key = "waybill.routes[" + i + "]";
            WaybillProperties.Route route = routes.get(i);
            boolean pattern = isGiven(key + ".pattern", route.pattern());
            boolean url = isGiven(key + ".url", route.url());
            if (pattern && url) {
                problems.check(
                        key,
                        route.pattern() + " to " + withoutPassword(route.url()),
                        () -> builder.route(route.pattern(), route.url(), made -> described(made, route)),
                        builder);
            }
        }
    }

    private static Route described(Route made, WaybillProperties.Route route) {
        Route described = made.format(route.format());
        if (route.name() != null) {
            described = described.named(route.name());
        }
        if (route.maxAttempts() != null) {
            described = described.maxAttempts(route.maxAttempts());
        }
        return route.onExhausted() == null ? described : described.onExhausted(route.onExhausted());
    }

    private void consumers(Waybill.Builder builder) {
        var consumers = properties.messaging().consumers();
        positive("waybill.messaging.consumers.concurrency", consumers.concurrency(), consumers.concurrency());
        for (int i = 0; i < consumers.sources().size(); i++) {
            String key = "waybill.messaging.consumers.sources[" + i + "]";
            WaybillProperties.Source source = consumers.sources().get(i);
            boolean pattern = isGiven(key + ".pattern", source.pattern());
            boolean url = isGiven(key + ".url", source.url());
            if (pattern) {
                problems.check(
                        key + ".pattern",
                        source.pattern(),
                        () -> DestinationPattern.of(source.pattern()),
                        DestinationPattern.of("**"));
            }
            if (url) {
                isBroker(key + ".url", source.url());
            }
        }
        if (consumers.concurrency() > 0) {
            builder.consumers(consumers.concurrency());
        }
        if (!properties.commands().inOrder()) {
            builder.commandsInAnyOrder();
        }
        if (isBroker("waybill.messaging.consumers.commands-from", consumers.commandsFrom()) && consumers.enabled()) {
            builder.commandsFrom(consumers.commandsFrom());
        }
        if (isBroker("waybill.messaging.consumers.replies-from", consumers.repliesFrom()) && consumers.enabled()) {
            builder.repliesFrom(consumers.repliesFrom());
        }
    }

    /** Whether messages can be received from there; opening makes no connection. */
    private boolean isBroker(String key, String url) {
        if (url.isEmpty()) {
            return false;
        }
        return problems.check(
                key,
                withoutPassword(url),
                () -> {
                    try (Transport transport = Transports.open(url)) {
                        if (transport instanceof Broker) {
                            return true;
                        }
                    }
                    throw new WaybillException("messages can be sent there but not received: give the URL of a broker,"
                            + " such as kafka://, amqp:// or jms+artemis://.");
                },
                false);
    }

    private boolean isGiven(String key, String value) {
        if (value.isBlank()) {
            problems.add(key, null, "every route and source has a pattern and a url.");
        }
        return !value.isBlank();
    }

    private void positive(String key, long number, Object value) {
        if (number < 1) {
            problems.add(key, value, "it must be more than zero.");
        }
    }

    static String withoutPassword(String url) {
        return url.replaceFirst("//[^/@]*@", "//***@");
    }
}

package io.waybill.spring.settings;

import io.waybill.WaybillException;
import io.waybill.command.CommandNaming;
import io.waybill.message.DestinationPattern;
import io.waybill.relay.route.Route;
import io.waybill.runtime.ConsumerOrder;
import io.waybill.runtime.WaybillBuilder;
import io.waybill.transport.SubscriptionOptions;
import io.waybill.transport.TransportUrl;
import io.waybill.transport.Transports;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Where messages go and where they come from; what is wrong with it is noted, and left out. */
public final class SpringBrokers {

    private final List<WaybillProperties.Route> routes;
    private final WaybillProperties.Consumers consumers;
    private final String commandsFrom;
    private final String repliesFrom;
    private final ConsumerOrder order;
    private final Optional<WaybillProperties.Route> byDefault;
    private final List<String> required;
    private final SpringProblems problems;

    /** The broker of {@code waybill.mq} has all commands that no route leads elsewhere. */
    SpringBrokers(WaybillProperties properties, CommandNaming naming, Optional<String> mq, SpringProblems problems) {
        this.problems = problems;
        this.consumers = properties.messaging().consumers();
        this.order = new ConsumerOrder(consumers.concurrency());
        this.routes = new ArrayList<>(properties.routes());
        this.byDefault = mq.map(url -> WaybillProperties.Route.to(naming.prefix() + ".*." + naming.suffix(), url));
        this.required = properties.mq().requiredQueues();
        byDefault.ifPresent(routes::add);
        this.commandsFrom = consumers.commandsFrom().isEmpty() ? mq.orElse("") : consumers.commandsFrom();
        this.repliesFrom = consumers.repliesFrom().isEmpty() ? mq.orElse("") : consumers.repliesFrom();
    }

    /** @param inOrder what the settings say about commands, or nothing */
    void apply(WaybillBuilder builder, @Nullable Boolean inOrder) {
        for (int i = 0; i < routes.size(); i++) {
            route("waybill.routes[" + i + "]", routes.get(i), builder);
        }
        for (int i = 0; i < consumers.sources().size(); i++) {
            source(
                    "waybill.messaging.consumers.sources[" + i + "]",
                    consumers.sources().get(i));
        }
        if (consumers.concurrency() < 1) {
            problems.add(
                    "waybill.messaging.consumers.concurrency", consumers.concurrency(), "it must be more than zero.");
        } else {
            builder.consumers(consumers.concurrency());
        }
        if (consumers.batchSize() < 1) {
            problems.add("waybill.messaging.consumers.batch-size", consumers.batchSize(), "it must be more than zero.");
        } else {
            builder.consumerBatchSize(consumers.batchSize());
        }
        if (isBroker("waybill.messaging.consumers.commands-from", commandsFrom) && receives()) {
            builder.commandsFrom(commandsFrom);
            orderCommands(builder, inOrder);
        }
        if (isBroker("waybill.messaging.consumers.replies-from", repliesFrom) && receives()) {
            builder.repliesFrom(repliesFrom);
        }
    }

    private void orderCommands(WaybillBuilder builder, @Nullable Boolean inOrder) {
        if (Boolean.TRUE.equals(inOrder) && !order.isKeptBy(commandsFrom)) {
            problems.add("waybill.commands.in-order", true, order.refusal(commandsFrom));
        } else if (Boolean.FALSE.equals(inOrder) || !order.isKeptOrWarned(commandsFrom)) {
            builder.commandsInAnyOrder();
        }
    }

    /** The broker that messages of this destination come from; nothing when they come from the outbox of this database. */
    public Optional<String> sourceOf(String destination) {
        return consumers.sources().stream()
                .filter(source -> matches(source.pattern(), destination))
                .map(WaybillProperties.Source::url)
                .findFirst();
    }

    /** The pattern that leads messages of this destination away from this database. */
    public Optional<String> routeOf(String destination) {
        return routes.stream()
                .filter(route -> matches(route.pattern(), destination))
                .findFirst()
                .filter(route -> !route.url().startsWith(Transports.LOCAL + ":"))
                .map(WaybillProperties.Route::pattern);
    }

    /** Whether only {@code waybill.mq} leads commands of this queue away, and nobody has named it. */
    public boolean isByDefault(String queue) {
        return byDefault.isPresent()
                && routes.stream()
                        .filter(route -> matches(route.pattern(), queue))
                        .findFirst()
                        .filter(byDefault.get()::equals)
                        .isPresent()
                && !required.contains(queue);
    }

    /** A pattern that is none matches nothing; it is among the problems. */
    private static boolean matches(String pattern, String destination) {
        try {
            return DestinationPattern.of(pattern).matches(destination);
        } catch (WaybillException e) {
            return false;
        }
    }

    public boolean receives() {
        return consumers.enabled();
    }

    boolean receivesCommands() {
        return !commandsFrom.isEmpty();
    }

    boolean takesRepliesLike(SpringBrokers other) {
        return receives() && other.receives() && !repliesFrom.isEmpty() && repliesFrom.equals(other.repliesFrom);
    }

    /** How many batches of a subscription are handled at once. */
    int concurrency() {
        return consumers.concurrency();
    }

    /** Subscriptions that are made for commands and their replies. */
    public int commandSubscriptions(int queues) {
        return (commandsFrom.isEmpty() ? 0 : queues) + (repliesFrom.isEmpty() ? 0 : 1);
    }

    public SubscriptionOptions subscription(String url, String destination, String handler) {
        return order.subscription(url, destination, handler).batchSize(consumers.batchSize());
    }

    /** Where commands and replies come from, for people. */
    public String commandSources() {
        return Stream.of(commandsFrom, repliesFrom)
                .filter(url -> !url.isEmpty())
                .map(TransportUrl::withoutPassword)
                .distinct()
                .collect(Collectors.joining(", "));
    }

    /** Sources that no subscriber of this application takes anything from. */
    public void refuseSourcesBut(Set<String> destinations) {
        for (int i = 0; i < consumers.sources().size(); i++) {
            String pattern = consumers.sources().get(i).pattern();
            if (!pattern.isBlank() && destinations.stream().noneMatch(name -> matches(pattern, name))) {
                problems.add(
                        "waybill.messaging.consumers.sources[" + i + "].pattern",
                        pattern,
                        "no @SubscribeTo of this application is for such a destination"
                                + (destinations.isEmpty()
                                        ? "."
                                        : ": they are for " + String.join(", ", destinations) + ".")
                                + " Correct the pattern, or remove the source.");
            }
        }
    }

    private void route(String key, WaybillProperties.Route route, WaybillBuilder builder) {
        boolean pattern = isGiven(key + ".pattern", route.pattern());
        boolean url = isGiven(key + ".url", route.url());
        if (pattern && url) {
            problems.check(
                    key,
                    route.pattern() + " to " + TransportUrl.withoutPassword(route.url()),
                    () -> builder.route(route.pattern(), route.url(), made -> described(made, route)),
                    builder);
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

    private void source(String key, WaybillProperties.Source source) {
        if (isGiven(key + ".pattern", source.pattern())) {
            problems.check(
                    key + ".pattern",
                    source.pattern(),
                    () -> DestinationPattern.of(source.pattern()),
                    DestinationPattern.of("**"));
        }
        if (isGiven(key + ".url", source.url())) {
            isBroker(key + ".url", source.url());
        }
    }

    private boolean isGiven(String key, String value) {
        if (value.isBlank()) {
            problems.add(key, null, "every route and source has a pattern and a url.");
        }
        return !value.isBlank();
    }

    private boolean isBroker(String key, String url) {
        return !url.isEmpty() && isBroker(key, url, problems);
    }

    /** Whether messages can be received from there; opening makes no connection. */
    static boolean isBroker(String key, String url, SpringProblems problems) {
        return problems.check(
                key,
                TransportUrl.withoutPassword(url),
                () -> {
                    Transports.openBroker(url).close();
                    return true;
                },
                false);
    }
}

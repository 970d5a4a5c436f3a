package io.waybill.micronaut.settings;

import io.waybill.WaybillException;
import io.waybill.command.CommandNaming;
import io.waybill.message.DestinationPattern;
import io.waybill.runtime.ConsumerOrder;
import io.waybill.runtime.WaybillBuilder;
import io.waybill.transport.SubscriptionOptions;
import io.waybill.transport.Transport;
import io.waybill.transport.TransportUrl;
import io.waybill.transport.Transports;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Where messages go and where they come from.
 *
 * @param concurrency how many consumers each topic or queue of a broker has
 * @param batchSize how many messages they take at once
 * @param routes the exact ones first, so that a wider pattern does not take what is theirs
 * @param sources where messages for {@code @SubscribeTo} come from when it is not the outbox of this database
 */
public record MicronautBrokers(
        int concurrency,
        int batchSize,
        List<Place> routes,
        List<Place> sources,
        Optional<String> commandsFrom,
        Optional<String> repliesFrom,
        Optional<MicronautMq> mq,
        ConsumerOrder order) {

    private static final Comparator<Place> EXACT_FIRST = Comparator.comparing(
                    (Place place) -> place.pattern().contains("*"))
            .thenComparing(place -> place.pattern().replace("*", "").length(), Comparator.reverseOrder())
            .thenComparing(Place::pattern);

    /** These destinations are at this broker. */
    public record Place(String key, String pattern, String url) {

        boolean has(String destination) {
            return DestinationPattern.of(pattern).matches(destination);
        }
    }

    static MicronautBrokers of(Keys keys, CommandNaming naming, MicronautProblems problems) {
        Optional<MicronautMq> mq = MicronautMq.of(keys, problems)
                .filter(broker -> isOpened(new Keys.Found("mq", broker.url()), true, problems));
        var routes = new ArrayList<>(places(keys, "routes", false, problems));
        mq.ifPresent(broker -> routes.add(new Place("mq", naming.prefix() + ".*." + naming.suffix(), broker.url())));
        routes.sort(EXACT_FIRST);
        Optional<String> viaMq = mq.map(MicronautMq::url);
        int concurrency = keys.positive("messaging.consumers.concurrency", 1);
        return new MicronautBrokers(
                concurrency,
                keys.positive("messaging.consumers.batch-size", 100),
                List.copyOf(routes),
                places(keys, "messaging.consumers.sources", true, problems),
                broker(keys, "commands.from", problems).or(() -> viaMq),
                broker(keys, "commands.replies-from", problems).or(() -> viaMq),
                mq,
                new ConsumerOrder(concurrency));
    }

    /** Those that cannot be opened too: what else is wrong with them is still looked for. */
    private static List<Place> places(Keys keys, String key, boolean received, MicronautProblems problems) {
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

    private static Optional<String> broker(Keys keys, String key, MicronautProblems problems) {
        return keys.find(key).filter(found -> isOpened(found, true, problems)).map(Keys.Found::text);
    }

    /** Opening waits for nobody: it says whether the URL is one, and whether its module is here. */
    private static boolean isOpened(Keys.Found url, boolean received, MicronautProblems problems) {
        String shown = TransportUrl.withoutPassword(url.text());
        if (!url.text().contains(":")) {
            problems.add(url.key(), shown, "Give the URL of a broker, such as kafka://localhost:9092.");
            return false;
        }
        try {
            Transport transport = received ? Transports.openBroker(url.text()) : Transports.open(url.text());
            transport.close();
            return true;
        } catch (WaybillException e) {
            problems.add(url.key(), shown, String.valueOf(e.getMessage()));
            return false;
        }
    }

    private static boolean isLocal(String url) {
        return url.startsWith(Transports.LOCAL + ":");
    }

    /** Where messages of this destination come from; nothing when it is the outbox of this database. */
    public Optional<Place> sourceOf(String destination) {
        return sources.stream().filter(place -> place.has(destination)).findFirst();
    }

    /** Sources that no subscriber takes anything from. */
    public void refuseSourcesBut(Set<String> destinations, MicronautProblems problems) {
        for (Place source : sources) {
            if (destinations.stream().noneMatch(source::has)) {
                problems.add(
                        source.key(),
                        TransportUrl.withoutPassword(source.url()),
                        "No @SubscribeTo of this application is for such a destination"
                                + (destinations.isEmpty()
                                        ? "."
                                        : ": they are for " + String.join(", ", destinations) + ".")
                                + " Correct the pattern, or remove the source.");
            }
        }
    }

    /** What leads messages of this destination away from this process. */
    public Optional<Place> routeOf(String destination) {
        return routes.stream()
                .filter(place -> place.has(destination))
                .findFirst()
                .filter(place -> !isLocal(place.url()));
    }

    /** Whether only {@code mq} leads commands of this queue away, and nobody has named it. */
    public boolean isByDefault(String queue) {
        return routeOf(queue).filter(place -> place.key().equals("mq")).isPresent()
                && mq.filter(broker -> broker.requiredQueues().contains(queue)).isEmpty();
    }

    /** Where commands and replies come from, for people. */
    public String commandSources() {
        return Stream.of(commandsFrom, repliesFrom)
                .flatMap(Optional::stream)
                .map(TransportUrl::withoutPassword)
                .distinct()
                .collect(Collectors.joining(", "));
    }

    public SubscriptionOptions subscription(String url, String destination, String handler) {
        return order.subscription(url, destination, handler).batchSize(batchSize);
    }

    /** Commands that must be in order, and consumers that cannot keep it. */
    public void refuseOrder(MicronautProblems problems) {
        commandsFrom
                .filter(url -> !order.isKeptBy(url))
                .ifPresent(url -> problems.add("waybill.commands.in-order", "true", order.refusal(url)));
    }

    /**
     * Says it to this builder.
     *
     * @param received whether anything is taken from brokers here
     * @param inOrder what is said about commands, or nothing
     */
    void applyTo(WaybillBuilder builder, boolean received, Optional<Boolean> inOrder) {
        builder.consumers(concurrency).consumerBatchSize(batchSize);
        routes.forEach(route -> builder.route(route.pattern(), route.url()));
        if (received) {
            commandsFrom.ifPresent(url -> {
                builder.commandsFrom(url);
                if (!inOrder.orElse(true) || !order.isKeptOrWarned(url)) {
                    builder.commandsInAnyOrder();
                }
            });
            repliesFrom.ifPresent(builder::repliesFrom);
        }
    }
}

package io.waybill.micronaut;

import io.waybill.command.CommandNaming;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Compares how many messages are handled at once with the connections that there are: each needs one. */
record PoolCheck(Settings settings, int connections) {

    private static final Logger log = LoggerFactory.getLogger(PoolCheck.class);

    void check(Set<String> handled, List<SubscriberMethod> subscribers, Problems problems) {
        int concurrency = settings.relays() * settings.relay().handlers();
        int fromBrokers = settings.brokers().perQueue() * queues(handled, subscribers);
        int wanted = concurrency + fromBrokers;
        if (2 * concurrency <= connections && wanted < connections) {
            return;
        }
        String advice = Settings.CONCURRENCY + " is '" + settings.relay().handlers() + "'"
                + (settings.relays() > 1 ? " for each of " + settings.relays() + " relays" : "") + ", and the pool has "
                + connections
                + " connections. Each handler needs one"
                + (fromBrokers == 0 ? "" : ", so does each of the " + fromBrokers + " consumers of brokers")
                + ", and relays and requests need some too: raise maximum-pool-size of the data source to "
                + Math.max(2 * concurrency, wanted + 4) + ", or lower the concurrency to "
                + Math.max(1, connections / 2) + ".";
        if (concurrency >= connections) {
            problems.add(advice);
        } else {
            log.warn("WB-601 {}", advice);
        }
    }

    private int queues(Set<String> handled, List<SubscriberMethod> subscribers) {
        CommandNaming naming = settings.commandNaming();
        long commands = settings.brokers().commandsFrom().isEmpty()
                ? 0
                : handled.stream().map(naming::queueOf).distinct().count();
        long received = subscribers.stream()
                .filter(method ->
                        settings.brokers().sourceOf(method.destination()).isPresent())
                .count();
        return (int) (commands + received + (settings.brokers().repliesFrom().isPresent() ? 1 : 0));
    }
}

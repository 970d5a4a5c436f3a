package io.waybill.micronaut;

import io.waybill.command.CommandNaming;
import io.waybill.micronaut.settings.MicronautProblems;
import io.waybill.micronaut.settings.MicronautSettings;
import io.waybill.runtime.PoolUse;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Compares how many messages are handled at once with the connections that there are. */
record PoolCheck(MicronautSettings settings, int connections) {

    private static final Logger log = LoggerFactory.getLogger(PoolCheck.class);

    /** @param processes whether there are definitions of processes */
    void check(Set<String> handled, List<SubscriberMethod> subscribers, boolean processes, MicronautProblems problems) {
        var use = new PoolUse(
                settings.relays(),
                settings.relay().handlers(),
                settings.brokers().concurrency(),
                queues(handled, subscribers));
        boolean handles =
                !handled.isEmpty() || processes || subscribers.stream().anyMatch(this::isFromOutbox);
        PoolUse counted = handles ? use : use.withoutHandlers();
        if (use.byRelays() <= connections && !counted.isTightIn(connections)) {
            return;
        }
        String advice = MicronautSettings.CONCURRENCY + " is '"
                + settings.relay().handlers() + "'"
                + (settings.relays() > 1 ? " for each of " + settings.relays() + " relays" : "")
                + (use.queues() == 0 ? "" : ", messaging.consumers.concurrency is '" + use.consumers() + "'")
                + ", and the pool has "
                + connections
                + " connections. Rule: either is half of the pool at most, as relays and requests need connections too."
                + " Raise maximum-pool-size of the data source to "
                + (use.byRelays() > connections ? use : counted).pool() + ", or lower the concurrency to "
                + Math.max(1, connections / (2 * Math.max(1, settings.relays()))) + ".";
        if (use.byRelays() > connections) {
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
        long received =
                subscribers.stream().filter(method -> !isFromOutbox(method)).count();
        return (int) (commands + received + (settings.brokers().repliesFrom().isPresent() ? 1 : 0));
    }

    private boolean isFromOutbox(SubscriberMethod method) {
        return settings.brokers().sourceOf(method.destination()).isEmpty();
    }
}

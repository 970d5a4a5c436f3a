package io.waybill.relay;

import io.waybill.relay.handle.HandlerPool;
import io.waybill.relay.handle.HandlerResult;
import io.waybill.relay.lease.HeldShards;
import io.waybill.relay.lease.ShardLeases;
import io.waybill.relay.publish.BatchSender;
import io.waybill.relay.publish.InFlightPublishes;
import io.waybill.store.outbox.ClaimedMessage;
import io.waybill.store.outbox.Key;
import io.waybill.store.outbox.Lease;
import io.waybill.store.outbox.OutboxStore;
import io.waybill.store.outbox.Settlements;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The end of a cycle: what brokers and handlers have answered is written under the leases with which it was claimed, and listeners
 * are notified.
 *
 * <p><i>Threads:</i> the relay's own.
 */
final class Settler {

    private final OutboxStore store;
    private final ShardLeases leases;
    private final BatchSender sender;
    private final InFlightPublishes publishes;
    private final HandlerPool handlers;
    private final ClaimPlanner claims;
    private final NotedAttempts attempts;

    Settler(
            OutboxStore store,
            ShardLeases leases,
            BatchSender sender,
            InFlightPublishes publishes,
            HandlerPool handlers,
            ClaimPlanner claims,
            NotedAttempts attempts) {
        this.store = store;
        this.leases = leases;
        this.sender = sender;
        this.publishes = publishes;
        this.handlers = handlers;
        this.claims = claims;
        this.attempts = attempts;
    }

    /** What is to be settled, by the leases under which it was claimed. */
    record Answers(Map<HeldShards, Settlements> settlements) {

        static final Answers NONE = new Answers(Map.of());

        int size() {
            return settlements.values().stream().mapToInt(Settlements::size).sum();
        }

        /** Whether everything was accepted, and nothing of it had been refused before. */
        boolean arePlain() {
            return settlements.values().stream().allMatch(Settlements::isPlain);
        }

        /** The keys whose next messages have to wait for one of these. */
        Set<Key> stoppedKeys() {
            return settlements.values().stream()
                    .flatMap(Settlements::stoppedKeys)
                    .collect(Collectors.toSet());
        }

        /** These messages and those. */
        List<ClaimedMessage> and(List<ClaimedMessage> batch) {
            return Stream.concat(settlements.values().stream().flatMap(Settlements::settled), batch.stream())
                    .toList();
        }
    }

    /** What was not sent of a batch, and what brokers have answered by now. */
    Answers answers(HeldShards held, Settlements unsent) {
        Map<HeldShards, Settlements> settlements = new LinkedHashMap<>();
        settlements.put(held, unsent);
        return withAnswers(settlements);
    }

    /** Settles what brokers have answered. Returns how many messages. */
    int settlePublished() {
        Answers answers = withAnswers(new LinkedHashMap<>());
        settle(answers);
        return answers.size();
    }

    /** Settles what handlers could not handle; what they have handled is settled already. Returns how many messages they have ended. */
    int settleHandled() {
        List<HandlerResult> ended = handlers.ended();
        if (ended.isEmpty()) {
            return 0;
        }
        var settlements = Settlements.none();
        for (HandlerResult end : ended) {
            // What was not committed, and is another relay's by now, is for that one to settle.
            if (!(end.result() instanceof HandlerResult.Failed)
                    || leases.covers(end.message().lane())) {
                sender.settle(end, settlements);
            }
            attempts.answered(List.of(end.message()), end.isSettled());
        }
        sender.notifyHandled(settlements);
        write(leases.all(), settlements);
        handlers.forget(ended);
        return ended.size();
    }

    /** Adds what brokers have answered, by the leases under which it was claimed. */
    private Answers withAnswers(Map<HeldShards, Settlements> settlements) {
        for (InFlightPublishes.Batch batch : publishes.ended()) {
            Settlements settled = settlements.computeIfAbsent(batch.held(), none -> Settlements.none());
            int before = settled.size();
            sender.settle(batch, settled);
            attempts.answered(batch.messages(), settled.size() > before);
        }
        return new Answers(settlements);
    }

    /** Returns whether the store has written all of it: it does not write what belongs to a lease that was lost. */
    boolean settle(Answers answers) {
        int written = 0;
        for (var settled : answers.settlements().entrySet()) {
            written += write(settled.getKey().leases(), settled.getValue());
        }
        return written == answers.size();
    }

    private int write(List<Lease> leases, Settlements settlements) {
        int written = 0;
        try {
            written = store.settle(leases, settlements);
        } finally {
            // At least so many, where others of the batch were refused.
            sender.notifyUnsettled(settlements.dispatched().size() - written);
        }
        claims.expect(settlements.retries());
        sender.notifySettled(settlements);
        return written;
    }
}

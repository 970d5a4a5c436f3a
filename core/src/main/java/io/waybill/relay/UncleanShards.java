package io.waybill.relay;

import io.waybill.Time;
import io.waybill.observe.WaitingItem;
import io.waybill.relay.lease.HeldShards;
import io.waybill.relay.lease.ShardLeases;
import io.waybill.relay.publish.BatchSender;
import io.waybill.relay.publish.InFlightPublishes;
import io.waybill.relay.route.RelayOptions;
import io.waybill.store.outbox.ClaimedMessage;
import io.waybill.store.outbox.Lane;
import io.waybill.store.outbox.Lease;
import io.waybill.store.outbox.OutboxStore;
import io.waybill.store.outbox.Settlements;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shards whose last relay ended without a word. One of their first messages may have killed it, so these go one by one, each
 * with its attempt written before it is sent: a message that kills every relay runs out of attempts like any other.
 */
final class UncleanShards {

    private static final Logger log = LoggerFactory.getLogger(UncleanShards.class);

    private final OutboxStore store;
    private final ShardLeases leases;
    private final ClaimPlanner claims;
    private final BatchSender sender;
    private final InFlightPublishes publishes;
    private final NotedAttempts attempts;
    private final Settler settler;
    private final RelayOptions options;
    private final Time time;
    private volatile State state;
    private final Map<Integer, Integer> left = new HashMap<>();

    UncleanShards(
            OutboxStore store,
            ShardLeases leases,
            ClaimPlanner claims,
            BatchSender sender,
            InFlightPublishes publishes,
            NotedAttempts attempts,
            Settler settler,
            RelayOptions options,
            Time time) {
        this.time = time;
        this.state = new State(0, time.clock().instant());
        this.store = store;
        this.leases = leases;
        this.claims = claims;
        this.sender = sender;
        this.publishes = publishes;
        this.attempts = attempts;
        this.settler = settler;
        this.options = options;
    }

    /** How many shards are unclean, and since when there are any. */
    private record State(int shards, Instant since) {}

    /** That shards go one by one. Others than the relay's thread may ask. */
    Optional<WaitingItem> waiting(Duration patience) {
        State now = state;
        return now.shards == 0
                ? Optional.empty()
                : Optional.of(WaitingItem.of(
                        WaitingItem.Kind.SHARD,
                        "taken over",
                        now.shards,
                        now.since,
                        now.since.isBefore(time.clock().instant().minus(patience)),
                        "the relay before this one ended without giving " + now.shards
                                + " shards back: their first messages go one by one, and each handler is alone for its first "
                                + NotedAttempts.ALONE.toSeconds() + " seconds",
                        "these messages are published or handled"));
    }

    /**
     * Sends at most one message of each unclean shard that may be sent to its destination now. Neither a slow broker nor a slow
     * handler is waited for: what its shards send elsewhere meanwhile counts, so that nobody goes one by one for as long as it is slow.
     *
     * @param patience how long brokers are waited for
     */
    int runOnce(HeldShards unclean, Duration patience) {
        int shards = unclean.leases().size();
        if (shards != state.shards) {
            state = new State(shards, state.shards == 0 ? time.clock().instant() : state.since);
        }
        if (shards == 0) {
            return 0;
        }
        Collection<Lane> lanes = store.lanes();
        int budget = Math.max(1, options.batchSize() / shards);
        int done = 0;
        for (Lease lease : unclean.leases()) {
            List<Lane> own = lanes.stream()
                    .filter(lane -> lane.shard() == lease.shard() && unclean.admits(lane.shard(), lane.destination()))
                    .toList();
            done += sendOne(lease, own, budget, unclean, patience);
        }
        return done;
    }

    private int sendOne(Lease lease, List<Lane> lanes, int budget, HeldShards held, Duration patience) {
        Map<Lane, Integer> first = new HashMap<>();
        lanes.stream()
                .filter(lane -> claims.limit(held, lane) > 0 && !attempts.holdUp(lane))
                .forEach(lane -> first.put(lane, 1));
        boolean busy = !lanes.stream().allMatch(this::isFree);
        List<ClaimedMessage> claimed = first.isEmpty()
                ? List.of()
                : store.claim(first, sender.handled(), options.batchBytes()).messages();
        int remaining = left.getOrDefault(lease.shard(), budget) - claimed.size();
        if ((claimed.isEmpty() && !busy) || remaining <= 0) {
            left.remove(lease.shard());
            leases.clear(lease.shard());
        } else {
            left.put(lease.shard(), remaining);
        }
        int sent = 0;
        for (ClaimedMessage message : claimed) {
            // One before it may go to the same broker, or to a handler, and take long.
            sent += isFree(message.lane()) && send(lease, message, held, patience) ? 1 : 0;
        }
        return sent;
    }

    private boolean isFree(Lane lane) {
        return !claims.isBusy(lane) && !attempts.holdUp(lane);
    }

    private boolean send(Lease lease, ClaimedMessage message, HeldShards held, Duration patience) {
        if (message.state() == ClaimedMessage.State.BLOCKED || !message.isSendable()) {
            settle(lease, sender.start(List.of(message), held));
        } else if (held.deadline().hasPassed() || !attempts.note(lease, message)) {
            log.debug(
                    "Message {} is still being handled elsewhere, or its shard has gone.",
                    message.envelope().id());
            return false;
        } else if (message.attempts() + 1 > sender.maxAttempts(message)) {
            settle(
                    lease,
                    sender.failed(message, "It has ended " + message.attempts() + " relays that were sending it."));
        } else {
            attempts.sent(lease, message);
            sender.start(List.of(message), held);
            if (!sender.isHandled(message.lane())) {
                publishes.await(patience);
                settler.settlePublished();
            } else if (sender.handled().includes(message)) {
                attempts.handed(message);
            } else {
                attempts.answered(List.of(message), false); // The leases ended in between.
            }
        }
        return true;
    }

    private void settle(Lease lease, Settlements settlements) {
        store.settle(List.of(lease), settlements);
        sender.notifySettled(settlements);
    }
}

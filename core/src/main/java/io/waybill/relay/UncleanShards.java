package io.waybill.relay;

import io.waybill.Time;
import io.waybill.observe.WaitingItem;
import io.waybill.relay.lease.HeldShards;
import io.waybill.relay.lease.ShardLeases;
import io.waybill.relay.publish.BatchSender;
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
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shards whose last relay ended without a word. One of their first messages may have killed it, so these go one by one, each
 * with its attempt written before it is sent: a message that kills every relay runs out of attempts like any other.
 */
final class UncleanShards {

    private static final Logger log = LoggerFactory.getLogger(UncleanShards.class);

    /** How long a handler has the process for itself: one that ends it does so soon, and one that is slow holds up no other for longer. */
    private static final Duration ALONE = Duration.ofSeconds(2);

    private final OutboxStore store;
    private final ShardLeases leases;
    private final BatchSender sending;
    private final RelayOptions options;
    private final Time time;
    private volatile State state;
    private final Map<Integer, Integer> left = new HashMap<>();

    /** Messages that have not been answered or handled, by their ids, with the lease under which their attempt was written. */
    private final Map<UUID, Lease> underWay = new HashMap<>();

    /** The one that a handler was given last: with several at once, those that do nothing would be blamed for the one that ends the process. */
    private @Nullable UUID handled;

    private Time.Stopwatch sinceHandled;

    UncleanShards(OutboxStore store, ShardLeases leases, BatchSender sending, RelayOptions options, Time time) {
        this.time = time;
        this.state = new State(0, time.clock().instant());
        this.sinceHandled = time.stopwatch();
        this.store = store;
        this.leases = leases;
        this.sending = sending;
        this.options = options;
    }

    /** How many shards are suspected, and since when there are any. */
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
                                + ALONE.toSeconds() + " seconds",
                        "these messages are published or handled"));
    }

    /** What the relay knows and does for us. */
    interface Traffic extends LaneScheduler.Admission {

        /** Whether the lane's broker has not answered yet, or its handlers have enough to do. */
        boolean isBusy(Lane lane);

        /** Waits a moment for brokers, and settles what they have answered. */
        void settleAnswers();
    }

    /**
     * Sends at most one message of each suspected shard that may be sent to its destination now. Neither a slow broker nor a slow
     * handler is waited for: what its shards send elsewhere meanwhile counts, so that nobody goes one by one for as long as it is slow.
     */
    int runOnce(HeldShards suspected, Traffic traffic) {
        int shards = suspected.leases().size();
        if (shards != state.shards) {
            state = new State(shards, state.shards == 0 ? time.clock().instant() : state.since);
        }
        if (shards == 0) {
            return 0;
        }
        Collection<Lane> lanes = store.lanes();
        int budget = Math.max(1, options.batchSize() / suspected.leases().size());
        int done = 0;
        for (Lease lease : suspected.leases()) {
            List<Lane> own = lanes.stream()
                    .filter(lane -> lane.shard() == lease.shard() && suspected.admits(lane.shard(), lane.destination()))
                    .toList();
            done += sendOne(lease, own, traffic, budget, suspected);
        }
        return done;
    }

    private int sendOne(Lease lease, List<Lane> lanes, Traffic traffic, int budget, HeldShards held) {
        Map<Lane, Integer> first = new HashMap<>();
        lanes.stream().filter(lane -> traffic.most(lane) > 0 && !waits(lane)).forEach(lane -> first.put(lane, 1));
        boolean busy = lanes.stream().anyMatch(lane -> traffic.isBusy(lane) || waits(lane));
        List<ClaimedMessage> claimed = first.isEmpty()
                ? List.of()
                : store.claim(first, sending.handled(), options.batchBytes()).messages();
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
            boolean isFree = !traffic.isBusy(message.lane()) && !waits(message.lane());
            sent += isFree && send(lease, message, traffic, held) ? 1 : 0;
        }
        return sent;
    }

    /** Whether a handler has to be through with another message first, or to have been at it for a while. */
    private boolean waits(Lane lane) {
        return handled != null && !sinceHandled.hasReached(ALONE) && sending.isHandled(lane);
    }

    private boolean send(Lease lease, ClaimedMessage message, Traffic traffic, HeldShards held) {
        int attempt = message.attempts() + 1;
        if (message.state() == ClaimedMessage.State.BLOCKED || !message.isSendable()) {
            settle(lease, sending.start(List.of(message), held));
        } else if (held.deadline().hasPassed()
                || !store.noteAttempt(lease, message, attempt, "The relay ended while it was sending this message.")) {
            log.debug(
                    "Message {} is still being handled elsewhere, or its shard has gone.",
                    message.envelope().id());
            return false;
        } else if (attempt > sending.maxAttempts(message)) {
            settle(
                    lease,
                    sending.failed(message, "It has ended " + message.attempts() + " relays that were sending it."));
        } else {
            underWay.put(message.envelope().id(), lease);
            sending.start(List.of(message), held);
            if (!sending.isHandled(message.lane())) {
                traffic.settleAnswers();
            } else if (sending.handled().includes(message)) {
                handled = message.envelope().id();
                sinceHandled = time.stopwatch();
            } else {
                answered(List.of(message), false); // The leases ended in between.
            }
        }
        return true;
    }

    /**
     * Its broker has answered, or its handler is through.
     *
     * @param settled false when that says nothing about the messages, as when the broker or the database is away
     */
    void answered(List<ClaimedMessage> messages, boolean settled) {
        if (underWay.isEmpty()) {
            return;
        }
        for (ClaimedMessage message : messages) {
            UUID id = message.envelope().id();
            Lease lease = underWay.remove(id);
            if (lease != null && !settled) {
                takeBack(lease, message);
            }
            if (id.equals(handled)) {
                handled = null;
            }
        }
    }

    private void takeBack(Lease lease, ClaimedMessage message) {
        store.noteAttempt(lease, message, message.attempts(), "");
    }

    private void settle(Lease lease, Settlements settlements) {
        store.settle(List.of(lease), settlements);
        sending.tell(settlements);
    }
}

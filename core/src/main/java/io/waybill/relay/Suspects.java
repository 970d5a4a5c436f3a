package io.waybill.relay;

import io.waybill.store.ClaimedMessage;
import io.waybill.store.Lane;
import io.waybill.store.Lease;
import io.waybill.store.OutboxStore;
import io.waybill.store.Settlements;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shards whose last relay ended without a word. One of their first messages may have killed it, so these go one by one, each
 * with its attempt written before it is sent: a message that kills every relay runs out of attempts like any other.
 */
final class Suspects {

    private static final Logger log = LoggerFactory.getLogger(Suspects.class);

    private final OutboxStore store;
    private final Leasing leasing;
    private final Sending sending;
    private final RelayOptions options;
    private final Map<Integer, Integer> left = new HashMap<>();

    /** Messages that a broker has and has not answered, by their ids, with the lease under which their attempt was written. */
    private final Map<UUID, Lease> underWay = new HashMap<>();

    Suspects(OutboxStore store, Leasing leasing, Sending sending, RelayOptions options) {
        this.store = store;
        this.leasing = leasing;
        this.sending = sending;
        this.options = options;
    }

    /** What the relay knows and does for us. */
    interface Traffic extends Lanes.Admission {

        /** Whether the lane's broker has not answered yet, or its handlers have enough to do. */
        boolean isBusy(Lane lane);

        /** Waits a moment for brokers, and settles what they have answered. */
        void settleAnswers();
    }

    /**
     * Sends at most one message of each suspected shard that may be sent to its destination now. A slow broker is not waited for: what
     * its shards send elsewhere meanwhile counts, so that nobody goes one by one for as long as it is slow.
     */
    int runOnce(Leasing.Held suspected, Traffic traffic) {
        if (suspected.leases().isEmpty()) {
            return 0;
        }
        Collection<Lane> lanes = store.lanes();
        int budget = Math.max(1, options.batchSize() / suspected.leases().size());
        int done = 0;
        for (Lease lease : suspected.leases()) {
            List<Lane> own =
                    lanes.stream().filter(lane -> lane.shard() == lease.shard()).toList();
            done += sendOne(lease, own, traffic, budget, suspected);
        }
        return done;
    }

    private int sendOne(Lease lease, List<Lane> lanes, Traffic traffic, int budget, Leasing.Held held) {
        Map<Lane, Integer> first = new HashMap<>();
        lanes.stream().filter(lane -> traffic.most(lane) > 0).forEach(lane -> first.put(lane, 1));
        boolean busy = lanes.stream().anyMatch(traffic::isBusy);
        List<ClaimedMessage> claimed = store.claim(first, options.batchBytes()).messages();
        int remaining = left.getOrDefault(lease.shard(), budget) - claimed.size();
        if ((claimed.isEmpty() && !busy) || remaining <= 0) {
            left.remove(lease.shard());
            leasing.clear(lease.shard());
        } else {
            left.put(lease.shard(), remaining);
        }
        int sent = 0;
        for (ClaimedMessage message : claimed) {
            // One before it may go to the same broker, and take long.
            sent += !traffic.isBusy(message.lane()) && send(lease, message, traffic, held) ? 1 : 0;
        }
        return sent;
    }

    private boolean send(Lease lease, ClaimedMessage message, Traffic traffic, Leasing.Held held) {
        int attempt = message.attempts() + 1;
        if (message.state() == ClaimedMessage.State.BLOCKED || !message.readable()) {
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
        } else if (sending.isSent(message)) {
            underWay.put(message.envelope().id(), lease);
            sending.start(List.of(message), held);
            traffic.settleAnswers();
        } else {
            Settlements settlements = sending.handleNow(message, held);
            if (settlements.isEmpty()) {
                takeBack(lease, message);
            }
            settle(lease, settlements);
        }
        return true;
    }

    /**
     * Its broker has answered.
     *
     * @param settled false when that says nothing about the messages, as when the broker is away
     */
    void answered(List<ClaimedMessage> messages, boolean settled) {
        if (underWay.isEmpty()) {
            return;
        }
        for (ClaimedMessage message : messages) {
            Lease lease = underWay.remove(message.envelope().id());
            if (lease != null && !settled) {
                takeBack(lease, message);
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

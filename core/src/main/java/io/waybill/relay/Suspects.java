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

    Suspects(OutboxStore store, Leasing leasing, Sending sending, RelayOptions options) {
        this.store = store;
        this.leasing = leasing;
        this.sending = sending;
        this.options = options;
    }

    /** Sends at most one message of each suspected shard that may be sent to its destination now. */
    int runOnce(Leasing.Held suspected, Lanes.Admission admission) {
        if (suspected.leases().isEmpty()) {
            return 0;
        }
        Collection<Lane> lanes = store.lanes();
        int budget = Math.max(1, options.batchSize() / suspected.leases().size());
        int done = 0;
        for (Lease lease : suspected.leases()) {
            done += sendOne(lease, lanes, admission, budget, suspected);
        }
        return done;
    }

    private int sendOne(Lease lease, Collection<Lane> lanes, Lanes.Admission admission, int budget, Leasing.Held held) {
        Map<Lane, Integer> first = new HashMap<>();
        for (Lane lane : lanes) {
            if (lane.shard() == lease.shard() && admission.most(lane) > 0) {
                first.put(lane, 1);
            }
        }
        List<ClaimedMessage> claimed = store.claim(first, options.batchBytes()).messages();
        int remaining = left.getOrDefault(lease.shard(), budget) - claimed.size();
        if (claimed.isEmpty() || remaining <= 0) {
            left.remove(lease.shard());
            leasing.clear(lease.shard());
        } else {
            left.put(lease.shard(), remaining);
        }
        int sent = 0;
        for (ClaimedMessage message : claimed) {
            sent += send(lease, message, held) ? 1 : 0;
        }
        return sent;
    }

    private boolean send(Lease lease, ClaimedMessage message, Leasing.Held held) {
        int attempt = message.attempts() + 1;
        if (message.state() == ClaimedMessage.State.BLOCKED || !message.readable()) {
            settle(lease, sending.sendNow(message, held));
        } else if (store.noteAttempt(lease, message, attempt, "The relay ended while it was sending this message.")) {
            Settlements settlements = attempt > sending.maxAttempts(message)
                    ? sending.failed(message, "It has ended " + message.attempts() + " relays that were sending it.")
                    : sending.sendNow(message, held);
            if (settlements.isEmpty()) {
                store.noteAttempt(lease, message, message.attempts(), "");
            }
            settle(lease, settlements);
        } else {
            log.debug(
                    "Message {} is still being handled elsewhere, or its shard has gone.",
                    message.envelope().id());
            return false;
        }
        return true;
    }

    private void settle(Lease lease, Settlements settlements) {
        store.settle(List.of(lease), settlements);
        sending.tell(settlements);
    }
}

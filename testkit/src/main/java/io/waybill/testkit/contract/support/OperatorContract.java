package io.waybill.testkit.contract.support;

import io.waybill.ops.OutboxOperations;
import io.waybill.store.admin.Selection;
import io.waybill.store.admin.StoredMessage;
import io.waybill.store.outbox.ClaimedMessage;
import io.waybill.store.outbox.ClaimedMessage.State;
import io.waybill.store.outbox.Lease;
import io.waybill.store.outbox.OnExhausted;
import io.waybill.store.outbox.Settlements;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** A relay in a few words, for contracts that are about what people do. */
public abstract class OperatorContract extends StoreContract {

    public OutboxOperations operations() {
        return new OutboxOperations(store.admin());
    }

    /** Refuses every message that can be sent for the last time, and holds those behind it. */
    public List<ClaimedMessage> refuseAll(List<Lease> leases, OnExhausted then) {
        List<ClaimedMessage> claimed = claimAll();
        var settlements = Settlements.none();
        var keys = new ArrayList<String>();
        for (var message : claimed) {
            String key = message.envelope().partitionKey();
            if (then != OnExhausted.SKIP && keys.contains(key)) {
                settlements.held().add(message);
            } else {
                settlements.failures().add(new Settlements.Failure(message, "Refused by the broker", then));
                keys.add(key);
            }
        }
        store.outboxStore().settle(leases, settlements);
        return claimed;
    }

    /** Refuses the message, which is to be tried again in an hour. */
    public void delay(List<Lease> leases, ClaimedMessage message) {
        var settlements = Settlements.none();
        settlements.retries().add(new Settlements.Retry(message, "Not now", Duration.ofHours(1)));
        store.outboxStore().settle(leases, settlements);
    }

    /** Sends what can be sent and holds what cannot, until nothing moves any more. */
    public List<ClaimedMessage> sendAll(List<Lease> leases) {
        var sent = new ArrayList<ClaimedMessage>();
        for (var claimed = claimAll(); !claimed.isEmpty(); claimed = claimAll()) {
            var settlements = Settlements.none();
            claimed.forEach(message ->
                    (message.state() == State.BLOCKED ? settlements.held() : settlements.dispatched()).add(message));
            store.outboxStore().settle(leases, settlements);
            sent.addAll(settlements.dispatched());
        }
        return sent;
    }

    public static String number(int number) {
        return "{\"number\":" + number + "}";
    }

    public StoredMessage found(UUID id) {
        return operations().find(id).orElseThrow();
    }

    public UUID idOf(int number) {
        return operations().list(Selection.all(), 0, 10_000).stream()
                .map(message -> message.envelope().id())
                .filter(id -> payload(id).equals(number(number)))
                .findFirst()
                .orElseThrow();
    }

    public String payload(UUID id) {
        return found(id).envelope().payload().asText();
    }
}

package io.waybill.testkit.contract.support;

import io.waybill.message.Message;
import io.waybill.outbox.Outbox;
import io.waybill.store.outbox.ClaimedMessage;
import io.waybill.store.outbox.Lane;
import io.waybill.store.outbox.Lease;
import io.waybill.store.outbox.LeaseStore;
import io.waybill.store.outbox.LeaseStore.LeaseTable;
import io.waybill.store.outbox.OutboxStore;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** What the contracts have in common: a fresh store, and short words for what they do with it. */
public abstract class StoreContract {

    public static final String ORDERS = "orders.placed";
    public static final Duration LEASE_TIME = Duration.ofSeconds(60);

    public StoreFixture store;

    /** A fresh, empty store. */
    protected abstract StoreFixture open();

    @SuppressWarnings("NullAway.Init")
    public StoreContract() {}

    @BeforeEach
    public void openStore() {
        store = open();
    }

    @AfterEach
    public void closeStore() {
        store.close();
    }

    public static Message order(String key, int number) {
        return Message.event("OrderPlaced", "{\"number\":" + number + "}")
                .to(ORDERS)
                .inOrderOf(key);
    }

    public void append(Message... messages) {
        store.transactions().inTransaction(transaction -> store.outbox().append(List.of(messages)));
    }

    public Outbox outboxIn(StoreFixture.OpenTransaction transaction) {
        return Outbox.in(store.outboxStore(), transaction);
    }

    /** Takes every shard for this relay. */
    public List<Lease> leaseAll(String relay) {
        LeaseTable table = store.leaseStore().renew(relay, ">**", List.of(), LEASE_TIME);
        List<LeaseStore.Wanted> all = table.owners().stream()
                .map(row -> new LeaseStore.Wanted(row, List.of()))
                .toList();
        return store.leaseStore().take(all, relay, LEASE_TIME).stream()
                .map(taken -> new Lease(store.leaseStore().pool(), taken.shard(), taken.token(), false))
                .toList();
    }

    public List<ClaimedMessage> claimAll() {
        return claim(OutboxStore.SHARDS * 1_000);
    }

    /** Claims from every lane, and sorts by insertion: order is promised within a lane only. */
    public List<ClaimedMessage> claim(int limit) {
        Map<Lane, Integer> limits = new LinkedHashMap<>();
        store.outboxStore().lanes().forEach(lane -> limits.put(lane, limit));
        return store.outboxStore().claim(limits, Long.MAX_VALUE).messages().stream()
                .sorted(Comparator.comparing(ClaimedMessage::position))
                .toList();
    }

    /** What was refused and is due now. */
    public List<ClaimedMessage> claimDue(List<Lease> leases) {
        return store.outboxStore().claimDue(leases, Set.of(), 10, Long.MAX_VALUE);
    }

    public static List<String> payloads(List<ClaimedMessage> messages) {
        return messages.stream()
                .map(message -> message.envelope().payload().asText())
                .toList();
    }
}

package io.waybill.testkit.contract.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.store.outbox.Lease;
import io.waybill.store.outbox.LeaseStore.LeaseTable;
import io.waybill.store.outbox.LeaseStore.Wanted;
import io.waybill.store.outbox.OutboxStore;
import io.waybill.testkit.contract.support.StoreContract;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the leases on shards promise. */
public abstract class LeaseStoreContract extends StoreContract {

    private static final String SERVES = ">**";

    @Test
    void at_first_every_shard_is_free() {
        LeaseTable table = store.leaseStore().renew("a", SERVES, List.of(), LEASE_TIME);

        assertThat(table.rows())
                .hasSize(OutboxStore.SHARDS)
                .allSatisfy(row -> assertThat(row.isFree()).isTrue());
        assertThat(table.liveRelays()).isEqualTo(1);
    }

    @Test
    void a_shard_has_one_owner() {
        var row = firstRow("a", SERVES);

        assertThat(take(row, "a")).isTrue();
        assertThat(take(row, "b")).isFalse();

        var seen = store.leaseStore().renew("b", SERVES, List.of(), LEASE_TIME);
        assertThat(seen.rows().get(0).isHeldBy("a")).isTrue();
        assertThat(seen.rows().get(0).token()).isEqualTo(row.token() + 1);
        assertThat(seen.liveRelays()).isEqualTo(2);
        assertThat(take(seen.rows().get(0), "b")).isFalse();
    }

    @Test
    void what_is_released_may_be_taken_with_a_new_token() {
        var row = firstRow("a", SERVES);
        take(row, "a");

        store.leaseStore().release("b", List.of(lease(row)));
        assertThat(firstRow("a", SERVES).isHeldBy("a")).isTrue();

        store.leaseStore().release("a", List.of(lease(row)));
        var free = firstRow("b", SERVES);
        assertThat(free.isFree()).isTrue();
        assertThat(take(free, "b")).isTrue();
        assertThat(firstRow("b", SERVES).token()).isEqualTo(row.token() + 2);
    }

    @Test
    void a_lease_is_renewed_only_if_its_owner_knows_that_it_has_it() {
        Duration brief = Duration.ofMillis(300);
        List<LeaseTable.Row> rows =
                store.leaseStore().renew("a", SERVES, List.of(), brief).rows();
        store.leaseStore().take(wanted(rows), "a", brief);
        var known = new Lease(store.leaseStore().pool(), 0, rows.get(0).token() + 1, false);
        store.leaseStore().renew("a", SERVES, List.of(known), LEASE_TIME);

        store.clock().advance(brief.multipliedBy(2));

        await().atMost(LEASE_TIME).untilAsserted(() -> {
            List<LeaseTable.Row> later = store.leaseStore()
                    .renew("a", SERVES, List.of(known), LEASE_TIME)
                    .rows();
            assertThat(later.get(0).isHeldBy("a")).isTrue();
            assertThat(later.subList(1, later.size())).allMatch(LeaseTable.Row::expired);
        });
    }

    @Test
    void what_its_owner_does_not_know_to_have_it_may_take_again() {
        var row = firstRow("a", SERVES);
        take(row, "a");

        var own = firstRow("a", SERVES);
        assertThat(take(own, "b")).isFalse();
        assertThat(take(own, "a")).isTrue();
        assertThat(take(own, "a")).as("with a token that has changed").isFalse();
    }

    @Test
    void what_is_abandoned_has_expired_and_says_whose_it_was() {
        leaseAll("a");

        store.leaseStore().abandon("a", List.of(new Lease(store.leaseStore().pool(), 3, 1, false)));
        store.leaseStore().leave("a");

        LeaseTable table = store.leaseStore().renew("b", SERVES, List.of(), LEASE_TIME);
        assertThat(table.rows().get(3).owner()).isEqualTo("a");
        assertThat(table.rows().get(3).expired()).isTrue();
        assertThat(table.rows().get(4).owner()).isEmpty();
        assertThat(take(table.rows().get(3), "b")).isTrue();
    }

    @Test
    void who_leaves_holds_nothing_and_counts_no_more() {
        leaseAll("a");
        store.leaseStore().leave("a");

        LeaseTable table = store.leaseStore().renew("b", SERVES, List.of(), LEASE_TIME);
        assertThat(table.liveRelays()).isEqualTo(1);
        assertThat(table.rows()).allSatisfy(row -> assertThat(row.isFree()).isTrue());
    }

    @Test
    void pools_have_leases_of_their_own() {
        leaseAll("a");

        LeaseTable others = store.leaseStore("billing").renew("b", SERVES, List.of(), LEASE_TIME);

        assertThat(others.liveRelays()).isEqualTo(1);
        assertThat(others.rows())
                .hasSize(OutboxStore.SHARDS)
                .allSatisfy(row -> assertThat(row.isFree()).isTrue());
        assertThat(store.leaseStore("billing").take(wanted(others.rows()), "b", LEASE_TIME))
                .hasSize(OutboxStore.SHARDS);
        assertThat(store.leaseStore().renew("a", SERVES, List.of(), LEASE_TIME).rows())
                .allSatisfy(row -> assertThat(row.isHeldBy("a")).isTrue());
    }

    @Test
    void a_lease_above_an_owner_is_taken_only_while_that_one_has_its_own() {
        var row = firstRow("a", "=x");
        take(row, "a");
        var owner = firstRow("b", "=y");
        store.leaseStore().release("a", List.of(lease(owner)));
        var free = firstRow("c", "=z");
        take(free, "c");

        var none = LeaseTable.Row.none(row.shard(), 1);
        assertThat(store.leaseStore().take(List.of(new Wanted(none, List.of(owner))), "b", LEASE_TIME))
                .as("above one who has gone")
                .isEmpty();
        LeaseTable now = store.leaseStore().renew("b", "=y", List.of(), LEASE_TIME);
        assertThat(store.leaseStore()
                        .take(List.of(new Wanted(none, List.of(now.rows().get(0)))), "b", LEASE_TIME))
                .hasSize(1);
        assertThat(now.relays()).containsOnlyKeys("a", "b", "c").containsEntry("b", "=y");
    }

    @Test
    void who_takes_a_shard_is_told_who_has_a_lease_above_it() {
        var row = firstRow("a", "=x");
        take(row, "a");
        var owner = firstRow("b", "=y");
        store.leaseStore()
                .take(List.of(new Wanted(LeaseTable.Row.none(row.shard(), 1), List.of(owner))), "b", LEASE_TIME);
        store.leaseStore().release("a", List.of(lease(owner)));
        var free = firstRow("c", "=z");

        var taken = store.leaseStore().take(wanted(List.of(free)), "c", LEASE_TIME);

        assertThat(taken.get(0).above()).singleElement().satisfies(above -> {
            assertThat(above.owner()).isEqualTo("b");
            assertThat(above.level()).isEqualTo(1);
        });
        assertThat(store.leaseStore().renew("c", "=z", List.of(), LEASE_TIME).at(row.shard(), 1))
                .hasValueSatisfying(above -> assertThat(above.isHeldBy("b")).isTrue());
    }

    @Test
    void a_lease_that_has_expired_is_ended_and_its_token_says_so() {
        Duration brief = Duration.ofMillis(300);
        var row = store.leaseStore().renew("a", "=x", List.of(), brief).rows().get(0);
        store.leaseStore().take(wanted(List.of(row)), "a", brief);
        store.clock().advance(brief.multipliedBy(2));
        await().atMost(LEASE_TIME).until(() -> firstRow("b", "=x").expired());
        var expired = firstRow("b", "=x");

        store.leaseStore().end(List.of(expired));
        store.leaseStore().end(List.of(expired));

        var ended = firstRow("b", "=x");
        assertThat(ended.owner()).isEmpty();
        assertThat(ended.token()).isEqualTo(expired.token() + 2);
    }

    /** The first row of the lease table, as this relay sees it. */
    private LeaseTable.Row firstRow(String relay, String serves) {
        return store.leaseStore()
                .renew(relay, serves, List.of(), LEASE_TIME)
                .rows()
                .get(0);
    }

    private boolean take(LeaseTable.Row row, String relay) {
        return !store.leaseStore().take(wanted(List.of(row)), relay, LEASE_TIME).isEmpty();
    }

    private static List<Wanted> wanted(List<LeaseTable.Row> rows) {
        return rows.stream().map(row -> new Wanted(row, List.of())).toList();
    }

    private Lease lease(LeaseTable.Row row) {
        return Lease.of(store.leaseStore().pool(), row.level(), row.shard(), row.token(), false);
    }
}

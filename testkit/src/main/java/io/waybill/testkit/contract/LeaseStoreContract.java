package io.waybill.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.store.LeaseStore.LeaseTable;
import io.waybill.store.OutboxStore;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the leases on shards promise. */
public abstract class LeaseStoreContract extends StoreContract {

    @Test
    void at_first_every_shard_is_free() {
        LeaseTable table = store.leaseStore().renew("a", CLAIM_TIMEOUT);

        assertThat(table.rows())
                .hasSize(OutboxStore.SHARDS)
                .allSatisfy(row -> assertThat(row.isFree()).isTrue());
        assertThat(table.liveRelays()).isEqualTo(1);
    }

    @Test
    void a_shard_has_one_owner() {
        var row = store.leaseStore().renew("a", CLAIM_TIMEOUT).rows().get(0);

        assertThat(take(row, "a")).isTrue();
        assertThat(take(row, "b")).isFalse();

        var seen = store.leaseStore().renew("b", CLAIM_TIMEOUT);
        assertThat(seen.rows().get(0).isHeldBy("a")).isTrue();
        assertThat(seen.rows().get(0).token()).isEqualTo(row.token() + 1);
        assertThat(seen.liveRelays()).isEqualTo(2);
        assertThat(take(seen.rows().get(0), "b")).isFalse();
    }

    @Test
    void what_is_released_may_be_taken_with_a_new_token() {
        var row = store.leaseStore().renew("a", CLAIM_TIMEOUT).rows().get(0);
        take(row, "a");

        store.leaseStore().release("b", List.of(row.shard()));
        assertThat(store.leaseStore().renew("a", CLAIM_TIMEOUT).rows().get(0).isHeldBy("a"))
                .isTrue();

        store.leaseStore().release("a", List.of(row.shard()));
        var free = store.leaseStore().renew("b", CLAIM_TIMEOUT).rows().get(0);
        assertThat(free.isFree()).isTrue();
        assertThat(take(free, "b")).isTrue();
        assertThat(store.leaseStore().renew("b", CLAIM_TIMEOUT).rows().get(0).token())
                .isEqualTo(row.token() + 2);
    }

    @Test
    void who_leaves_holds_nothing_and_counts_no_more() {
        leaseAll("a");
        store.leaseStore().leave("a");

        LeaseTable table = store.leaseStore().renew("b", CLAIM_TIMEOUT);
        assertThat(table.liveRelays()).isEqualTo(1);
        assertThat(table.rows()).allSatisfy(row -> assertThat(row.isFree()).isTrue());
    }

    @Test
    void pools_have_leases_of_their_own() {
        leaseAll("a");

        LeaseTable others = store.leaseStore("billing").renew("b", CLAIM_TIMEOUT);

        assertThat(others.liveRelays()).isEqualTo(1);
        assertThat(others.rows())
                .hasSize(OutboxStore.SHARDS)
                .allSatisfy(row -> assertThat(row.isFree()).isTrue());
        assertThat(store.leaseStore("billing").take(others.rows(), "b", CLAIM_TIMEOUT))
                .hasSize(OutboxStore.SHARDS);
        assertThat(store.leaseStore().renew("a", CLAIM_TIMEOUT).rows())
                .allSatisfy(row -> assertThat(row.isHeldBy("a")).isTrue());
    }

    private boolean take(LeaseTable.Row row, String relay) {
        return store.leaseStore().take(List.of(row), relay, CLAIM_TIMEOUT).contains(row.shard());
    }
}

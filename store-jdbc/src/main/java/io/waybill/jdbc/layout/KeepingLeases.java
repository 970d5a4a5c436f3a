package io.waybill.jdbc.layout;

import io.waybill.store.Lease;
import io.waybill.store.LeaseStore;
import java.time.Duration;
import java.util.Collection;
import java.util.Set;

/** Leases whose renewal also keeps claimed rows alive: both say that the relay lives. */
record KeepingLeases(LeaseStore leases, LayoutStore store) implements LeaseStore {

    @Override
    public String pool() {
        return leases.pool();
    }

    @Override
    public LeaseTable renew(String relay, Collection<Lease> held, Duration leaseTime) {
        LeaseTable table = leases.renew(relay, held, leaseTime);
        store.keepAlive();
        return table;
    }

    @Override
    public Set<Integer> take(Collection<LeaseTable.Row> seen, String relay, Duration leaseTime) {
        return leases.take(seen, relay, leaseTime);
    }

    @Override
    public void release(String relay, Collection<Integer> shards) {
        leases.release(relay, shards);
    }

    @Override
    public void abandon(String relay, Collection<Integer> shards) {
        leases.abandon(relay, shards);
    }

    @Override
    public void leave(String relay) {
        leases.leave(relay);
    }
}

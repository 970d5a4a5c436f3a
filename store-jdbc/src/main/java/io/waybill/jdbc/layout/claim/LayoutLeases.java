package io.waybill.jdbc.layout.claim;

import io.waybill.store.outbox.Lease;
import io.waybill.store.outbox.LeaseStore;
import io.waybill.store.outbox.PausedDestination;
import java.time.Duration;
import java.util.Collection;
import java.util.List;

/** Leases whose renewal also keeps claimed rows alive: both say that the relay lives. */
public record LayoutLeases(LeaseStore leases, LayoutStore store) implements LeaseStore {

    @Override
    public String pool() {
        return leases.pool();
    }

    @Override
    public LeaseTable renew(String relay, String serves, String activity, Collection<Lease> held, Duration leaseTime) {
        LeaseTable table = leases.renew(relay, serves, activity, held, leaseTime);
        store.keepAlive();
        return table;
    }

    @Override
    public List<PausedDestination> paused() {
        return leases.paused();
    }

    @Override
    public List<Taken> take(Collection<Wanted> wanted, String relay, Duration leaseTime) {
        return leases.take(wanted, relay, leaseTime);
    }

    @Override
    public void release(String relay, Collection<Lease> released) {
        leases.release(relay, released);
    }

    @Override
    public void abandon(String relay, Collection<Lease> abandoned) {
        leases.abandon(relay, abandoned);
    }

    @Override
    public void end(Collection<LeaseTable.Row> expired) {
        leases.end(expired);
    }

    @Override
    public void leave(String relay) {
        leases.leave(relay);
    }
}

package io.waybill.testkit;

import static io.waybill.store.OutboxStore.SHARDS;

import io.waybill.store.Lease;
import io.waybill.store.LeaseStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Which relay of a pool owns which shard of a {@link MemoryStore}, under the same lock. */
final class MemoryLeases implements LeaseStore {

    private final MemoryStore store;
    private final String pool;
    private final Map<String, Instant> relays = new HashMap<>();
    private final Row[] rows = new Row[SHARDS];

    MemoryLeases(MemoryStore store, String pool) {
        this.store = store;
        this.pool = pool;
        Arrays.fill(rows, new Row("", 0, Instant.EPOCH));
    }

    @Override
    public String pool() {
        return pool;
    }

    boolean isHeld(Lease lease) {
        return rows[lease.shard()].token == lease.token();
    }

    @Override
    public LeaseTable renew(String relay, Collection<Lease> held, Duration leaseTime) {
        synchronized (store) {
            Instant now = store.time.clock().instant();
            Instant expires = now.plus(leaseTime);
            relays.put(relay, expires);
            relays.values().removeIf(now::isAfter);
            var table = new ArrayList<LeaseTable.Row>();
            for (int shard = 0; shard < SHARDS; shard++) {
                Row row = rows[shard];
                long token = row.token;
                int number = shard;
                boolean known = held.stream().anyMatch(lease -> lease.shard() == number && lease.token() == token);
                if (known && row.owner.equals(relay) && !now.isAfter(row.expires)) {
                    rows[shard] = row = new Row(relay, row.token, expires);
                }
                table.add(new LeaseTable.Row(shard, row.owner, row.token, Duration.between(now, row.expires)));
            }
            return new LeaseTable(table, relays.size());
        }
    }

    @Override
    public Set<Integer> take(Collection<LeaseTable.Row> seen, String relay, Duration leaseTime) {
        synchronized (store) {
            Instant now = store.time.clock().instant();
            Set<Integer> taken = new HashSet<>();
            for (var wanted : seen) {
                Row row = rows[wanted.shard()];
                boolean free = row.owner.isEmpty() || row.owner.equals(relay) || now.isAfter(row.expires);
                if (row.token == wanted.token() && free) {
                    rows[wanted.shard()] = new Row(relay, row.token + 1, now.plus(leaseTime));
                    taken.add(wanted.shard());
                }
            }
            return taken;
        }
    }

    @Override
    public void release(String relay, Collection<Integer> shards) {
        synchronized (store) {
            for (int shard : shards) {
                if (rows[shard].owner.equals(relay)) {
                    rows[shard] = new Row("", rows[shard].token, rows[shard].expires);
                }
            }
        }
    }

    @Override
    public void abandon(String relay, Collection<Integer> shards) {
        synchronized (store) {
            Instant before = store.time.clock().instant().minusMillis(1);
            for (int shard : shards) {
                if (rows[shard].owner.equals(relay)) {
                    rows[shard] = new Row(relay, rows[shard].token, before);
                }
            }
        }
    }

    @Override
    public void leave(String relay) {
        synchronized (store) {
            relays.remove(relay);
            Instant now = store.time.clock().instant();
            for (int shard = 0; shard < SHARDS; shard++) {
                if (!now.isAfter(rows[shard].expires)) {
                    release(relay, List.of(shard));
                }
            }
        }
    }

    private record Row(String owner, long token, Instant expires) {}
}

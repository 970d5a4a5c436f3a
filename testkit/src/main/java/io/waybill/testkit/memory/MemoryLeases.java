package io.waybill.testkit.memory;

import static io.waybill.store.outbox.OutboxStore.SHARDS;

import io.waybill.store.outbox.Lease;
import io.waybill.store.outbox.LeaseStore;
import io.waybill.store.outbox.PausedDestination;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Which relay of a pool owns which shard of a {@link MemoryStore}, under the same lock. */
final class MemoryLeases implements LeaseStore {

    private final MemoryStore store;
    private final String pool;
    private final Map<String, Relay> relays = new HashMap<>();

    /** By level, then by shard. */
    private final TreeMap<Integer, Row[]> levels = new TreeMap<>();

    MemoryLeases(MemoryStore store, String pool) {
        this.store = store;
        this.pool = pool;
        rows(0);
    }

    @Override
    public String pool() {
        return pool;
    }

    boolean isHeld(Lease lease) {
        return rows(lease.level())[lease.shard()].token == lease.token();
    }

    private Row[] rows(int level) {
        return levels.computeIfAbsent(level, none -> {
            var rows = new Row[SHARDS];
            Arrays.fill(rows, new Row("", 0, Instant.EPOCH));
            return rows;
        });
    }

    @Override
    public LeaseTable renew(String relay, String serves, String activity, Collection<Lease> held, Duration leaseTime) {
        synchronized (store) {
            Instant now = store.time.clock().instant();
            Instant expires = now.plus(leaseTime);
            relays.put(relay, new Relay(serves, expires));
            relays.values().removeIf(other -> now.isAfter(other.expires));
            for (Lease lease : held) {
                Row row = rows(lease.level())[lease.shard()];
                if (row.token == lease.token() && row.owner.equals(relay) && !now.isAfter(row.expires)) {
                    rows(lease.level())[lease.shard()] = new Row(relay, row.token, expires);
                }
            }
            var table = new ArrayList<LeaseTable.Row>();
            levels.forEach((level, rows) -> {
                for (int shard = 0; shard < SHARDS; shard++) {
                    table.add(rows[shard].seen(shard, level, now));
                }
            });
            Map<String, String> living = new HashMap<>();
            relays.forEach((name, other) -> living.put(name, other.serves));
            return new LeaseTable(table, living);
        }
    }

    @Override
    public List<PausedDestination> paused() {
        synchronized (store) {
            return List.copyOf(store.paused.values());
        }
    }

    @Override
    public List<Taken> take(Collection<Wanted> wanted, String relay, Duration leaseTime) {
        synchronized (store) {
            Instant now = store.time.clock().instant();
            return wanted.stream()
                    .map(lease -> take(lease, relay, leaseTime, now))
                    .flatMap(Optional::stream)
                    .toList();
        }
    }

    private Optional<Taken> take(Wanted wanted, String relay, Duration leaseTime, Instant now) {
        int shard = wanted.row().shard();
        int level = wanted.row().level();
        Row row = rows(level)[shard];
        boolean free = row.owner.isEmpty() || row.owner.equals(relay) || now.isAfter(row.expires);
        boolean asSeen = row.token == wanted.row().token()
                && wanted.below().stream()
                        .allMatch(below -> below.isSame(rows(below.level())[shard].seen(shard, below.level(), now)));
        if (!free || !asSeen) {
            return Optional.empty();
        }
        long token = row.token + (row.owner.isEmpty() || row.owner.equals(relay) ? 1 : 2);
        rows(level)[shard] = new Row(relay, token, now.plus(leaseTime));
        List<LeaseTable.Row> above = levels.tailMap(level, false).entrySet().stream()
                .map(higher -> higher.getValue()[shard].seen(shard, higher.getKey(), now))
                .filter(higher -> !higher.owner().isEmpty())
                .toList();
        return Optional.of(new Taken(shard, level, token, above));
    }

    @Override
    public void release(String relay, Collection<Lease> leases) {
        synchronized (store) {
            leases.forEach(lease -> release(relay, lease.level(), lease.shard()));
        }
    }

    private void release(String relay, int level, int shard) {
        Row row = rows(level)[shard];
        if (row.owner.equals(relay)) {
            rows(level)[shard] = new Row("", row.token, row.expires);
        }
    }

    @Override
    public void abandon(String relay, Collection<Lease> leases) {
        synchronized (store) {
            Instant before = store.time.clock().instant().minusMillis(1);
            for (Lease lease : leases) {
                Row row = rows(lease.level())[lease.shard()];
                if (row.owner.equals(relay)) {
                    rows(lease.level())[lease.shard()] = new Row(relay, row.token, before);
                }
            }
        }
    }

    @Override
    public void end(Collection<LeaseTable.Row> expired) {
        synchronized (store) {
            Instant now = store.time.clock().instant();
            for (var seen : expired) {
                Row row = rows(seen.level())[seen.shard()];
                if (row.token == seen.token() && now.isAfter(row.expires)) {
                    rows(seen.level())[seen.shard()] = new Row("", row.token + 2, row.expires);
                }
            }
        }
    }

    @Override
    public void leave(String relay) {
        synchronized (store) {
            relays.remove(relay);
            Instant now = store.time.clock().instant();
            levels.forEach((level, rows) -> {
                for (int shard = 0; shard < SHARDS; shard++) {
                    if (!now.isAfter(rows[shard].expires)) {
                        release(relay, level, shard);
                    }
                }
            });
        }
    }

    private record Relay(String serves, Instant expires) {}

    private record Row(String owner, long token, Instant expires) {

        LeaseTable.Row seen(int shard, int level, Instant now) {
            return new LeaseTable.Row(shard, level, owner, token, Duration.between(now, expires));
        }
    }
}

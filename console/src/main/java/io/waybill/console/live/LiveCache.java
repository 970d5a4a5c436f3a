package io.waybill.console.live;

import io.waybill.console.request.ConsoleRequest;
import io.waybill.console.request.ConsoleResponse;
import io.waybill.console.request.Role;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The last response to each request that pages repeat by themselves, shared by all browsers, so that live updates cost a database at most
 * two statements a second: the more different pages are open, the less often each of them is refreshed. What is kept is bounded, so that
 * nobody can make the others wait for long; the page that was asked for longest ago goes first, and is read for each request. The header
 * {@code Age} says how old a response is.
 *
 * <p><i>Threads:</i> safe; one of them refreshes, the others get what there is.
 */
public final class LiveCache {

    private static final int STATEMENTS_PER_SECOND = 2;
    private static final Duration MIN_INTERVAL = Duration.ofSeconds(2);

    /** A page that nobody has asked for within this time is not open any more. */
    private static final Duration OPEN = Duration.ofSeconds(30);

    /** Of all entries of a database: a page is refreshed at least every two minutes. */
    private static final int MAX_STATEMENTS = 240;

    private static final long MAX_BYTES = 32L * 1024 * 1024;

    /** A larger response is not kept: it would take the room of many. */
    private static final int MAX_RESPONSE_BYTES = 4 * 1024 * 1024;

    private final Clock clock;
    private final Map<Key, Entry> entries = new ConcurrentHashMap<>();
    private final Map<String, AtomicLong> changes = new ConcurrentHashMap<>();

    public LiveCache(Clock clock) {
        this.clock = clock;
    }

    /** What a response depends on: who asks matters by their role only. */
    private record Key(String database, String path, Map<String, String> query, Role role) {}

    private record Kept(ConsoleResponse response, Instant at, long change) {}

    private static final class Entry {
        private final int cost;
        private final AtomicBoolean refreshing = new AtomicBoolean();
        private volatile Instant asked;
        private volatile @Nullable Kept kept;

        Entry(int cost, Instant asked) {
            this.cost = cost;
            this.asked = asked;
        }

        long bytes() {
            Kept last = kept;
            return last == null ? 0 : last.response().body().size();
        }
    }

    /**
     * Answers what a page repeats by itself: from the cache while that is fresh enough.
     *
     * @param database one that exists
     * @param request with the parameters that the response depends on, and no others
     * @param cost how many statements {@code read} runs at most
     */
    public ConsoleResponse live(
            String database, ConsoleRequest request, Role role, int cost, Supplier<ConsoleResponse> read) {
        Instant now = clock.instant();
        Entry entry = open(new Key(database, request.path(), request.query(), role), cost, now);
        Kept kept = entry.kept;
        if (kept != null && isFresh(kept, database, now)) {
            return aged(kept, now);
        }
        if (kept == null || kept.change() != change(database).get()) {
            return readOnce(database, entry, now, read);
        }
        if (!entry.refreshing.compareAndSet(false, true)) {
            return aged(kept, now);
        }
        try {
            return unlessRead(database, entry, now, read);
        } finally {
            entry.refreshing.set(false);
        }
    }

    /** There is nothing that may be shown: the first one reads it, and the others wait for that. */
    private ConsoleResponse readOnce(String database, Entry entry, Instant now, Supplier<ConsoleResponse> read) {
        synchronized (entry) {
            return unlessRead(database, entry, now, read);
        }
    }

    /** Another one may have read it just now. */
    private ConsoleResponse unlessRead(String database, Entry entry, Instant now, Supplier<ConsoleResponse> read) {
        Kept kept = entry.kept;
        return kept != null && isFresh(kept, database, now) ? aged(kept, now) : read(database, entry, read);
    }

    /** Answers what somebody asks for: from the database. Pages that repeat the same get this too. */
    public ConsoleResponse ask(String database, ConsoleRequest request, Role role, Supplier<ConsoleResponse> read) {
        Entry repeated = entries.get(new Key(database, request.path(), request.query(), role));
        return repeated == null ? read.get().header("Age", "0") : read(database, repeated, read);
    }

    /** Somebody has changed something in the database: nothing that was read before is fresh. */
    public void changed(String database) {
        change(database).incrementAndGet();
    }

    private AtomicLong change(String database) {
        return changes.computeIfAbsent(database, name -> new AtomicLong());
    }

    private ConsoleResponse read(String database, Entry entry, Supplier<ConsoleResponse> read) {
        long change = change(database).get();
        Instant begun = clock.instant();
        var kept = new Kept(read.get(), begun, change);
        entry.kept = kept.response().body().size() > MAX_RESPONSE_BYTES ? null : kept;
        removeAboveMaxBytes();
        return aged(kept, clock.instant());
    }

    private Entry open(Key key, int cost, Instant now) {
        Entry entry = entries.computeIfAbsent(key, opened -> new Entry(cost, now));
        entry.asked = now;
        removeClosed(key.database(), now);
        return entry;
    }

    private boolean isFresh(Kept kept, String database, Instant now) {
        return kept.change() == change(database).get()
                && kept.at().plus(interval(database, now)).isAfter(now);
    }

    /** How often each page of the database may be refreshed, so that all of them together stay within the limit. */
    Duration interval(String database, Instant now) {
        var needed = Duration.ofMillis(1_000 * statements(database, now) / STATEMENTS_PER_SECOND);
        return needed.compareTo(MIN_INTERVAL) > 0 ? needed : MIN_INTERVAL;
    }

    private long statements(String database, Instant now) {
        return entries.entrySet().stream()
                .filter(entry -> entry.getKey().database().equals(database))
                .map(Map.Entry::getValue)
                .filter(entry -> isOpen(entry, now))
                .mapToLong(entry -> entry.cost)
                .sum();
    }

    private static boolean isOpen(Entry entry, Instant now) {
        return entry.asked.isAfter(now.minus(OPEN));
    }

    private synchronized void removeClosed(String database, Instant now) {
        entries.values().removeIf(entry -> !isOpen(entry, now));
        while (statements(database, now) > MAX_STATEMENTS) {
            removeOldest(key -> key.database().equals(database));
        }
    }

    private synchronized void removeAboveMaxBytes() {
        while (entries.values().stream().mapToLong(Entry::bytes).sum() > MAX_BYTES) {
            removeOldest(key -> true);
        }
    }

    private void removeOldest(Predicate<Key> of) {
        entries.entrySet().stream()
                .filter(entry -> of.test(entry.getKey()))
                .min(Comparator.comparing(entry -> entry.getValue().asked))
                .ifPresent(oldest -> entries.remove(oldest.getKey()));
    }

    private static ConsoleResponse aged(Kept kept, Instant now) {
        long seconds = Math.max(0, Duration.between(kept.at(), now).toSeconds());
        return kept.response().header("Age", String.valueOf(seconds));
    }
}

package io.waybill.testkit.memory;

import io.waybill.store.Transaction;
import io.waybill.store.inbox.HandlerStats;
import io.waybill.store.inbox.InboxEntry;
import io.waybill.store.inbox.InboxStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** What was handled, of a {@link MemoryStore} and under the same lock. */
final class MemoryInbox implements InboxStore {

    private static final Comparator<InboxEntry> ONE_ORDER =
            Comparator.comparing(InboxEntry::message).thenComparing(InboxEntry::handler);

    private final MemoryStore store;
    private final Set<InboxEntry> beingHandled = new HashSet<>();

    /** When it was handled. */
    final Map<InboxEntry, Instant> handled = new HashMap<>();

    MemoryInbox(MemoryStore store) {
        this.store = store;
    }

    @Override
    public Set<InboxEntry> record(Transaction transaction, Collection<InboxEntry> entries) {
        var fresh = new LinkedHashSet<InboxEntry>();
        Set<InboxEntry> own = ((MemoryTransaction) transaction).handled;
        synchronized (store) {
            for (InboxEntry entry :
                    entries.stream().distinct().sorted(ONE_ORDER).toList()) {
                store.waitWhile(() -> beingHandled.contains(entry) && !own.contains(entry));
                if (!handled.containsKey(entry) && own.add(entry)) {
                    beingHandled.add(entry);
                    fresh.add(entry);
                }
            }
        }
        return fresh;
    }

    @Override
    public List<HandlerStats> stats(Transaction transaction, Duration within) {
        synchronized (store) {
            Instant since = store.time.clock().instant().minus(within);
            var byHandler = new TreeMap<String, HandlerStats>();
            handled.forEach((entry, at) -> {
                if (at.isAfter(since)) {
                    HandlerStats one = HandlerStats.of(entry.handler(), 1, at);
                    byHandler.merge(one.handler(), one, HandlerStats::plus);
                }
            });
            return List.copyOf(byHandler.values());
        }
    }

    /** The transaction that has recorded these is committed. */
    void commit(Set<InboxEntry> entries) {
        entries.forEach(entry -> handled.put(entry, store.time.clock().instant()));
    }

    /** The transaction that has recorded these is over. */
    void end(Set<InboxEntry> entries) {
        beingHandled.removeAll(entries);
    }
}

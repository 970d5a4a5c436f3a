package io.waybill.testkit.memory;

import static java.util.Comparator.comparing;
import static java.util.Objects.requireNonNull;

import io.waybill.store.admin.Archive;
import io.waybill.store.admin.CleanupStore;
import io.waybill.store.admin.StoredMessage;
import io.waybill.store.inbox.InboxEntry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Removes what is over from a {@link MemoryStore}, under the same lock. */
final class MemoryCleanup implements CleanupStore {

    private final MemoryStore store;
    private final MemoryInbox inbox;

    MemoryCleanup(MemoryStore store, MemoryInbox inbox) {
        this.store = store;
        this.inbox = inbox;
    }

    @Override
    public long countDispatched(Duration olderThan) {
        synchronized (store) {
            return olderThan(olderThan).count();
        }
    }

    @Override
    public Batch removeDispatched(Duration olderThan, long after, int limit, Archive archive) {
        synchronized (store) {
            List<StoredMessage> removed = olderThan(olderThan)
                    .sorted(comparing(message -> requireNonNull(message.dispatchedAt())))
                    .limit(limit)
                    .toList();
            archive.<Runnable>fold(
                            () -> () -> {},
                            () -> () -> store.archived.addAll(removed),
                            writer -> () -> writer.write(removed))
                    .run();
            removed.forEach(message -> {
                store.dispatched.remove(message.position());
                store.outbox.remove(message.position());
            });
            return new Batch(removed.size(), 0, removed.size() == limit);
        }
    }

    @Override
    public long countHandled(Duration olderThan) {
        synchronized (store) {
            return handledBefore(olderThan).size();
        }
    }

    @Override
    public int removeHandled(Duration olderThan, int limit) {
        synchronized (store) {
            List<InboxEntry> removed =
                    handledBefore(olderThan).stream().limit(limit).toList();
            removed.forEach(inbox.handled::remove);
            return removed.size();
        }
    }

    private Stream<StoredMessage> olderThan(Duration age) {
        Instant cutoff = store.time.clock().instant().minus(age);
        return Stream.concat(store.outbox.values().stream(), store.dispatched.values().stream())
                .map(MemoryAdmin::stored)
                .filter(message ->
                        message.dispatchedAt() != null && message.dispatchedAt().isBefore(cutoff));
    }

    private List<InboxEntry> handledBefore(Duration age) {
        Instant cutoff = store.time.clock().instant().minus(age);
        var entries = new ArrayList<InboxEntry>();
        inbox.handled.forEach((entry, at) -> {
            if (at.isBefore(cutoff)) {
                entries.add(entry);
            }
        });
        return entries;
    }
}

package io.waybill.testkit;

import io.waybill.store.InboxStore;
import io.waybill.store.Transaction;
import io.waybill.testkit.MemoryStore.MemoryTransaction;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** What was handled, of a {@link MemoryStore} and under the same lock. */
final class MemoryInbox implements InboxStore {

    private final MemoryStore store;
    private final Set<String> beingHandled = new HashSet<>();

    /** By message and handler, when it was handled. */
    final Map<String, Instant> handled = new HashMap<>();

    MemoryInbox(MemoryStore store) {
        this.store = store;
    }

    @Override
    public boolean record(Transaction transaction, String messageId, String handler) {
        String pair = messageId + '\0' + handler;
        synchronized (store) {
            store.waitWhile(() -> beingHandled.contains(pair));
            if (handled.containsKey(pair)) {
                return false;
            }
            beingHandled.add(pair);
            ((MemoryTransaction) transaction).handled.add(pair);
            return true;
        }
    }

    /** The transaction that has recorded these is committed. */
    void commit(Set<String> pairs) {
        pairs.forEach(pair -> handled.put(pair, store.time.clock().instant()));
    }

    /** The transaction that has recorded these is over. */
    void end(Set<String> pairs) {
        beingHandled.removeAll(pairs);
    }
}

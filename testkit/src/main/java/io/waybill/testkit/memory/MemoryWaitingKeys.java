package io.waybill.testkit.memory;

import static java.util.stream.Collectors.toSet;

import io.waybill.message.StorableMessage;
import io.waybill.store.Transaction;
import io.waybill.store.inbox.WaitingKeys;
import io.waybill.store.outbox.Key;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** What waits of each key of a {@link MemoryStore}, under the same lock. */
final class MemoryWaitingKeys implements WaitingKeys {

    private final MemoryStore store;
    private final Map<Key, Long> committed = new HashMap<>();
    private final Map<Transaction, Key> storing = new HashMap<>();

    MemoryWaitingKeys(MemoryStore store) {
        this.store = store;
    }

    @Override
    public void add(Transaction transaction, String destination, String partitionKey) {
        synchronized (store) {
            changes(transaction).merge(key(destination, partitionKey), 1L, Long::sum);
        }
    }

    @Override
    public void remove(Transaction transaction, String destination, String partitionKey) {
        synchronized (store) {
            changes(transaction).merge(key(destination, partitionKey), -1L, Long::sum);
        }
    }

    @Override
    public void addAll(Transaction transaction, String destination) {
        synchronized (store) {
            Key key = key(destination, ALL);
            storing.put(transaction, key);
            ((MemoryTransaction) transaction).effects.add(() -> committed.put(key, 1L));
        }
    }

    @Override
    public boolean removeAll(Transaction transaction, String destination, String counted) {
        synchronized (store) {
            Key key = key(destination, ALL);
            if (storing.containsValue(key) || store.holds(destination, counted)) {
                return false;
            }
            committed.remove(key);
            return true;
        }
    }

    @Override
    public Set<String> among(Transaction transaction, String destination, Collection<String> partitionKeys) {
        synchronized (store) {
            return partitionKeys.stream()
                    .filter(key -> committed.getOrDefault(key(destination, key), 0L)
                                    + changes(transaction).getOrDefault(key(destination, key), 0L)
                            > 0)
                    .collect(toSet());
        }
    }

    private static Key key(String destination, String partitionKey) {
        return new Key(destination, StorableMessage.name(partitionKey));
    }

    private static Map<Key, Long> changes(Transaction transaction) {
        return ((MemoryTransaction) transaction).waiting;
    }

    void end(MemoryTransaction transaction) {
        storing.remove(transaction);
    }

    void commit(MemoryTransaction transaction) {
        transaction.waiting.forEach((key, change) -> committed.merge(key, change, Long::sum));
    }
}

package io.waybill.testkit.memory;

import static java.util.stream.Collectors.toSet;

import io.waybill.message.Envelope;
import io.waybill.store.AttemptLog;
import io.waybill.store.Transaction;
import io.waybill.store.failed.FailedMessage;
import io.waybill.store.failed.FailedSelection;
import io.waybill.store.failed.FailedStore;
import io.waybill.store.failed.Failure;
import io.waybill.store.failed.FailureGroup;
import io.waybill.store.failed.ParkedKey;
import io.waybill.store.failed.ParkedStore;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** What could not be handled, of a {@link MemoryStore} and under the same lock. */
final class MemoryFailed implements FailedStore {

    private final MemoryStore store;
    private final TreeMap<Long, FailedMessage> rows = new TreeMap<>();
    private long lastId;

    MemoryFailed(MemoryStore store) {
        this.store = store;
    }

    @Override
    public void put(Transaction transaction, Failure failure) {
        synchronized (store) {
            long id = ++lastId;
            Instant now = store.time.clock().instant();
            var row = new FailedMessage(
                    id,
                    failure.handler(),
                    failure.message(),
                    failure.attempts(),
                    failure.cause(),
                    failure.since() == null ? now : failure.since(),
                    now,
                    failure.parksKey(),
                    null,
                    failure.retries() + row(failure).map(known -> known.retries).orElse(0),
                    log(AttemptLog.NONE, failure));
            ((MemoryTransaction) transaction).effects.add(() -> rows.put(id, row));
        }
    }

    /** Its row in the outbox, if it has one. */
    private Optional<MemoryRow> row(Failure failure) {
        return store.outbox.values().stream()
                .filter(row -> row.envelope.id().equals(failure.row()))
                .findFirst();
    }

    /** The history with what the row of the message knows and with this failure. */
    AttemptLog log(AttemptLog before, Failure failure) {
        String known = row(failure).map(row -> row.attemptLog.text()).orElse("");
        String line = failure.attempts() == 0
                ? ""
                : AttemptLog.failed(now(), failure.cause().label());
        return before.plus(known + line);
    }

    @Override
    public Set<String> failedKeys(Transaction transaction, String source, String handler, Collection<String> keys) {
        synchronized (store) {
            return rows.values().stream()
                    .filter(row -> row.parksKey()
                            && row.source().equals(source)
                            && row.handler().equals(handler))
                    .map(row -> row.message().partitionKey())
                    .filter(keys::contains)
                    .collect(toSet());
        }
    }

    @Override
    public List<FailedMessage> list(FailedSelection selection, long after, int limit) {
        synchronized (store) {
            return matching(selection, after).limit(limit).toList();
        }
    }

    @Override
    public Optional<FailedMessage> find(long id) {
        return list(FailedSelection.of(List.of(id)), 0, 1).stream().findFirst();
    }

    @Override
    public long count(FailedSelection selection) {
        synchronized (store) {
            return matching(selection, 0).count();
        }
    }

    @Override
    public List<FailureGroup> groups(FailedSelection selection) {
        synchronized (store) {
            return FailureGroup.of(matching(selection, 0));
        }
    }

    @Override
    public List<FailedMessage> lock(Transaction transaction, FailedSelection selection, long after, int limit) {
        synchronized (store) {
            list(selection, after, limit).stream()
                    .map(row -> row.parksKey() ? ParkedKey.of(row) : row.id())
                    .distinct()
                    .sorted(Comparator.comparing(Object::toString))
                    .forEach(what -> store.lock(transaction, what));
            return list(selection, after, limit);
        }
    }

    /** What is removed is gone for everybody at once, and comes back when the transaction does not commit. */
    @Override
    public void remove(Transaction transaction, Collection<Long> ids) {
        synchronized (store) {
            ids.forEach(id -> {
                FailedMessage row = rows.remove(id);
                ((MemoryTransaction) transaction).rollbackActions.add(() -> rows.put(id, row));
            });
        }
    }

    @Override
    public ParkedStore parked() {
        return new MemoryParked(this);
    }

    /** Until the transaction ends no other one changes what is parked of the key. */
    void lock(Transaction transaction, ParkedKey key) {
        store.lock(transaction, key);
    }

    /** Messages of the key that park it, in their order. */
    List<FailedMessage> parked(ParkedKey key) {
        synchronized (store) {
            return rows.values().stream()
                    .filter(row -> row.parksKey() && ParkedKey.of(row).equals(key))
                    .toList();
        }
    }

    /** Changes a row for everybody at once, and back when the transaction does not commit. */
    void change(Transaction transaction, long id, UnaryOperator<FailedMessage> change) {
        synchronized (store) {
            FailedMessage row = rows.get(id);
            if (row != null) {
                rows.put(id, change.apply(row));
                ((MemoryTransaction) transaction).rollbackActions.add(() -> rows.put(id, row));
            }
        }
    }

    Instant now() {
        return store.time.clock().instant();
    }

    /** Nobody but Waybill writes here. */
    @Override
    public int giveBack(Transaction transaction, FailedSelection selection, String queue, int limit) {
        return 0;
    }

    @Override
    public boolean edit(Transaction transaction, long id, Envelope changed, String note) {
        synchronized (store) {
            if (!rows.containsKey(id)) {
                return false;
            }
            ((MemoryTransaction) transaction)
                    .effects.add(() -> rows.computeIfPresent(
                            id,
                            (same, row) -> row.with(changed)
                                    .withAttempts(
                                            row.retries(), row.attemptLog().plus(AttemptLog.changed(now(), note)))));
            return true;
        }
    }

    private Stream<FailedMessage> matching(FailedSelection selection, long after) {
        return rows.tailMap(after, false).values().stream().filter(selection::matches);
    }
}

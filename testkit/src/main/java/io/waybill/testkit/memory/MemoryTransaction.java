package io.waybill.testkit.memory;

import io.waybill.WaybillException;
import io.waybill.command.store.CommandRecord;
import io.waybill.message.Envelope;
import io.waybill.store.AfterCommit;
import io.waybill.store.Transaction;
import io.waybill.store.inbox.InboxEntry;
import io.waybill.store.outbox.Key;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** A transaction of a {@link MemoryStore}: ends with {@link #commit} or {@link #rollback}. */
public final class MemoryTransaction implements Transaction {

    private final MemoryStore store;
    final List<MemoryRow> appended = new ArrayList<>();
    final Map<Envelope, Instant> scheduled = new HashMap<>();
    final Map<Key, Long> numbers = new HashMap<>();
    final Set<InboxEntry> handled = new HashSet<>();
    final Set<Long> taken = new HashSet<>();
    final Set<Key> freed = new HashSet<>();
    final Map<UUID, CommandRecord> commands = new HashMap<>();
    final Map<Key, Long> waiting = new HashMap<>();

    /** What else happens when it commits, under the lock of the store. */
    final List<Runnable> effects = new ArrayList<>();

    /** What is taken back when it does not. */
    final List<Runnable> rollbackActions = new ArrayList<>();

    private final List<Runnable> afterCommit = new ArrayList<>();

    MemoryTransaction(MemoryStore store) {
        this.store = store;
    }

    @Override
    public <T> T unwrap(Class<T> type) {
        throw new WaybillException("A store in memory has no " + type.getName()
                + ". Test a handler that needs one on H2: it is in memory as well.");
    }

    @Override
    public boolean afterCommit(Runnable work) {
        return afterCommit.add(work);
    }

    @Override
    public boolean isReadOnly() {
        return false;
    }

    public void commit() {
        store.commit(this);
        AfterCommit.run(afterCommit);
    }

    public void rollback() {
        store.end(this);
    }
}

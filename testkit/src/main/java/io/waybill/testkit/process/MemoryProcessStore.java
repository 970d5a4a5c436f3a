package io.waybill.testkit.process;

import io.waybill.Time;
import io.waybill.WaybillException;
import io.waybill.process.message.Decision;
import io.waybill.process.state.LoggedEvent;
import io.waybill.process.state.ProcessEvent;
import io.waybill.process.state.ProcessHeader;
import io.waybill.process.state.ProcessInstance;
import io.waybill.process.state.ProcessState;
import io.waybill.process.state.ProcessStatus;
import io.waybill.process.state.StepStatus;
import io.waybill.process.store.ProcessQuery;
import io.waybill.process.store.ProcessStore;
import io.waybill.process.store.StuckProcess;
import io.waybill.store.AfterCommit;
import io.waybill.store.NoTransactionException;
import io.waybill.store.OutdatedException;
import io.waybill.store.Transaction;
import io.waybill.store.Transactions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Processes in memory, with transactions that lock, commit and roll back like those of the databases: it passes the same contract.
 *
 * <p><i>Threads:</i> safe; one lock for everything.
 */
public final class MemoryProcessStore implements ProcessStore, Transactions {

    private final Time time;
    private final Map<UUID, Row> rows = new LinkedHashMap<>();
    private final Map<Object, MemoryTransaction> locks = new HashMap<>();
    private final ThreadLocal<@Nullable MemoryTransaction> current = new ThreadLocal<>();

    /** Nobody has said: then everything may be. */
    private volatile Predicate<UUID> isOnTheWay = id -> true;

    private record Row(ProcessState state, List<LoggedEvent> log) {}

    private record Key(String type, String businessKey) {}

    public MemoryProcessStore(Time time) {
        this.time = time;
    }

    // Transactions

    @Override
    public Transaction current() {
        MemoryTransaction transaction = current.get();
        if (transaction == null) {
            throw new NoTransactionException(
                    "This thread has no transaction. Call it inside store.inTransaction(...).");
        }
        return transaction;
    }

    @Override
    public <T, X extends Exception> T inTransaction(Work<T, X> work) throws X {
        MemoryTransaction joined = current.get();
        if (joined != null) {
            return work.run(joined);
        }
        var transaction = new MemoryTransaction();
        current.set(transaction);
        boolean done = false;
        try {
            T result = work.run(transaction);
            done = true;
            return result;
        } finally {
            current.remove();
            transaction.end(done);
        }
    }

    // ProcessStore

    @Override
    public synchronized Optional<UUID> find(Transaction transaction, String processType, String businessKey) {
        return visible(transaction).values().stream()
                .map(row -> row.state().header())
                .filter(header -> header.processType().equals(processType)
                        && header.businessKey().equals(businessKey))
                .map(ProcessHeader::processId)
                .findFirst();
    }

    @Override
    public synchronized Map<UUID, UUID> insert(
            Transaction transaction, List<Decision> starts, Consumer<Decision> sends) {
        Map<UUID, UUID> existing = new HashMap<>();
        for (Decision start : starts) {
            insert(transaction, start)
                    .ifPresentOrElse(
                            other -> existing.put(start.after().processId(), other), () -> sends.accept(start));
        }
        return existing;
    }

    private Optional<UUID> insert(Transaction transaction, Decision decision) {
        ProcessHeader header = decision.after().header();
        lockFor((MemoryTransaction) transaction, new Key(header.processType(), header.businessKey()));
        Optional<UUID> existing = find(transaction, header.processType(), header.businessKey());
        if (existing.isEmpty()) {
            ((MemoryTransaction) transaction)
                    .changes.put(header.processId(), new Row(decision.after(), List.copyOf(decision.events())));
        }
        return existing;
    }

    @Override
    public synchronized Optional<Locked> lock(Transaction transaction, UUID processId) {
        lockFor((MemoryTransaction) transaction, processId);
        return Optional.ofNullable(visible(transaction).get(processId))
                .map(row -> new Locked(row.state(), time.clock().instant()));
    }

    @Override
    public synchronized Optional<ProcessState> read(Transaction transaction, UUID processId) {
        return Optional.ofNullable(visible(transaction).get(processId)).map(Row::state);
    }

    @Override
    public synchronized void save(Transaction transaction, Decision decision) {
        UUID id = decision.after().processId();
        Row before = visible(transaction).get(id);
        if (before == null || before.state() != decision.before().orElse(null)) {
            throw new OutdatedException("Process " + id + " was changed by another transaction since it was read.");
        }
        var log = new ArrayList<>(before.log());
        log.addAll(decision.events());
        ((MemoryTransaction) transaction).changes.put(id, new Row(decision.after(), log));
    }

    @Override
    public Instant now(Transaction transaction) {
        return time.clock().instant();
    }

    @Override
    public synchronized List<UUID> due(Collection<Version> definitions, int limit) {
        Instant now = time.clock().instant();
        return nextDue().entrySet().stream()
                .filter(due -> definitions.contains(versionOf(due.getKey())))
                .filter(due -> !due.getValue().isAfter(now))
                .sorted(Map.Entry.comparingByValue())
                .limit(limit)
                .map(Map.Entry::getKey)
                .toList();
    }

    private Version versionOf(UUID processId) {
        ProcessState state = Objects.requireNonNull(rows.get(processId)).state();
        return new Version(state.processType(), state.version());
    }

    /** When something is due next for any process. */
    public synchronized Optional<Instant> nextDueAt() {
        return nextDue().values().stream().min(Comparator.naturalOrder());
    }

    @Override
    public synchronized List<LoggedEvent> history(UUID processId) {
        Row row = rows.get(processId);
        return row == null ? List.of() : row.log();
    }

    @Override
    public synchronized Optional<ProcessState> read(UUID processId) {
        return Optional.ofNullable(rows.get(processId)).map(Row::state);
    }

    @Override
    public Optional<ProcessInstance> findById(UUID processId) {
        return read(processId).map(state -> state.header().instance());
    }

    @Override
    public List<ProcessEvent> findByProcessId(UUID processId) {
        return history(processId).stream().map(LoggedEvent::event).toList();
    }

    @Override
    public synchronized List<ProcessInstance> search(ProcessQuery query) {
        return rows.values().stream()
                .filter(row -> matches(row.state(), query))
                .map(row -> row.state().header().instance())
                .sorted(Comparator.comparing(ProcessInstance::updatedAt))
                .limit(query.limit())
                .toList();
    }

    @Override
    public synchronized List<StuckProcess> stuck(Collection<String> handledHere, int limit) {
        var rules = new StuckRules(this::read, isOnTheWay);
        return rows.values().stream()
                .map(Row::state)
                .flatMap(rules::in)
                .limit(limit)
                .toList();
    }

    /** Says whether a command with an id, or a message to the process with an id, is on the way: it is not kept here. */
    public void watch(Predicate<UUID> onTheWay) {
        isOnTheWay = onTheWay;
    }

    @Override
    public synchronized List<InFlight> inFlight() {
        var counts = new LinkedHashMap<InFlight, Long>();
        rows.values().stream()
                .map(Row::state)
                .filter(state -> !isOver(state))
                .forEach(state -> state.executions().stream()
                        .map(step -> new InFlight(state.processType(), state.version(), step.step(), step.kind(), 0))
                        .distinct()
                        .forEach(key -> counts.merge(key, 1L, Long::sum)));
        return counts.entrySet().stream()
                .map(entry -> new InFlight(
                        entry.getKey().processType(),
                        entry.getKey().version(),
                        entry.getKey().step(),
                        entry.getKey().kind(),
                        entry.getValue()))
                .toList();
    }

    @Override
    public synchronized List<Active> active(int most) {
        var byStatus = new EnumMap<ProcessStatus, List<ProcessState>>(ProcessStatus.class);
        rows.values().stream()
                .map(Row::state)
                .filter(state -> !isOver(state))
                .forEach(state -> byStatus.computeIfAbsent(state.status(), none -> new ArrayList<>())
                        .add(state));
        var active = new ArrayList<Active>();
        byStatus.forEach((status, states) -> states.stream()
                .limit(most)
                .collect(Collectors.groupingBy(ProcessState::processType, Collectors.counting()))
                .forEach((type, processes) -> active.add(new Active(type, status, processes))));
        return active;
    }

    @Override
    public synchronized int removeFinished(Duration ago, int limit) {
        List<UUID> old = finished(ago).limit(limit).toList();
        old.forEach(rows::remove);
        return old.size();
    }

    @Override
    public synchronized long countFinished(Duration ago) {
        return finished(ago).count();
    }

    private Stream<UUID> finished(Duration ago) {
        Instant before = time.clock().instant().minus(ago);
        return rows.values().stream()
                .map(Row::state)
                .filter(state -> isOver(state) && state.header().updatedAt().isBefore(before))
                .filter(state -> state.header().parent() == null
                        || !rows.containsKey(state.header().parent().processId()))
                .map(ProcessState::processId);
    }

    private static boolean isOver(ProcessState state) {
        return state.status().isFinished() && !state.isBlocked();
    }

    private static boolean matches(ProcessState state, ProcessQuery query) {
        ProcessHeader header = state.header();
        return query.processType().map(header.processType()::equals).orElse(true)
                && query.businessKey().map(header.businessKey()::equals).orElse(true)
                && query.ids().stream().allMatch(range -> range.contains(header.processId()))
                && (query.statuses().isEmpty() || query.statuses().contains(header.status()))
                && query.untouchedSince().map(header.updatedAt()::isBefore).orElse(true)
                && query.step()
                        .map(step -> state.executions().stream()
                                .anyMatch(found -> found.step().equals(step)
                                        && (found.status().isOpen()
                                                || found.status() == StepStatus.COMPENSATION_BLOCKED)))
                        .orElse(true);
    }

    private Map<UUID, Instant> nextDue() {
        var due = new LinkedHashMap<UUID, Instant>();
        for (Row row : rows.values()) {
            row.state()
                    .header()
                    .nextDue(row.state().executions())
                    .ifPresent(at -> due.put(row.state().processId(), at));
        }
        return due;
    }

    private Map<UUID, Row> visible(Transaction transaction) {
        var visible = new LinkedHashMap<>(rows);
        visible.putAll(((MemoryTransaction) transaction).changes);
        return visible;
    }

    private void lockFor(MemoryTransaction transaction, Object what) {
        waitWhile(() -> locks.containsKey(what) && locks.get(what) != transaction);
        locks.put(what, transaction);
    }

    private void waitWhile(BooleanSupplier condition) {
        boolean interrupted = false;
        while (condition.getAsBoolean()) {
            try {
                wait();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private final class MemoryTransaction implements Transaction {

        private final Map<UUID, Row> changes = new LinkedHashMap<>();
        private final List<Runnable> afterCommit = new ArrayList<>();

        @Override
        public <T> T unwrap(Class<T> type) {
            throw new WaybillException("A transaction in memory has no " + type.getName() + ".");
        }

        @Override
        public boolean isReadOnly() {
            return false;
        }

        @Override
        public boolean afterCommit(Runnable work) {
            return afterCommit.add(work);
        }

        void end(boolean commit) {
            synchronized (MemoryProcessStore.this) {
                if (commit) {
                    rows.putAll(changes);
                }
                locks.values().removeIf(owner -> owner == this);
                MemoryProcessStore.this.notifyAll();
            }
            if (commit) {
                AfterCommit.run(afterCommit);
            }
        }
    }
}

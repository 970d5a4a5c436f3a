package io.waybill.process.store;

import io.waybill.process.message.Decision;
import io.waybill.process.state.LoggedEvent;
import io.waybill.process.state.ProcessInstance;
import io.waybill.process.state.ProcessState;
import io.waybill.process.state.ProcessStatus;
import io.waybill.process.state.StepKind;
import io.waybill.store.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;

/** Stores processes, their steps and their logs. Methods with a transaction parameter join it; the others use their own. */
public interface ProcessStore extends ProcessRepository, ProcessLogRepository {

    /** The process of this type about this key. */
    Optional<UUID> find(Transaction transaction, String processType, String businessKey);

    /**
     * Writes processes that begin, except those of which there is one of the same type and business key already; a transaction that is
     * writing one is waited for.
     *
     * @param sends writes what follows from a process that is new; a database may do all of that in one round trip
     * @return the processes that are there already, by the ids of those that were not written
     */
    Map<UUID, UUID> insert(Transaction transaction, List<Decision> starts, Consumer<Decision> sends);

    /**
     * Reads a process as it is committed now, and keeps others from reading it like this until the transaction ends: every
     * decision is made on the latest state.
     */
    Optional<Locked> lock(Transaction transaction, UUID processId);

    /** Reads a process as the transaction sees it, and keeps nobody from changing it. */
    Optional<ProcessState> read(Transaction transaction, UUID processId);

    /** Writes what was decided about a process that is locked: the rows that differ, and the events. */
    void save(Transaction transaction, Decision decision);

    /**
     * Processes of these definitions for which something is due, those first for which it is due for longest. Paused ones are left alone.
     */
    List<UUID> due(Collection<Version> definitions, int limit);

    /** The time to decide by, as {@link Locked} has it. */
    Instant now(Transaction transaction);

    /** The log of a process, oldest first. */
    List<LoggedEvent> history(UUID processId);

    /** A process with its steps, without keeping others away. */
    Optional<ProcessState> read(UUID processId);

    List<ProcessInstance> search(ProcessQuery query);

    /**
     * Steps of processes that are not finished, which wait for a command, a message, a sub-process or a time that does not exist. There must be
     * none. The deadline of a process does not count: what waits for nothing else than that is stuck until then.
     *
     * @param handledHere the types of commands that are handled on this database: their message must be in the outbox. Others may have
     *     been sent to a broker, and only their reply is waited for
     */
    List<StuckProcess> stuck(Collection<String> handledHere, int limit);

    /** Which definitions, and which of their steps, unfinished processes stand on. */
    List<InFlight> inFlight();

    /** How many processes are not finished, by type and status; of each status no more than this are looked at. */
    List<Active> active(int most);

    /** How many processes were finished longer ago than this; not those that are blocked, or a step of one that is still there. */
    long countFinished(Duration ago);

    /** Removes some of them, with their steps and logs. */
    int removeFinished(Duration ago, int limit);

    /**
     * A state under lock.
     *
     * @param now the time to decide by: the database's, moved by the clock's offset
     */
    record Locked(ProcessState state, Instant now) {}

    /** A definition in one version. */
    record Version(String processType, int version) {}

    /** So many processes of this type are in this status and not finished; those that are FAILED are blocked. */
    record Active(String processType, ProcessStatus status, long processes) {}

    /** So many unfinished processes of this version have an execution of this step. */
    record InFlight(String processType, int version, String step, StepKind kind, long processes) {}
}

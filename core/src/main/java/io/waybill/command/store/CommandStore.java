package io.waybill.command.store;

import io.waybill.command.execution.CommandOverException;
import io.waybill.store.Transaction;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Keeps commands and their replies. Methods with a transaction belong to it; the others read or change what is committed. */
public interface CommandStore {

    /**
     * Writes a command, unless there is one with its idempotency key or its id. A transaction that is writing one is waited for.
     *
     * @return the one that is there; nothing when this one was written
     */
    Optional<CommandRecord> insert(Transaction transaction, CommandRecord command);

    /** Writes commands that are known to be new. */
    void insertNew(Transaction transaction, List<CommandRecord> commands);

    /**
     * Ends a command with its reply.
     *
     * @return false when it is over already, or a later attempt is under way
     */
    boolean end(Transaction transaction, UUID commandId, int attempt, CommandStatus status, String reply);

    /**
     * Ends a command that was completed, with its reply.
     *
     * @throws CommandOverException when it is over already, or a later attempt is under way; perhaps not before the end of
     *     {@link io.waybill.store.outbox.OutboxStore#finish}
     */
    void complete(Transaction transaction, UUID commandId, int attempt, String reply);

    /** Lets a command that is not completed begin anew with a later attempt. False when there is nothing to begin. */
    boolean begin(Transaction transaction, UUID commandId, int attempt);

    /**
     * Makes sure that a command which has not been completed never will be, even if it is not known here yet.
     *
     * @param command as it is kept then: failed, with an attempt that no other follows
     * @return the command when it has been completed; nothing when it was refused
     */
    Optional<CommandRecord> refuse(Transaction transaction, CommandRecord command);

    /**
     * Reads commands as they are committed now, in the order of their ids, and keeps others from changing them until the transaction ends.
     * To lock a process too, lock its commands first, as handlers do.
     */
    List<CommandRecord> lock(Transaction transaction, Collection<UUID> commandIds);

    Optional<CommandRecord> find(UUID commandId);

    /** Those of these commands that are over. */
    List<CommandRecord> over(Collection<UUID> commandIds);

    /** Says that these take more than one commit, as far as they are still pending. */
    void processing(Collection<UUID> commandIds);

    /** Commands that are not over although their time is, oldest first. */
    List<CommandRecord> overdue(int limit);

    /** How many commands have been over for this long, and are not those of a process that is still there. */
    long countOver(Duration olderThan);

    /**
     * Removes some of them. What a process has sent stays as long as the process: without it the process could not tell any more
     * whether there is something to compensate. Returns how many.
     */
    int removeOver(Duration olderThan, int limit);
}

package io.waybill.process;

import io.waybill.command.CommandReply;
import io.waybill.store.Transaction;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Carries what processes send. Everything is sent in the transaction of the decision, and arrives if that commits; answers come back
 * through {@link ProcessManager#onReply}, messages through {@link ProcessManager#onMessage}.
 */
public interface Commands {

    void send(Transaction transaction, List<StepCommand> commands);

    /**
     * Sends the only command that a process waits for, unless it can be run here right after the decision.
     *
     * @return whether it is
     */
    default boolean sendNext(Transaction transaction, StepCommand command) {
        send(transaction, List.of(command));
        return false;
    }

    /** Sends the first attempt of a command that should have been run right after the decision, unless it was. */
    default void sendAgain(Transaction transaction, UUID commandId) {}

    /**
     * Runs the command in the transaction of the decision, if that can be done here and now; then it need not be sent.
     *
     * @return the answer; nothing when the command has to be sent
     */
    default Optional<CommandReply> run(Transaction transaction, StepCommand command) {
        return Optional.empty();
    }

    void tell(Transaction transaction, List<ProcessMessage> messages);
}

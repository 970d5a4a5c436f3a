package io.waybill.process;

import io.waybill.command.CommandReply;
import io.waybill.relay.Continuation;
import io.waybill.store.Transaction;
import java.util.List;
import java.util.Optional;

/**
 * Carries what processes send. Everything is sent in the transaction of the decision, and arrives if that commits; answers come back
 * through {@link ProcessManager#onReply}, messages through {@link ProcessManager#onMessage}.
 */
public interface Commands {

    void send(Transaction transaction, List<StepCommand> commands);

    /**
     * Runs the command in the transaction of the decision, if that can be done here and now; then it need not be sent.
     *
     * @return the answer; nothing when the command has to be sent
     */
    default Optional<CommandReply> run(Transaction transaction, StepCommand command, Continuation continuation) {
        return Optional.empty();
    }

    void tell(Transaction transaction, List<ProcessMessage> messages);
}

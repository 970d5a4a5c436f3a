package io.waybill.process;

import io.waybill.command.CommandReply;
import io.waybill.process.message.Decision;
import io.waybill.process.message.ProcessMessage;
import io.waybill.process.message.StepCommand;
import io.waybill.relay.route.Continuation;
import io.waybill.store.Transaction;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Carries what processes send. Everything is sent in the transaction of the decision, and arrives if that commits; replies come back
 * through {@link ProcessManager#onReply}, messages through {@link ProcessManager#onMessage}.
 */
public interface CommandSender {

    /**
     * Sends commands.
     *
     * @param trace headers of their messages: the context of the trace that the process belongs to, unless this thread is within it
     */
    void send(Transaction transaction, List<StepCommand> commands, Map<String, String> trace);

    /**
     * Runs the command in the transaction of the decision, if that can be done here and now; then it need not be sent.
     *
     * @return the reply; nothing when the command has to be sent
     */
    default Optional<CommandReply> run(Transaction transaction, StepCommand command, Continuation continuation) {
        return Optional.empty();
    }

    /**
     * What is known of commands that their process may give up: completed with this reply, not done (then it can be ended), or in doubt because
     * its handler is on another database. Until the transaction ends, no handler on this database completes one of them.
     */
    Map<UUID, CommandReply> lock(Transaction transaction, Collection<UUID> commandIds);

    /** The process waits no longer for these: no handler on this database completes them any more. */
    void end(Transaction transaction, List<Decision.Ended> commands);

    /**
     * Sends messages to processes.
     *
     * @param trace as of commands
     */
    void sendMessages(Transaction transaction, List<ProcessMessage> messages, Map<String, String> trace);

    /** The types of commands whose handlers are on this database, and which do not leave it: until they have ended, their message is in the outbox. */
    Set<String> handledHere();
}

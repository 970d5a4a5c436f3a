package io.waybill.process;

import io.waybill.command.CommandReply;
import io.waybill.process.definition.ProcessDefinition;
import io.waybill.process.message.Decision;
import io.waybill.process.message.ProcessInput;
import io.waybill.process.message.StepCommand;
import io.waybill.process.state.ProcessState;
import io.waybill.relay.route.Continuation;
import io.waybill.store.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Runs the next step of a process in the transaction of the last one, if it is the only thing that the process waits for and the
 * {@link Continuation} admits it. Then nothing is written about it but how it ended.
 *
 * <p><i>Threads:</i> safe.
 */
final class InlineSteps {

    private final ProcessManagerParts parts;
    private final ProcessDataCodec codec;

    InlineSteps(ProcessManagerParts parts, ProcessDataCodec codec) {
        this.parts = parts;
        this.codec = codec;
    }

    /**
     * The decision and all that follow from it now.
     *
     * @param at when it was made, in the database's time
     */
    Decision from(Transaction transaction, Decision decision, Instant at, Continuation continuation) {
        Instant since = parts.time().clock().instant();
        Decision all = decision;
        while (true) {
            Optional<CommandReply> reply = run(transaction, all, continuation);
            if (reply.isEmpty()) {
                return all;
            }
            Instant now = at.plus(Duration.between(since, parts.time().clock().instant()));
            all = all.then(decide(all.after(), codec.normal(reply.get()), now));
        }
    }

    private Optional<CommandReply> run(Transaction transaction, Decision decision, Continuation continuation) {
        return decision.commands().size() == 1
                        && decision.commands().get(0).purpose() == StepCommand.Purpose.STEP
                        && decision.after().waitsForOne()
                ? parts.commands().run(transaction, decision.commands().get(0), continuation)
                : Optional.empty();
    }

    private Decision decide(ProcessState state, CommandReply reply, Instant now) {
        ProcessDefinition definition =
                parts.definitions().find(state.processType(), state.version()).orElseThrow();
        return parts.engine().decide(definition, state, new ProcessInput.Reply(1, reply), now, KnownCommands.none());
    }
}

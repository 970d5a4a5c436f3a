package io.waybill.process.message;

import io.waybill.command.CommandReply;
import io.waybill.process.state.ProcessParent;
import java.util.Map;
import java.util.UUID;

/** What can happen to a process from outside. */
public sealed interface ProcessInput {

    /** A command has a reply; the attempt is the one that the reply is for. */
    record Reply(int attempt, CommandReply reply) implements ProcessInput {}

    /** Whether commands may be given up, or sent again: then they are locked before the process is, as handlers lock them. */
    default boolean changesCommands() {
        return !(this instanceof Reply
                || this instanceof Signal
                || this instanceof Compensate
                || this instanceof StartedByOperator
                || this instanceof Refused);
    }

    /** Time has passed. */
    record Due() implements ProcessInput {}

    /**
     * Somebody tells something that a step waits for.
     *
     * @param key a second signal of this name with it changes nothing; empty when each counts
     */
    record Signal(String name, String key, Map<String, Object> data) implements ProcessInput {}

    /** The process that this one is a step of wants it compensated. */
    record Compensate(ProcessParent parent) implements ProcessInput {}

    /** An operator has ended the process that this one is a step of, without compensation. */
    record ParentCancelled(String reason) implements ProcessInput {}

    /** An operator holds it. */
    record Pause(String reason) implements ProcessInput {}

    /** An operator lets it go on. */
    record Resume(String reason) implements ProcessInput {}

    /** An operator ends it. */
    record Cancel(String reason, boolean compensate) implements ProcessInput {}

    /** An operator has a step, or its compensation, tried again at once. */
    record RetryNow(String step, String reason) implements ProcessInput {}

    /** An operator takes a compensation out of the way: it was done by hand, or is not to be done. */
    record Skip(String step, boolean resolved, String reason) implements ProcessInput {}

    /** An operator outside of the application requests something; the log has the outcome. */
    record Asked(ProcessRequest request) implements ProcessInput {}

    /** The same, which is not possible. */
    record Refused(ProcessRequest request, String why) implements ProcessInput {}

    /** An operator outside of the application has had it started. */
    record StartedByOperator(UUID requestId, String by, String reason) implements ProcessInput {}
}

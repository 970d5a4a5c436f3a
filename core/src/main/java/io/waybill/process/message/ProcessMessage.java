package io.waybill.process.message;

import io.waybill.command.CommandReply;
import io.waybill.process.state.ProcessParent;
import java.util.Map;
import java.util.UUID;

/** A message to a process, from its sub-process, its parent, or an operator outside of the application. */
public sealed interface ProcessMessage {

    /** The process that receives it. */
    UUID processId();

    /** Begin to exist, as a step of another process. */
    record StartChild(UUID processId, String processType, ProcessParent parent, Map<String, Object> data)
            implements ProcessMessage {}

    /**
     * Begin to exist, because an operator outside of the application wants it.
     *
     * @param processId the id it gets, unless there is one of this type and business key
     * @param version 0 for the latest that the node has
     */
    record StartProcess(
            UUID processId,
            String processType,
            int version,
            String businessKey,
            Map<String, Object> data,
            String by,
            String reason)
            implements ProcessMessage {}

    /** Compensate everything, for your parent. */
    record CompensateChild(UUID processId, String processType, ProcessParent parent) implements ProcessMessage {}

    /** End at once: an operator has ended your parent, and what was done stays done. */
    record CancelChild(UUID processId, String processType, String reason) implements ProcessMessage {}

    /** The step that was a process is over. */
    record ChildReplied(UUID processId, CommandReply reply) implements ProcessMessage {}

    /**
     * A command has a reply, on a node that does not have the version of the process: it waits for one that has it.
     *
     * @param attempt the one that the reply is for
     */
    record HeldReply(UUID processId, String processType, int version, int attempt, CommandReply reply)
            implements ProcessMessage {}

    /** An operator wants something. */
    record Operate(UUID processId, ProcessRequest request) implements ProcessMessage {}
}

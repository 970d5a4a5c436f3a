package io.waybill.process;

import io.waybill.command.CommandReply;
import java.util.Map;
import java.util.UUID;

/** What one process tells another: a sub-process its parent, and a parent its sub-process. */
public sealed interface ProcessMessage {

    /** Who is told. */
    UUID processId();

    /** Begin to exist, as a step of another process. */
    record StartChild(UUID processId, String processType, ProcessParent parent, Map<String, Object> data)
            implements ProcessMessage {}

    /** Undo everything, for your parent. */
    record UndoChild(UUID processId, ProcessParent parent) implements ProcessMessage {}

    /** The step that was a process is over. */
    record ChildAnswered(UUID processId, CommandReply reply) implements ProcessMessage {}
}

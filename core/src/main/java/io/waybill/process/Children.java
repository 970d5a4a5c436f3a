package io.waybill.process;

import io.waybill.command.CommandReply;
import io.waybill.command.CommandReply.Retry;
import java.util.Map;

/** What a sub-process, when it has ended, answers to the process that it is a step of. */
final class Children {

    private Children() {}

    static CommandReply answer(ProcessState child, ProcessParent parent) {
        if (parent.undoCommandId() != null) {
            return CommandReply.completed(parent.undoCommandId(), parent.processId(), Map.of());
        }
        if (child.status() == ProcessStatus.SUCCEEDED) {
            return CommandReply.completed(parent.commandId(), parent.processId(), child.mainData());
        }
        String error = "The process " + child.processType() + " " + child.processId() + " ended as " + child.status()
                + ": " + child.reason();
        return new CommandReply.Failed(parent.commandId(), parent.processId(), "", error, Retry.FORBIDDEN);
    }
}

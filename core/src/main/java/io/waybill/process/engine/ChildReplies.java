package io.waybill.process.engine;

import io.waybill.command.CommandReply;
import io.waybill.command.CommandReply.Retry;
import io.waybill.process.message.ProcessMessage;
import io.waybill.process.state.ProcessParent;
import io.waybill.process.state.ProcessState;
import io.waybill.process.state.ProcessStatus;
import io.waybill.process.state.StateView;
import java.util.Map;
import java.util.UUID;

/** What a sub-process, when it has ended, replies to the process that it is a step of. */
public final class ChildReplies {

    private ChildReplies() {}

    static ProcessMessage.ChildReplied message(ProcessState child, ProcessParent parent) {
        return new ProcessMessage.ChildReplied(parent.processId(), reply(child, parent));
    }

    /** It could not even begin. */
    public static ProcessMessage.ChildReplied notStarted(ProcessMessage.StartChild child, String error) {
        ProcessParent parent = child.parent();
        return new ProcessMessage.ChildReplied(
                parent.processId(),
                failed(
                        parent.commandId(),
                        parent,
                        "The process " + child.processType() + " could not be started: " + error));
    }

    /** It does not exist, so there is nothing to compensate. */
    public static ProcessMessage.ChildReplied compensated(ProcessMessage.CompensateChild child) {
        ProcessParent parent = child.parent();
        UUID compensation =
                parent.compensationCommandId() == null ? parent.commandId() : parent.compensationCommandId();
        return new ProcessMessage.ChildReplied(
                parent.processId(), CommandReply.completed(compensation, parent.processId(), Map.of()));
    }

    private static CommandReply reply(ProcessState child, ProcessParent parent) {
        String how = "The process " + child.processType() + " " + child.processId() + " ended as " + child.status()
                + ": " + child.reason();
        if (parent.compensationCommandId() != null) {
            return child.status() == ProcessStatus.CANCELLED
                    ? failed(parent.compensationCommandId(), parent, how + ". What it did was not compensated.")
                    : CommandReply.completed(parent.compensationCommandId(), parent.processId(), Map.of());
        }
        return child.status() == ProcessStatus.SUCCEEDED
                ? CommandReply.completed(parent.commandId(), parent.processId(), new StateView(child).added())
                : failed(parent.commandId(), parent, how);
    }

    private static CommandReply failed(UUID commandId, ProcessParent parent, String error) {
        return new CommandReply.Failed(commandId, parent.processId(), "", error, Retry.FORBIDDEN);
    }
}

package io.waybill.command.execution;

import io.waybill.WaybillException;
import io.waybill.command.Permanent;
import java.util.UUID;

/** A reply to a command that this database never sent. */
final class UnknownReplyException extends WaybillException implements Permanent {
    UnknownReplyException(UUID commandId, String type) {
        super("This database never sent the command " + commandId + " (" + type
                + ") that the reply is for, or its row was removed. If another application receives its replies from the same"
                + " queue, give each a reply queue of its own: CommandNaming.repliesTo(...).");
    }
}

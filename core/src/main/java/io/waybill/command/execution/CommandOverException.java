package io.waybill.command.execution;

import io.waybill.WaybillException;
import io.waybill.command.Permanent;
import java.util.UUID;

/** A command was over before its handler had finished: it timed out, was compensated, or a later attempt is under way. */
public final class CommandOverException extends WaybillException implements Permanent {
    public CommandOverException(UUID commandId, int attempt) {
        super("Command " + commandId
                + " must not take effect any more: it timed out, was compensated, or an attempt after " + attempt
                + " is in progress. The transaction of its handler was rolled back.");
    }
}

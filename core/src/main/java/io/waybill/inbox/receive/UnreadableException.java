package io.waybill.inbox.receive;

import io.waybill.WaybillException;

/** A message cannot be read: it is of no use to try again. */
final class UnreadableException extends WaybillException {

    private final transient Throwable reason;

    UnreadableException(Throwable reason) {
        super(reason.toString(), reason);
        this.reason = reason;
    }

    Throwable reason() {
        return reason;
    }
}

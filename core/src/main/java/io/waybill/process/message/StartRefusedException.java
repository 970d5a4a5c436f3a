package io.waybill.process.message;

import io.waybill.WaybillException;

/** A process that an operator wants cannot be started, however often it is tried. */
public final class StartRefusedException extends WaybillException {

    private static final long serialVersionUID = 1;

    public StartRefusedException(WaybillException cause) {
        super(String.valueOf(cause.getMessage()), cause);
    }
}

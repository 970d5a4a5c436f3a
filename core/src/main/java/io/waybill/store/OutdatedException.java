package io.waybill.store;

import io.waybill.WaybillException;

/** What was decided on was changed by somebody else before the decision was written: the transaction may be repeated. */
public final class OutdatedException extends WaybillException {

    public OutdatedException(String message) {
        super(message);
    }
}

package io.waybill.store;

import io.waybill.WaybillException;

/** A message was appended without an open transaction. */
public class NoTransactionException extends WaybillException {

    public NoTransactionException(String message) {
        super(message);
    }
}

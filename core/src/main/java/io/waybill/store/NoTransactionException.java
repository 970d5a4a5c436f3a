package io.waybill.store;

import io.waybill.WaybillException;

/** A message was to be written outside of any transaction, where it could not share the fate of the data. */
public class NoTransactionException extends WaybillException {

    public NoTransactionException(String message) {
        super(message);
    }
}

package io.waybill.store;

import io.waybill.WaybillException;

/** The work of a transaction has ended well, but something inside it, whose error was caught, had decided that it must not commit. */
public class DoomedTransactionException extends WaybillException {

    public DoomedTransactionException(String message) {
        super(message);
    }
}

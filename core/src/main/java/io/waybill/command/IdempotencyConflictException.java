package io.waybill.command;

import io.waybill.WaybillException;

/** The idempotency key belongs to another command: the caller's mistake, which a retry does not fix. An HTTP API answers 409. */
public final class IdempotencyConflictException extends WaybillException {

    public IdempotencyConflictException(String message) {
        super(message);
    }
}

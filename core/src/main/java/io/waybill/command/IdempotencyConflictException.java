package io.waybill.command;

import io.waybill.WaybillException;

/** The idempotency key belongs to a different command. A retry does not help; an HTTP API would respond 409. */
public final class IdempotencyConflictException extends WaybillException {

    public IdempotencyConflictException(String message) {
        super(message);
    }
}

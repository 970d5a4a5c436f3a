package io.waybill.command;

import io.waybill.WaybillException;

/** The idempotency key of a command: commands with the same key are accepted once and run once. */
public record IdempotencyKey(String value) {

    public IdempotencyKey {
        if (value.isBlank() || value.length() > 255 || value.indexOf('\0') >= 0) {
            throw new WaybillException("An idempotency key has 1 to 255 characters other than U+0000, but got '" + value
                    + "'. Use what stays the same when the request is repeated: its id, or process and step.");
        }
    }

    public static IdempotencyKey idempotencyKey(Object value) {
        return new IdempotencyKey(String.valueOf(value));
    }
}

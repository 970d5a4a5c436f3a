package io.waybill;

import org.jspecify.annotations.Nullable;

/**
 * The root of everything Waybill throws: its message says what happened, with which values, and what to do. Code that knows no type of
 * Waybill catches it as an {@link IllegalStateException}.
 */
public class WaybillException extends IllegalStateException {

    public WaybillException(String message) {
        super(message);
    }

    public WaybillException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}

package io.waybill;

import org.jspecify.annotations.Nullable;

/** The root of everything Waybill throws: its message says what happened, with which values, and what to do. */
public class WaybillException extends RuntimeException {

    public WaybillException(String message) {
        super(message);
    }

    public WaybillException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}

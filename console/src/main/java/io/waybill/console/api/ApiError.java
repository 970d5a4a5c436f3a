package io.waybill.console.api;

import io.waybill.WaybillException;

/** A request that is answered with an error: its status and the reason. */
public final class ApiError extends WaybillException {

    private static final long serialVersionUID = 1;

    private final int status;

    public ApiError(int status, String message) {
        super(message);
        this.status = status;
    }

    public static ApiError notFound(String message) {
        return new ApiError(404, message);
    }

    public static ApiError invalid(String message) {
        return new ApiError(400, message);
    }

    public int status() {
        return status;
    }
}

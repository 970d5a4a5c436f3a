package io.waybill.micronaut.settings;

import io.waybill.WaybillException;

/** What is wrong with the configuration, all of it. Where it was found out helps nobody, so there is no trace. */
public final class MicronautMisconfiguredException extends WaybillException {

    MicronautMisconfiguredException(String message) {
        super(message);
        setStackTrace(new StackTraceElement[0]);
    }
}

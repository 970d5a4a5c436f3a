package io.waybill.micronaut;

import io.waybill.runtime.WaybillBuilder;

/** A bean that says what the configuration cannot: a codec, listeners, the format of a route, which errors of commands may go away. */
@FunctionalInterface
public interface WaybillCustomizer {

    void customize(WaybillBuilder builder);
}

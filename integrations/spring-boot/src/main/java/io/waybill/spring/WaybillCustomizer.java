package io.waybill.spring;

import io.waybill.runtime.WaybillBuilder;

/** A bean that says more about the instance than settings can: a codec, listeners, which errors of commands may go away. */
@FunctionalInterface
public interface WaybillCustomizer {
    void customize(WaybillBuilder builder);
}

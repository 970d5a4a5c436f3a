package io.waybill.micronaut;

import io.waybill.runtime.Waybill;
import io.waybill.runtime.WaybillBuilder;

/** Watches an instance from before it is built: the meters and traces, where there are some. */
public interface MicronautObserver {

    /** Before it is built. */
    void listenTo(String dataSource, WaybillBuilder builder);

    /** When it is built. */
    default void watch(String dataSource, Waybill waybill) {}
}

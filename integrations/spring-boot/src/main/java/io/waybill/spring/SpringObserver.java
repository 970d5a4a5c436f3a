package io.waybill.spring;

import io.waybill.runtime.Waybill;
import io.waybill.runtime.WaybillBuilder;

/** Counts or traces what becomes of messages, where there is somebody to do so. */
interface SpringObserver {

    /**
     * Listens to the instance that this builder makes.
     *
     * @param only whether there is no other data source to tell it from
     */
    void listenTo(String dataSource, boolean only, WaybillBuilder builder);

    default void watch(String dataSource, Waybill waybill) {}
}

package io.waybill.micronaut;

import io.waybill.plain.Waybill;
import io.waybill.plain.WaybillBuilder;

/** Watches an instance from before it is built: the meters, where there are some. */
interface Observer {

    /** Before it is built. */
    void listenTo(String dataSource, WaybillBuilder builder);

    /** When it is built. */
    void watch(String dataSource, Waybill waybill);
}

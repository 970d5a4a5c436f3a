package io.waybill.micronaut;

import io.waybill.plain.Waybill;

/** Watches an instance from before it is built: the meters, where there are some. */
interface Observer {

    /** Before it is built. */
    void listenTo(String dataSource, Waybill.Builder builder);

    /** When it is built. */
    void watch(String dataSource, Waybill waybill);
}

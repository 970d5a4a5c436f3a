/**
 * How many messages pass in a second: {@link io.waybill.console.rate.ActivityRates} compares what relays have written beside their leases
 * at two times.
 */
@NullMarked
package io.waybill.console.rate;

import org.jspecify.annotations.NullMarked;

/**
 * Draining an outbox with Waybill.
 *
 * <p>{@link io.waybill.benchmarks.drain.WaybillDrain} with its sinks and disturbances; {@link
 * io.waybill.benchmarks.drain.DrainRate} times it.
 */
@NullMarked
package io.waybill.benchmarks.drain;

import org.jspecify.annotations.NullMarked;

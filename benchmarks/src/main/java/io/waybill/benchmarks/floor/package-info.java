/**
 * The least that can be called an outbox, in plain SQL.
 *
 * <p>{@link io.waybill.benchmarks.floor.FloorDrain}.
 */
@NullMarked
package io.waybill.benchmarks.floor;

import org.jspecify.annotations.NullMarked;

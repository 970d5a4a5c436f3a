/**
 * What tests need.
 *
 * <p>{@link io.waybill.testkit.ManualClock} moves time; {@link io.waybill.testkit.OrderCheck} counts what was lost,
 * doubled or reordered. The store in memory is in {@code testkit.memory}, real databases and brokers in {@code
 * testkit.services}, the contracts in {@code testkit.contract}.
 */
@NullMarked
package io.waybill.testkit;

import org.jspecify.annotations.NullMarked;

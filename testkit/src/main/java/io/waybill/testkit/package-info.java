/**
 * What tests need: {@link io.waybill.testkit.ManualClock} moves time, {@link io.waybill.testkit.memory.MemoryStore} keeps everything
 * in memory, and the contracts say what every store and transport must do. Real databases and brokers are in {@code
 * io.waybill.testkit.services}.
 */
@NullMarked
package io.waybill.testkit;

import org.jspecify.annotations.NullMarked;

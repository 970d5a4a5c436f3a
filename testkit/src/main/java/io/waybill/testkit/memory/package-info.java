/**
 * A store and a broker in memory.
 *
 * <p>{@link io.waybill.testkit.memory.MemoryStore} keeps every table, {@link io.waybill.testkit.memory.MemoryBroker} every
 * queue.
 */
@NullMarked
package io.waybill.testkit.memory;

import org.jspecify.annotations.NullMarked;

/**
 * Waybill in plain Java, without a framework.
 *
 * <p>In reading order: {@link io.waybill.runtime.WaybillBuilder} describes an instance, {@code WaybillFactory} puts a store, relays and
 * subscribers together, {@link io.waybill.runtime.Waybill} is what an application holds; {@code Lifecycle} runs on threads of its own,
 * {@code Subscriptions} and {@code CommandConsumers} bring messages from brokers. {@link io.waybill.runtime.PoolUse} counts
 * connections.
 */
@NullMarked
package io.waybill.plain;

import org.jspecify.annotations.NullMarked;

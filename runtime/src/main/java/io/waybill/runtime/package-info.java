/**
 * An instance: outbox, relays, handlers, commands and processes on one database.
 *
 * <p>{@link io.waybill.runtime.WaybillBuilder} describes it, {@code WaybillFactory} builds it, {@link
 * io.waybill.runtime.Waybill} is what an application holds; {@code Lifecycle} runs its threads, {@code Subscriptions} and
 * {@code CommandConsumers} receive from brokers. {@link io.waybill.runtime.PoolUse} counts connections.
 */
@NullMarked
package io.waybill.runtime;

import org.jspecify.annotations.NullMarked;

/**
 * What operators read and change besides messages.
 *
 * <p>{@link io.waybill.jdbc.ops.OperationLog} records their actions; {@link io.waybill.jdbc.ops.RelayNodes} lists relays;
 * {@link io.waybill.jdbc.ops.CommandAdmin} lists commands, {@link io.waybill.jdbc.ops.ProcessAdmin} processes and {@link
 * io.waybill.jdbc.ops.OutboxFailures} what could not be published.
 */
@NullMarked
package io.waybill.jdbc.ops;

import org.jspecify.annotations.NullMarked;

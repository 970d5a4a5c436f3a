/**
 * Runs local handlers of claimed messages.
 *
 * <p>{@link io.waybill.relay.handle.HandlerPool} runs messages of different keys in parallel; {@link
 * io.waybill.relay.handle.HandlerTransaction} is the transaction of one handler, {@link
 * io.waybill.relay.handle.HandlerResult} its result.
 */
@NullMarked
package io.waybill.relay.handle;

import org.jspecify.annotations.NullMarked;

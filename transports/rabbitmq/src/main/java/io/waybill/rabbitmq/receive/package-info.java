/**
 * Receives with acknowledgements.
 *
 * <p>{@link io.waybill.rabbitmq.receive.QueueSubscription} runs one {@code ReceiverLoop} for each batch that may be
 * handled at once, each on a {@code Consumption}.
 */
@NullMarked
package io.waybill.rabbitmq.receive;

import org.jspecify.annotations.NullMarked;

/**
 * Receives messages.
 *
 * <p>{@link io.waybill.jms.receive.JmsSubscription} has a {@code ReceiveLoop} for each thread.
 */
@NullMarked
package io.waybill.jms.receive;

import org.jspecify.annotations.NullMarked;

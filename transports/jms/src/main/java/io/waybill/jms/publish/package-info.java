/**
 * Publishes batches.
 *
 * <p>{@link io.waybill.jms.publish.JmsPublisher} keeps a connection, {@code JmsBatchSender} sends one {@code JmsBatch} on
 * it.
 */
@NullMarked
package io.waybill.jms.publish;

import org.jspecify.annotations.NullMarked;

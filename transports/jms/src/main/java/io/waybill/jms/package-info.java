/**
 * Messages over JMS 3.1.
 *
 * <p>What enters: batches of messages to publish, and receivers for what a queue delivers. What leaves: one transaction per batch.
 *
 * <p>In reading order: {@link io.waybill.jms.Jms} is the broker, made of a connection factory or of settings
 * ({@link io.waybill.jms.client.IbmMqSettings}); {@link io.waybill.jms.client.QueueNames} turns destinations into queues. {@code JmsPublisher}
 * keeps a connection and {@code BatchSending} sends on it; {@code JmsSubscription} has a {@code ReceiveLoop} for each thread. Both
 * stand on {@code Link}, a connection with a transacted session, and on {@code Fault}, which says whose fault an exception is.
 * {@code JmsMessages} and {@code PropertyNames} are what a message looks like. {@code ArtemisClient} and {@code IbmMqClient} are all
 * that touches a vendor's classes.
 */
@NullMarked
package io.waybill.jms;

import org.jspecify.annotations.NullMarked;

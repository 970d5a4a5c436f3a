/**
 * RabbitMQ: publishes with confirms, receives with acknowledgements.
 *
 * <p>What enters: batches of a relay, and queues to receive from. What leaves: an outcome for each message, and batches of
 * deliveries.
 *
 * <p>In reading order: {@link io.waybill.rabbitmq.RabbitMq} is the transport, opened by a URL or with a ConnectionFactory;
 * {@code ConfirmingPublisher} sends what a {@code Batch} lets it send and heeds the answers of a {@code ConfirmChannel};
 * {@code QueueSubscription} runs one {@code ReceiverLoop} for each batch it may have at once, each on a {@code Consumption}.
 * {@code Connector} opens connections and says in one line why it cannot.
 */
@NullMarked
package io.waybill.rabbitmq;

import org.jspecify.annotations.NullMarked;

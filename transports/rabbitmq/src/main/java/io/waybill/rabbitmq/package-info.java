/**
 * RabbitMQ: publishes with confirms, receives with acknowledgements.
 *
 * <p>{@link io.waybill.rabbitmq.RabbitMq} is the transport, opened by a URL or with a ConnectionFactory; {@code
 * rabbitmq.publish}, {@code rabbitmq.receive} and {@code rabbitmq.connection} are its parts.
 */
@NullMarked
package io.waybill.rabbitmq;

import org.jspecify.annotations.NullMarked;

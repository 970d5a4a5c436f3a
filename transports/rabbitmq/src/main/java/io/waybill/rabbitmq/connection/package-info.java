/**
 * Connections to RabbitMQ.
 *
 * <p>{@link io.waybill.rabbitmq.connection.Connector} opens an {@link io.waybill.rabbitmq.connection.AmqpLink} and says in
 * one line why it cannot; {@link io.waybill.rabbitmq.connection.SharedLink} is used by several subscriptions; {@link
 * io.waybill.rabbitmq.connection.RabbitMqOptions} is what can be set.
 */
@NullMarked
package io.waybill.rabbitmq.connection;

import org.jspecify.annotations.NullMarked;

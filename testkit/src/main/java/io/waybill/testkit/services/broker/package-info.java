/**
 * Brokers started by tests.
 *
 * <p>{@link io.waybill.testkit.services.broker.KafkaNode}, {@link io.waybill.testkit.services.broker.Artemis} (JMS) and
 * {@link io.waybill.testkit.services.broker.Rabbit} (AMQP 0-9-1: a RabbitMQ where one is installed, else Qpid). Those in
 * this JVM have threads that keep it alive: a {@code main} method ends with {@code System.exit}.
 */
@NullMarked
package io.waybill.testkit.services.broker;

import org.jspecify.annotations.NullMarked;

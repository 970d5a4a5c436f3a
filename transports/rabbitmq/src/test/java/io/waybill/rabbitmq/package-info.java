/** The transport against real brokers: the RabbitMQ that can be had, and Qpid. */
@NullMarked
package io.waybill.rabbitmq;

import org.jspecify.annotations.NullMarked;

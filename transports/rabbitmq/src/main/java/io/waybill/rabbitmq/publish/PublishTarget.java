package io.waybill.rabbitmq.publish;

import io.waybill.rabbitmq.connection.AmqpProperties;

/** Where a message is published. The empty exchange is the default one, which takes the name of a queue as routing key. */
record PublishTarget(String exchange, String routingKey) {

    /**
     * {@code exchange/routing.key}, up to the first slash; without one the name of a queue.
     *
     * @param exchange for everything, with the whole destination as routing key; empty when the destination names it
     */
    static PublishTarget of(String destination, String exchange) {
        if (!exchange.isEmpty()) {
            return new PublishTarget(exchange, destination);
        }
        int slash = destination.indexOf('/');
        return slash < 0
                ? new PublishTarget("", destination)
                : new PublishTarget(destination.substring(0, slash), destination.substring(slash + 1));
    }

    boolean isQueue() {
        return exchange.isEmpty();
    }

    /** In AMQP both are short strings. */
    boolean isTooLong() {
        return !AmqpProperties.isShort(exchange) || !AmqpProperties.isShort(routingKey);
    }
}

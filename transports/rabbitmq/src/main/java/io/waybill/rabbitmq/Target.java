package io.waybill.rabbitmq;

/** Where a message is published. The empty exchange is the default one, which takes the name of a queue as routing key. */
record Target(String exchange, String routingKey) {

    /**
     * {@code exchange/routing.key}, up to the first slash; without one the name of a queue.
     *
     * @param exchange for everything, with the whole destination as routing key; empty when the destination names it
     */
    static Target of(String destination, String exchange) {
        if (!exchange.isEmpty()) {
            return new Target(exchange, destination);
        }
        int slash = destination.indexOf('/');
        return slash < 0
                ? new Target("", destination)
                : new Target(destination.substring(0, slash), destination.substring(slash + 1));
    }

    boolean isQueue() {
        return exchange.isEmpty();
    }

    /** In AMQP both are short strings. */
    boolean isTooLong() {
        return !AmqpProperties.isShort(exchange) || !AmqpProperties.isShort(routingKey);
    }
}

package io.waybill.rabbitmq.connection;

import io.waybill.WaybillException;
import java.time.Duration;

/**
 * How RabbitMQ is used.
 *
 * @param exchange where everything is published, with the destination as routing key; empty when the destination names the
 *     exchange, as {@code exchange/routing.key}
 * @param inFlight how many messages may be unconfirmed at once, of one key one at a time
 * @param confirmTimeout how long a broker that confirms nothing is waited for
 * @param singleActiveConsumer whether the queues received from in order are declared with {@code x-single-active-consumer},
 *     so that the broker chooses the one consumer; else Waybill consumes them exclusively
 * @param sendKey whether the partition key of every message is a header, by which a receiver knows which messages wait behind one
 *     that failed; else only of commands
 */
public record RabbitMqOptions(
        String exchange, int inFlight, Duration confirmTimeout, boolean singleActiveConsumer, boolean sendKey) {

    public static final RabbitMqOptions DEFAULT = new RabbitMqOptions("", 1_000, Duration.ofSeconds(30), false, false);

    public RabbitMqOptions {
        if (inFlight < 1) {
            throw new WaybillException("in-flight (" + inFlight + ") must be at least 1, or nothing would be sent.");
        }
        if (confirmTimeout.isNegative() || confirmTimeout.isZero()) {
            throw new WaybillException("confirm-timeout (" + confirmTimeout + ") must be longer than zero.");
        }
    }

    public RabbitMqOptions exchange(String exchange) {
        return new RabbitMqOptions(exchange, inFlight, confirmTimeout, singleActiveConsumer, sendKey);
    }

    public RabbitMqOptions inFlight(int inFlight) {
        return new RabbitMqOptions(exchange, inFlight, confirmTimeout, singleActiveConsumer, sendKey);
    }

    public RabbitMqOptions confirmTimeout(Duration confirmTimeout) {
        return new RabbitMqOptions(exchange, inFlight, confirmTimeout, singleActiveConsumer, sendKey);
    }

    public RabbitMqOptions singleActiveConsumer(boolean singleActiveConsumer) {
        return new RabbitMqOptions(exchange, inFlight, confirmTimeout, singleActiveConsumer, sendKey);
    }

    public RabbitMqOptions sendKey(boolean sendKey) {
        return new RabbitMqOptions(exchange, inFlight, confirmTimeout, singleActiveConsumer, sendKey);
    }
}

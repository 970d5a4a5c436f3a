package io.waybill.rabbitmq.receive;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import com.rabbitmq.client.ShutdownSignalException;
import io.waybill.rabbitmq.connection.AmqpLink;
import io.waybill.rabbitmq.connection.AmqpProblem.Closing;
import io.waybill.rabbitmq.connection.AmqpProperties;
import io.waybill.transport.Delivery;
import io.waybill.transport.SubscriptionOptions;
import io.waybill.transport.wire.Headers;
import io.waybill.transport.wire.WireMessage;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A consumer on a channel of its own. Not more than a batch is unacknowledged; ending the channel gives all of that back to the
 * queue, each message in its old place.
 */
final class Consumption implements AutoCloseable {

    /** How long to wait for more of a batch while messages keep coming. */
    private static final Duration LINGER = Duration.ofMillis(1);

    /** How long a batch may take altogether from its first message on. */
    private static final Duration MAX_LINGER = Duration.ofMillis(10);

    private static final int MAX_UNACKNOWLEDGED = 65_535;

    private final Channel channel;
    private final String queue;
    private final int batchSize;
    private final BlockingQueue<Arrival> arrivals = new LinkedBlockingQueue<>();
    private volatile @Nullable String ended;

    private Consumption(Channel channel, SubscriptionOptions options) {
        this.channel = channel;
        this.queue = options.source();
        this.batchSize = Math.min(options.batchSize(), MAX_UNACKNOWLEDGED);
    }

    static Consumption start(Channel channel, SubscriptionOptions options, boolean exclusive) throws IOException {
        var consumption = new Consumption(channel, options);
        channel.basicQos(consumption.batchSize);
        channel.basicConsume(options.source(), false, "", false, exclusive, Map.of(), consumption.new Consumer());
        return consumption;
    }

    /** Waits for messages and takes what comes, up to a batch; nothing when it was woken or has ended. */
    List<Arrival> next() throws InterruptedException {
        var batch = new ArrayList<Arrival>();
        Arrival arrival = arrivals.take();
        long start = System.nanoTime();
        while (arrival != null && !arrival.isNone()) {
            batch.add(arrival);
            boolean isEnough = batch.size() == batchSize || System.nanoTime() - start > MAX_LINGER.toNanos();
            arrival = isEnough ? null : arrivals.poll(LINGER.toNanos(), TimeUnit.NANOSECONDS);
        }
        return batch;
    }

    /** Everything that was delivered up to and with this one. */
    void acknowledge(Arrival last) throws IOException {
        channel.basicAck(last.tag, true);
    }

    /** Why there will be no more messages. */
    @Nullable
    String ended() {
        return ended;
    }

    void wake() {
        arrivals.add(Arrival.NONE);
    }

    @Override
    public void close() {
        AmqpLink.end(channel);
    }

    private void end(String reason) {
        ended = reason;
        wake();
    }

    /** A message and the number under which it is acknowledged. */
    record Arrival(long tag, Delivery delivery) {

        /** No message: the loop is to look what has happened. The numbers of messages begin with 1. */
        private static final Arrival NONE =
                new Arrival(0, new Delivery("", "", "", new WireMessage(Map.of(), new byte[0])));

        private boolean isNone() {
            return tag == NONE.tag;
        }
    }

    private final class Consumer extends DefaultConsumer {

        private Consumer() {
            super(channel);
        }

        @Override
        public void handleDelivery(String tag, Envelope envelope, BasicProperties properties, byte[] body) {
            var message = new WireMessage(AmqpProperties.headers(properties), body);
            String key = message.header(Headers.PARTITION_KEY);
            arrivals.add(new Arrival(envelope.getDeliveryTag(), new Delivery(queue, key, "", message)));
        }

        @Override
        public void handleCancel(String tag) {
            end("the broker has cancelled the consumer, as it does when the queue is deleted");
        }

        @Override
        public void handleShutdownSignal(String tag, ShutdownSignalException signal) {
            end(Closing.of(signal).toString());
        }
    }
}

package io.waybill.benchmarks.broker;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.waybill.benchmarks.floor.FloorRelay.Row;
import io.waybill.benchmarks.workload.Workload;
import io.waybill.rabbitmq.RabbitMq;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * An exchange and a durable queue of one's own for one measurement, and the bare client beside which Waybill is measured: it
 * sends persistent, mandatory messages, hears of their confirms asynchronously, and has a bounded number of them unconfirmed.
 */
final class RabbitLane implements AutoCloseable {

    private static final int IN_FLIGHT = 1_000;
    private static final int PATIENCE_SECONDS = 60;

    private final String url;
    private final String name = "waybill-benchmark-" + UUID.randomUUID();
    private final Connection connection;
    private final Channel channel;
    private final Semaphore free = new Semaphore(IN_FLIGHT);
    private final NavigableSet<Long> unconfirmed = new ConcurrentSkipListSet<>();

    private RabbitLane(String url, Connection connection, Map<String, Object> arguments) throws IOException {
        this.url = url;
        this.connection = connection;
        this.channel = connection.createChannel();
        channel.exchangeDeclare(name, BuiltinExchangeType.DIRECT, true);
        channel.queueDeclare(name, true, false, false, arguments);
        channel.queueBind(name, name, Workload.DESTINATION);
        channel.addConfirmListener(this::confirmed, (number, multiple) -> {
            throw new IllegalStateException("The broker refused message " + number + ".");
        });
        channel.confirmSelect();
    }

    static RabbitLane at(String url, Map<String, Object> queueArguments) throws Exception {
        var factory = new ConnectionFactory();
        factory.setUri(url);
        return new RabbitLane(url, factory.newConnection("waybill-benchmark"), queueArguments);
    }

    /** Waybill's transport to the same exchange. */
    RabbitMq transport() {
        return RabbitMq.at(url + "?exchange=" + name);
    }

    /** Returns when the broker has confirmed all of them. */
    void send(List<Row> rows) {
        try {
            for (Row row : rows) {
                take(1);
                unconfirmed.add(channel.getNextPublishSeqNo());
                channel.basicPublish(name, row.destination(), true, properties(row), body(row));
            }
            take(IN_FLIGHT);
            free.release(IN_FLIGHT);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void take(int permits) throws InterruptedException {
        if (!free.tryAcquire(permits, PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException("The broker has confirmed nothing for " + PATIENCE_SECONDS + " s.");
        }
    }

    private void confirmed(long number, boolean multiple) {
        if (!multiple) {
            unconfirmed.remove(number);
            free.release();
            return;
        }
        NavigableSet<Long> confirmed = unconfirmed.headSet(number, true);
        int count = confirmed.size();
        confirmed.clear();
        free.release(count);
    }

    /** What a receiver needs: an id, a type, and what the body is. */
    private static BasicProperties properties(Row row) {
        return new BasicProperties.Builder()
                .deliveryMode(2)
                .messageId(Long.toString(row.id()))
                .type("OrderPlaced")
                .contentType("application/json")
                .build();
    }

    private static byte[] body(Row row) {
        return row.payload().getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void close() throws IOException {
        try (connection) {
            channel.queueDelete(name);
            channel.exchangeDelete(name);
        }
    }
}

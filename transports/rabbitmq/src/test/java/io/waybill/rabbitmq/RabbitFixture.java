package io.waybill.rabbitmq;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import io.waybill.message.Envelope;
import io.waybill.message.Payload;
import io.waybill.testkit.contract.BrokerFixture;
import io.waybill.testkit.services.Rabbit;
import io.waybill.transport.Delivery;
import io.waybill.transport.WireMessage;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/** Queues and exchanges on a broker, which leave with it, and a look into them with the bare client. */
final class RabbitFixture implements BrokerFixture<RabbitMq>, AutoCloseable {

    /** More than a queue for the contract takes. */
    private static final int LARGEST_BODY = 1_000_000;

    private final Rabbit rabbit;
    private final URI url;
    private final Queue<String> queues = new ConcurrentLinkedQueue<>();
    private final Queue<String> exchanges = new ConcurrentLinkedQueue<>();

    private RabbitFixture(Rabbit rabbit) {
        this.rabbit = rabbit;
        this.url = URI.create(rabbit.url());
    }

    /** Whichever broker was chosen. */
    static RabbitFixture chosen() {
        return new RabbitFixture(Rabbit.shared());
    }

    static RabbitFixture qpid() {
        return new RabbitFixture(Rabbit.qpid());
    }

    /** RabbitMQ knows arguments of queues that Qpid does not take. */
    boolean isRabbitMq() {
        return rabbit.kind() != Rabbit.Kind.QPID;
    }

    @Override
    public RabbitMq open(int port) {
        return RabbitMq.at(url(port, ""));
    }

    RabbitMq open(String parameters) {
        return RabbitMq.at(url(port(), parameters));
    }

    String url(int port, String parameters) {
        return "amqp://" + url.getRawUserInfo() + "@127.0.0.1:" + port + Optional.ofNullable(url.getRawPath()).orElse("")
                + parameters;
    }

    @Override
    public int port() {
        return url.getPort() < 0 ? ConnectionFactory.DEFAULT_AMQP_PORT : url.getPort();
    }

    @Override
    public String newDestination() {
        return isRabbitMq()
                ? newQueue(Map.of("x-max-length-bytes", LARGEST_BODY, "x-overflow", "reject-publish"))
                : newQueue(Map.of());
    }

    String newQueue(Map<String, Object> arguments) {
        String name = "waybill-" + UUID.randomUUID();
        Map<String, Object> all = new HashMap<>(arguments);
        if (isRabbitMq()) {
            all.put("x-expires", Duration.ofMinutes(30).toMillis());
        }
        on(channel -> channel.queueDeclare(name, true, false, false, all));
        queues.add(name);
        return name;
    }

    String newExchange(String type) {
        String name = "waybill-" + UUID.randomUUID();
        on(channel -> channel.exchangeDeclare(name, type));
        exchanges.add(name);
        return name;
    }

    void bind(String queue, String exchange, String routingKey) {
        on(channel -> channel.queueBind(queue, exchange, routingKey));
    }

    void delete(String queue) {
        on(channel -> channel.queueDelete(queue));
    }

    void purge(String queue) {
        on(channel -> channel.queuePurge(queue));
    }

    /** Read without acknowledging, so that all of it is there again, in its order. */
    @Override
    public List<Delivery> contents(String destination) {
        return gets(destination).stream()
                .map(got -> new Delivery(
                        destination,
                        "",
                        "",
                        new WireMessage(AmqpProperties.headers(got.getProps()), got.getBody())))
                .toList();
    }

    List<GetResponse> gets(String queue) {
        List<GetResponse> contents = new ArrayList<>();
        on(channel -> {
            @Nullable GetResponse next = channel.basicGet(queue, false);
            while (next != null) {
                contents.add(next);
                next = channel.basicGet(queue, false);
            }
            return contents;
        });
        return contents;
    }

    @Override
    public Optional<String> missingDestination() {
        return Optional.of("waybill-nowhere/orders.placed");
    }

    @Override
    public Optional<Envelope> refusable(Envelope message) {
        return isRabbitMq()
                ? Optional.of(message.withPayload(Payload.text("\"" + "x".repeat(LARGEST_BODY) + "\"")))
                : Optional.empty();
    }

    @Override
    public void close() {
        queues.forEach(this::delete);
        exchanges.forEach(exchange -> on(channel -> channel.exchangeDelete(exchange)));
        if (!isRabbitMq()) {
            rabbit.close();
        }
    }

    private void on(Work work) {
        try {
            var factory = new ConnectionFactory();
            factory.setUri(url);
            try (Connection connection = factory.newConnection("waybill-test");
                    Channel channel = connection.createChannel()) {
                work.on(channel);
            }
        } catch (Exception e) {
            throw new IllegalStateException("the broker at port " + port() + " refused: " + e, e);
        }
    }

    private interface Work {
        @Nullable Object on(Channel channel) throws Exception;
    }
}

package io.waybill.rabbitmq;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import io.waybill.message.Envelope;
import io.waybill.message.Payload;
import io.waybill.rabbitmq.connection.AmqpProperties;
import io.waybill.testkit.contract.transport.BrokerFixture;
import io.waybill.testkit.services.broker.Rabbit;
import io.waybill.transport.Delivery;
import io.waybill.transport.wire.WireMessage;
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
    private static final int LARGEST_BODY = 8_000_000;

    private final Rabbit rabbit;
    private final Runnable stop;
    private final URI url;
    private final Queue<String> queues = new ConcurrentLinkedQueue<>();
    private final Queue<String> exchanges = new ConcurrentLinkedQueue<>();
    private @Nullable Connection connection;

    private RabbitFixture(Rabbit rabbit, Runnable stop) {
        this.rabbit = rabbit;
        this.stop = stop;
        this.url = URI.create(rabbit.url());
    }

    /** Whichever broker was chosen. */
    static RabbitFixture chosen() {
        return new RabbitFixture(Rabbit.shared(), () -> {});
    }

    static RabbitFixture qpid() {
        Rabbit qpid = Rabbit.qpid();
        return new RabbitFixture(qpid, qpid::close);
    }

    /** RabbitMQ knows arguments of queues that Qpid does not take. */
    boolean isRabbitMq() {
        return rabbit.isRabbitMq();
    }

    /** Whether it is a process that may be killed. */
    boolean canRestart() {
        return rabbit.kind() == Rabbit.Kind.PROCESS;
    }

    void restart() {
        rabbit.restart();
    }

    @Override
    public RabbitMq open(int port) {
        return RabbitMq.at(url(port, ""));
    }

    RabbitMq open(String parameters) {
        return RabbitMq.at(url(port(), parameters));
    }

    String url(int port, String parameters) {
        return "amqp://" + url.getRawUserInfo() + "@127.0.0.1:" + port
                + Optional.ofNullable(url.getRawPath()).orElse("") + parameters;
    }

    @Override
    public int port() {
        return url.getPort() < 0 ? ConnectionFactory.DEFAULT_AMQP_PORT : url.getPort();
    }

    @Override
    public String newDestination() {
        return isRabbitMq()
                ? newQueue(Map.of("x-max-length-bytes", LARGEST_BODY, "x-overflow", "reject-publish"))
                : newQueue(Map.of("qpid.max_size", LARGEST_BODY, "qpid.policy_type", "reject"));
    }

    String newQueue(Map<String, Object> arguments) {
        String name = "waybill-" + UUID.randomUUID();
        declare(name, arguments);
        queues.add(name);
        return name;
    }

    void declare(String name, Map<String, Object> arguments) {
        Map<String, Object> all = new HashMap<>(arguments);
        if (isRabbitMq()) {
            all.put("x-expires", Duration.ofMinutes(30).toMillis());
        }
        on(channel -> channel.queueDeclare(name, true, false, false, all));
    }

    String newExchange(String type) {
        String name = "waybill-" + UUID.randomUUID();
        on(channel -> channel.exchangeDeclare(name, type));
        exchanges.add(name);
        return name;
    }

    /** One that takes nothing from clients. */
    String newInternalExchange() {
        String name = "waybill-" + UUID.randomUUID();
        on(channel -> channel.exchangeDeclare(name, "direct", false, false, true, Map.of()));
        exchanges.add(name);
        return name;
    }

    void bind(String queue, String exchange, String routingKey) {
        on(channel -> channel.queueBind(queue, exchange, routingKey));
    }

    void delete(String queue) {
        on(channel -> channel.queueDelete(queue));
    }

    void publish(String queue, BasicProperties properties, String body) {
        on(channel -> {
            channel.basicPublish("", queue, properties, body.getBytes(UTF_8));
            return body;
        });
    }

    /** Takes away at most so many, as a consumer does. */
    List<Delivery> takeSome(String queue, int most) {
        List<GetResponse> taken = new ArrayList<>();
        on(channel -> {
            for (int i = 0; i < most; i++) {
                GetResponse next = channel.basicGet(queue, true);
                if (next != null) {
                    taken.add(next);
                }
            }
            return taken;
        });
        return deliveries(queue, taken);
    }

    /** How many messages the queue has, besides those that consumers hold. */
    long waiting(String queue) {
        var counts = new ArrayList<Long>();
        on(channel -> counts.add(channel.messageCount(queue)));
        return counts.get(0);
    }

    /** Read without acknowledging, so that all of it is there again, in its order. */
    @Override
    public List<Delivery> contents(String destination) {
        return deliveries(destination, gets(destination));
    }

    private static List<Delivery> deliveries(String queue, List<GetResponse> contents) {
        return contents.stream().map(got -> delivery(queue, got)).toList();
    }

    private static Delivery delivery(String queue, GetResponse got) {
        return new Delivery(queue, "", "", new WireMessage(AmqpProperties.headers(got.getProps()), got.getBody()));
    }

    List<GetResponse> gets(String queue) {
        List<GetResponse> contents = new ArrayList<>();
        on(channel -> {
            for (GetResponse next = channel.basicGet(queue, false);
                    next != null;
                    next = channel.basicGet(queue, false)) {
                contents.add(next);
            }
            return contents;
        });
        return contents;
    }

    @Override
    public String missingDestination() {
        return "waybill-nowhere/orders.placed";
    }

    @Override
    public Envelope refusable(Envelope message) {
        return message.withPayload(Payload.text("\"" + "x".repeat(LARGEST_BODY) + "\""));
    }

    @Override
    public void close() {
        queues.forEach(this::delete);
        exchanges.forEach(exchange -> on(channel -> channel.exchangeDelete(exchange)));
        if (connection != null) {
            connection.abort();
        }
        stop.run();
    }

    private void on(Work work) {
        try (Channel channel = connection().createChannel()) {
            work.on(channel);
        } catch (Exception e) {
            throw new IllegalStateException("the broker at port " + port() + " refused: " + e, e);
        }
    }

    private synchronized Connection connection() throws Exception {
        Connection open = connection;
        if (open == null || !open.isOpen()) {
            var factory = new ConnectionFactory();
            factory.setUri(url);
            factory.setAutomaticRecoveryEnabled(false);
            open = factory.newConnection("waybill-test");
            connection = open;
        }
        return open;
    }

    private interface Work {
        @Nullable
        Object on(Channel channel) throws Exception;
    }
}

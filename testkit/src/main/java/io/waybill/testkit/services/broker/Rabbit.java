package io.waybill.testkit.services.broker;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.waybill.testkit.services.host.AtExit;
import io.waybill.testkit.services.host.Once;
import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * An AMQP 0-9-1 broker: the first of {@link Kind} that can be had. On a server that was there before, nothing is left behind.
 *
 * <p>Threads: may be used by many.
 */
public final class Rabbit implements AutoCloseable {

    /** Names a server to use; if it does not answer, no other is taken. */
    public static final String URL_VARIABLE = "WAYBILL_TEST_AMQP_URL";

    /** Where a broker comes from, in the order in which they are tried. */
    public enum Kind {
        /** The RabbitMQ that {@link Rabbit#URL_VARIABLE} names. */
        NAMED,
        /** The installed {@code rabbitmq-server}, as a process of its own. */
        PROCESS,
        /**
         * Qpid Broker-J in this JVM: speaks the protocol, but is not RabbitMQ. A mandatory message without a route is refused
         * (nack) and then returned, where RabbitMQ returns and then confirms it. Queue arguments of RabbitMQ
         * ({@code x-dead-letter-exchange}, {@code x-message-ttl}, ...) end the connection. A consumer whose queue is deleted
         * is not told.
         */
        QPID
    }

    private static final Once<Rabbit> SHARED = new Once<>(() -> RabbitChoice.choose(System.getenv(URL_VARIABLE)));
    /** Should the JVM be killed before it can delete a queue, RabbitMQ does after this time without use. */
    private static final Duration EXPIRY = Duration.ofMinutes(30);

    private final Kind kind;
    private final String url;
    private final Runnable stop;
    private final Runnable restart;
    private final Queue<String> queues = new ConcurrentLinkedQueue<>();
    private final AtExit atExit;

    Rabbit(Kind kind, String url, Runnable stop) {
        this(kind, url, stop, () -> {
            throw new IllegalStateException("Only a RabbitMQ of our own can be killed, and this is " + kind);
        });
    }

    Rabbit(Kind kind, String url, Runnable stop, Runnable restart) {
        this.kind = kind;
        this.url = url;
        this.stop = stop;
        this.restart = restart;
        atExit = AtExit.stop("rabbit", this::close);
    }

    public static Rabbit shared() {
        return SHARED.get();
    }

    /** Qpid in this JVM, whatever else there is: for what must also hold on a broker that is not RabbitMQ. */
    public static Rabbit qpid() {
        return RabbitChoice.qpid();
    }

    public Kind kind() {
        return kind;
    }

    /** Whether it is RabbitMQ itself: Qpid answers some things differently, and tests of these say NOT TESTED there. */
    public boolean isRabbitMq() {
        return kind != Kind.QPID;
    }

    /** E.g. {@code amqp://guest:guest@127.0.0.1:5672}, without a path: that is the virtual host "/". */
    public String url() {
        return url;
    }

    /** The name of a new, empty, durable queue, bound to the default exchange only. */
    public String newQueue() {
        String name = "queue-" + UUID.randomUUID();
        createQueue(name);
        return name;
    }

    /** Creates an empty, durable queue with this name. */
    public void createQueue(String name) {
        onChannel(channel -> channel.queueDeclare(name, true, false, false, expiry(channel.getConnection())));
        queues.add(name);
    }

    /** Kills a {@link Kind#PROCESS} and starts it again, with everything it has on disk and at the same address. */
    public void restart() {
        restart.run();
    }

    @Override
    public synchronized void close() {
        atExit.forget();
        if (kind == Kind.NAMED) {
            deleteQueues();
        }
        stop.run();
    }

    static Connection connect(String url) throws Exception {
        var factory = new ConnectionFactory();
        factory.setUri(url);
        factory.setAutomaticRecoveryEnabled(false);
        return factory.newConnection("waybill-testkit");
    }

    /** Qpid refuses arguments it does not know. */
    private static Map<String, Object> expiry(Connection connection) {
        boolean isRabbit = "RabbitMQ"
                .equals(String.valueOf(connection.getServerProperties().get("product")));
        return isRabbit ? Map.of("x-expires", EXPIRY.toMillis()) : Map.of();
    }

    private void deleteQueues() {
        if (!queues.isEmpty()) {
            onChannel(channel -> {
                for (String name = queues.poll(); name != null; name = queues.poll()) {
                    channel.queueDelete(name);
                }
            });
        }
    }

    private void onChannel(Work work) {
        try (var connection = connect(url);
                var channel = connection.createChannel()) {
            work.on(channel);
        } catch (Exception e) {
            throw new IllegalStateException("the broker at " + withoutPassword(url) + " refused: " + e, e);
        }
    }

    static String withoutPassword(String url) {
        return url.replaceFirst("//[^@/]*@", "//");
    }

    private interface Work {
        void on(Channel channel) throws Exception;
    }
}

package io.waybill.testkit.services.broker;

import static java.util.Map.entry;

import io.waybill.testkit.services.host.AtExit;
import io.waybill.testkit.services.host.FreePort;
import io.waybill.testkit.services.host.Once;
import io.waybill.testkit.services.host.OptionalLibraries;
import io.waybill.testkit.services.host.TcpProxy;
import io.waybill.testkit.services.host.TempDirectory;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;

/**
 * One Kafka node in this JVM, broker and controller in one. Topics are made by {@link #newTopic(int)} and never by a typing error.
 *
 * <p>Threads: may be used by many.
 */
public final class KafkaNode implements AutoCloseable {

    private static final Once<KafkaNode> SHARED = new Once<>(KafkaNode::start);
    private static final int NODE = 1;
    private static final String CONTROLLER = "CONTROLLER";

    private final Path directory;
    private final String bootstrapServers = "127.0.0.1:" + FreePort.next();
    private final String saslServers = "127.0.0.1:" + FreePort.next();
    private final Map<String, String> configuration;
    private KafkaRaftServer server;
    private final AtExit atExit;

    private KafkaNode(Path directory) throws Exception {
        this.directory = directory;
        format();
        configuration = configuration();
        server = new KafkaRaftServer(new KafkaConfig(configuration), Time.SYSTEM);
        server.startup();
        atExit = AtExit.stop("kafka", this::close);
    }

    public static KafkaNode shared() {
        return SHARED.get();
    }

    /** A node nobody else uses. */
    public static KafkaNode start() {
        OptionalLibraries.require("Kafka", "kafka.server.KafkaRaftServer", "org.apache.kafka:kafka_2.13");
        Path directory = TempDirectory.create("kafka");
        try {
            return new KafkaNode(directory);
        } catch (Exception e) {
            TempDirectory.delete(directory);
            throw new IllegalStateException("Kafka did not start: " + e.getMessage(), e);
        }
    }

    public String bootstrapServers() {
        return bootstrapServers;
    }

    /** Where clients have to sign in (SASL PLAIN): the user is {@code ann}, her password {@code right}. */
    public String saslServers() {
        return saslServers;
    }

    public int port() {
        return Integer.parseInt(bootstrapServers.substring(bootstrapServers.indexOf(':') + 1));
    }

    /** A proxy that clients stay behind: where the broker tells them its address, they are told the proxy's. */
    public TcpProxy proxy() {
        return TcpProxy.to(port(), here -> new AdvertisedPort(port(), here));
    }

    /** The name of a new, empty topic. */
    public String newTopic(int partitions) {
        return newTopic(partitions, Map.of());
    }

    /** The name of a new, empty topic with settings of its own. */
    public String newTopic(int partitions, Map<String, String> settings) {
        String name = "topic-" + UUID.randomUUID();
        createTopic(name, partitions, settings);
        return name;
    }

    /** Creates an empty topic with this name. */
    public void createTopic(String name, int partitions, Map<String, String> settings) {
        try (var admin = Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers))) {
            admin.createTopics(List.of(new NewTopic(name, partitions, (short) 1).configs(settings)))
                    .all()
                    .get(30, TimeUnit.SECONDS);
            awaitKnown(admin, name);
        } catch (Exception e) {
            throw new IllegalStateException(
                    "topic " + name + " was not created on " + bootstrapServers + ": " + e.getMessage(), e);
        }
    }

    /** The controller has created it; the broker hears of that a moment later. */
    private static void awaitKnown(Admin admin, String topic) throws Exception {
        long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (true) {
            try {
                admin.describeTopics(List.of(topic)).allTopicNames().get(30, TimeUnit.SECONDS);
                return;
            } catch (ExecutionException e) {
                if (!(e.getCause() instanceof UnknownTopicOrPartitionException) || System.nanoTime() > deadline) {
                    throw e;
                }
                LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
            }
        }
    }

    /** Stops the node and starts it again, with everything it has and at the same address. */
    public synchronized void restart() {
        server.shutdown();
        server.awaitShutdown();
        server = new KafkaRaftServer(new KafkaConfig(configuration), Time.SYSTEM);
        server.startup();
    }

    @Override
    public synchronized void close() {
        atExit.forget();
        server.shutdown();
        server.awaitShutdown();
        TempDirectory.delete(directory);
    }

    private void format() throws Exception {
        new Formatter()
                .setPrintStream(new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8))
                .setClusterId(Uuid.randomUuid().toString())
                .setNodeId(NODE)
                .setControllerListenerName(CONTROLLER)
                .setMetadataLogDirectory(directory.toString())
                .addDirectory(directory.toString())
                .run();
    }

    private Map<String, String> configuration() {
        String controller = "127.0.0.1:" + FreePort.next();
        return Map.ofEntries(
                entry("process.roles", "broker,controller"),
                entry("node.id", Integer.toString(NODE)),
                entry(
                        "listeners",
                        "PLAINTEXT://" + bootstrapServers + ",SASL://" + saslServers + "," + CONTROLLER + "://"
                                + controller),
                entry("listener.security.protocol.map", "PLAINTEXT:PLAINTEXT,SASL:SASL_PLAINTEXT,CONTROLLER:PLAINTEXT"),
                entry("sasl.enabled.mechanisms", "PLAIN"),
                entry(
                        "listener.name.sasl.plain.sasl.jaas.config",
                        "org.apache.kafka.common.security.plain.PlainLoginModule required user_ann=\"right\";"),
                entry("controller.listener.names", CONTROLLER),
                entry("controller.quorum.voters", NODE + "@" + controller),
                entry("log.dir", directory.toString()),
                entry("auto.create.topics.enable", "false"),
                entry("offsets.topic.num.partitions", "1"),
                entry("offsets.topic.replication.factor", "1"),
                entry("transaction.state.log.num.partitions", "1"),
                entry("transaction.state.log.replication.factor", "1"),
                entry("transaction.state.log.min.isr", "1"),
                entry("share.coordinator.state.topic.replication.factor", "1"),
                entry("share.coordinator.state.topic.min.isr", "1"),
                entry("group.initial.rebalance.delay.ms", "0"),
                entry("group.min.session.timeout.ms", "1000"),
                entry("log.cleaner.backoff.ms", "500"),
                // Everybody may do everything, until a test takes a right away.
                entry("authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer"),
                entry("allow.everyone.if.no.acl.found", "true"));
    }
}

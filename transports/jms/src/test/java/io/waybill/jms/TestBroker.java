package io.waybill.jms;

import static java.nio.charset.StandardCharsets.UTF_8;

import jakarta.jms.ConnectionFactory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.config.impl.SecurityConfiguration;
import org.apache.activemq.artemis.core.security.Role;
import org.apache.activemq.artemis.core.server.JournalType;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.apache.activemq.artemis.core.settings.impl.AddressFullMessagePolicy;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.apache.activemq.artemis.spi.core.security.ActiveMQJAASSecurityManager;
import org.apache.activemq.artemis.spi.core.security.jaas.InVMLoginModule;

/**
 * An Artemis as strict as one in production: users, no queues that appear by themselves, TLS beside plain TCP, and queues that fill
 * up. What redelivery there is, is Artemis' default: after ten deliveries a message is gone, for there is no dead-letter address.
 */
final class TestBroker {

    static final String USER = "app";
    static final String PASSWORD = "pa:ss@w0rd";

    /** Of this certificate store, made when the broker starts. */
    static final String STORE_PASSWORD = "changeit";

    /** Queues that take few messages: then the broker fails, or lets the sender wait. */
    static final String FAILING_WHEN_FULL = "full.fail";

    static final String BLOCKING_WHEN_FULL = "full.block";

    /** Queues of which what came back is delivered after a delay, three times, and then to a dead-letter address. */
    static final String DELAYED = "delayed";

    static final String DEAD = "dead";

    /** Queues that only others may send to. */
    static final String FORBIDDEN = "forbidden";

    static final TestBroker SHARED = new TestBroker();

    private final int port = freePort();
    private final int tlsPort = freePort();
    private final Path store;
    private final EmbeddedActiveMQ broker = new EmbeddedActiveMQ();

    private TestBroker() {
        try {
            store = selfSignedCertificate();
            broker.setConfiguration(new ConfigurationImpl()
                    .setPersistenceEnabled(false)
                    .setJournalType(JournalType.NIO)
                    .setSecurityEnabled(true)
                    .setJMXManagementEnabled(false)
                    .setMaxDiskUsage(-1)
                    .putSecurityRoles("#", Set.of(role("apps", true)))
                    .putSecurityRoles(FORBIDDEN + ".#", Set.of(role("apps", false)))
                    .addAddressSetting("#", strict())
                    .addAddressSetting(
                            DELAYED + ".#",
                            strict().setRedeliveryDelay(500)
                                    .setMaxDeliveryAttempts(3)
                                    .setDeadLetterAddress(SimpleString.of(DEAD)))
                    .addAddressSetting(
                            FAILING_WHEN_FULL,
                            strict().setMaxSizeBytes(20_000).setAddressFullMessagePolicy(AddressFullMessagePolicy.FAIL))
                    .addAddressSetting(
                            BLOCKING_WHEN_FULL,
                            strict().setMaxSizeBytes(20_000)
                                    .setAddressFullMessagePolicy(AddressFullMessagePolicy.BLOCK))
                    .addAcceptorConfiguration("tcp", "tcp://127.0.0.1:" + port)
                    .addAcceptorConfiguration(
                            "tls",
                            "tcp://127.0.0.1:" + tlsPort + "?sslEnabled=true&keyStorePath=" + store
                                    + "&keyStorePassword=" + STORE_PASSWORD));
            var users = new SecurityConfiguration();
            users.addUser(USER, PASSWORD);
            users.addRole(USER, "apps");
            broker.setSecurityManager(new ActiveMQJAASSecurityManager(InVMLoginModule.class.getName(), users));
            broker.start();
            createQueue(DEAD);
            createQueue(FAILING_WHEN_FULL);
            createQueue(BLOCKING_WHEN_FULL);
        } catch (Exception e) {
            throw new IllegalStateException("Artemis did not start: " + e, e);
        }
    }

    private static AddressSettings strict() {
        return new AddressSettings()
                .setAutoCreateAddresses(false)
                .setAutoCreateQueues(false)
                .setAutoDeleteAddresses(false)
                .setAutoDeleteQueues(false);
    }

    private static Role role(String name, boolean maySend) {
        return new Role(name, maySend, true, false, false, false, false, false, true, false, false, false, false);
    }

    int port() {
        return port;
    }

    int tlsPort() {
        return tlsPort;
    }

    Path store() {
        return store;
    }

    /**
     * A client of the broker's own, to look into it. Its window has no bound: at the end of a window a browser sometimes takes the
     * queue for read while the broker waits for credit.
     */
    ConnectionFactory client() {
        return new ActiveMQConnectionFactory("tcp://127.0.0.1:" + port + "?consumerWindowSize=-1", USER, PASSWORD);
    }

    String newQueue() {
        return newQueue("queue");
    }

    String newQueue(String prefix) {
        String name = prefix + "." + UUID.randomUUID();
        try {
            createQueue(name);
        } catch (Exception e) {
            throw new IllegalStateException("queue " + name + " was not created: " + e, e);
        }
        return name;
    }

    void createQueue(String name) throws Exception {
        broker.getActiveMQServer()
                .createQueue(QueueConfiguration.of(name)
                        .setRoutingType(RoutingType.ANYCAST)
                        .setAutoCreateAddress(true));
    }

    private static Path selfSignedCertificate() throws IOException, InterruptedException {
        Path store = Files.createTempDirectory("waybill-jms").resolve("broker.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-keyalg",
                        "EC",
                        "-alias",
                        "broker",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "SAN=dns:localhost,ip:127.0.0.1",
                        "-keystore",
                        store.toString(),
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        STORE_PASSWORD)
                .redirectErrorStream(true)
                .start();
        if (!keytool.waitFor(60, TimeUnit.SECONDS) || keytool.exitValue() != 0) {
            throw new IOException("keytool made no certificate: "
                    + new String(keytool.getInputStream().readAllBytes(), UTF_8));
        }
        return store;
    }

    private static int freePort() {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}

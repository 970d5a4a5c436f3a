package io.waybill.server.relay;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.waybill.server.Cli;
import io.waybill.server.Eventually;
import io.waybill.server.config.ConfigWatch;
import io.waybill.server.config.RelayConfigFile;
import io.waybill.testkit.services.database.Postgres;
import io.waybill.testkit.services.database.TestDatabase;
import io.waybill.testkit.services.host.FreePort;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.config.impl.SecurityConfiguration;
import org.apache.activemq.artemis.core.security.Role;
import org.apache.activemq.artemis.core.server.JournalType;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.apache.activemq.artemis.spi.core.security.ActiveMQJAASSecurityManager;
import org.apache.activemq.artemis.spi.core.security.jaas.InVMLoginModule;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** The password of a broker is changed while messages are sent. */
class BrokerPasswordTest {

    private static final String QUEUE = "orders";

    @TempDir
    Path directory;

    private final int port = FreePort.next();
    private final SecurityConfiguration users = new SecurityConfiguration();
    private final EmbeddedActiveMQ broker = new EmbeddedActiveMQ();
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    @SuppressWarnings("NullAway.Init")
    BrokerPasswordTest() {}

    @BeforeEach
    void listen() {
        log.start();
        root().addAppender(log);
    }

    @AfterEach
    void stop() throws Exception {
        root().detachAppender(log);
        broker.stop();
    }

    private static Logger root() {
        return (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    }

    @Test
    void a_password_that_was_changed_is_read_again_from_its_file_without_a_restart() throws Exception {
        startBroker("first-Pw1");
        Path password = Files.writeString(directory.resolve("password"), "first-Pw1\n");
        try (TestDatabase database = Postgres.shared().newDatabase()) {
            Path config = Files.writeString(
                    directory.resolve("relay.yaml"),
                    Cli.filled("""
                    sources: [{name: shop, db: "%s", poll: 20ms}]
                    routes: [{to: "jms+artemis://relay@127.0.0.1:%d?timeout-seconds=2&password-file=%s"}]
                    """, RelayServiceContract.url(database), port, password));
            try (var service = RelayService.start(RelayConfigFile.read(config));
                    var watch = ConfigWatch.start(config, service::serve, service::refuse)) {
                Eventually.is(() -> assertThat(service.isReady()).isTrue());
                insert(database, 1);
                Eventually.is(() -> assertThat(arrived()).isEqualTo(1));

                setPassword("second-Pw2");
                cut();
                insert(database, 2);
                Eventually.is(() -> assertThat(logged("WB-103"))
                        .singleElement()
                        .asString()
                        .contains("the user or the password is wrong")
                        .doesNotContain("Pw1", "Pw2"));
                assertThat(arrived()).isEqualTo(1);

                Files.writeString(password, "second-Pw2\n");
                Eventually.is(() -> assertThat(arrived()).isEqualTo(2));
                assertThat(service.problems()).isEmpty();
                assertThat(watch).isNotNull();
            }
        }
    }

    private List<String> logged(String code) {
        return log.list.stream()
                .map(ILoggingEvent::getFormattedMessage)
                .filter(line -> line.contains(code))
                .toList();
    }

    private static void insert(TestDatabase database, int number) throws Exception {
        database.execute("INSERT INTO outbox (destination, payload) VALUES ('" + QUEUE + "', '" + number + "')");
    }

    private void startBroker(String password) throws Exception {
        users.addRole("relay", "senders");
        users.addUser("relay", password);
        var everything = new Role("senders", true, true, true, true, true, true, true, true, true, true, true, true);
        broker.setConfiguration(new ConfigurationImpl()
                .setPersistenceEnabled(false)
                .setJournalType(JournalType.NIO)
                .setSecurityEnabled(true)
                // Or a password is good for a while after it was changed.
                .setAuthenticationCacheSize(0)
                .setJMXManagementEnabled(false)
                .setMaxDiskUsage(-1)
                .putSecurityRoles("#", Set.of(everything))
                .addAcceptorConfiguration("tcp", "tcp://127.0.0.1:" + port));
        broker.setSecurityManager(new ActiveMQJAASSecurityManager(InVMLoginModule.class.getName(), users));
        broker.start();
    }

    private void setPassword(String password) {
        users.removeUser("relay");
        users.addUser("relay", password);
        users.addRole("relay", "senders");
    }

    private void cut() {
        broker.getActiveMQServer()
                .getRemotingService()
                .getConnections()
                .forEach(connection -> connection.fail(new ActiveMQException("cut by the test")));
    }

    private long arrived() {
        var queue = broker.getActiveMQServer().locateQueue(SimpleString.of(QUEUE));
        return queue == null ? 0 : queue.getMessagesAdded();
    }
}

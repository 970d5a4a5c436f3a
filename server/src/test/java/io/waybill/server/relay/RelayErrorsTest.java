package io.waybill.server.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.waybill.server.Cli;
import io.waybill.testkit.services.broker.KafkaNode;
import io.waybill.testkit.services.broker.Rabbit;
import java.net.URI;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Whoever gives a wrong address or password is told so once, in one line, and reads no password in it. */
class RelayErrorsTest {

    private static final String SECRET = "s3cr3t";

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    private final ListAppender<ILoggingEvent> logged = new ListAppender<>();
    private final String database = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";

    @BeforeEach
    void listen() {
        logged.start();
        root().addAppender(logged);
        Cli.run("schema", "apply", "--db", database);
    }

    @AfterEach
    void stop() throws SQLException {
        root().detachAppender(logged);
        execute("SHUTDOWN");
    }

    @Test
    void rabbitmq_with_a_wrong_password() throws SQLException {
        assertToldOnce("amqp://guest:" + SECRET + "@" + rabbit(), "user or the password is wrong");
    }

    @Test
    void rabbitmq_without_the_queue() throws SQLException {
        assumeTrue(Rabbit.shared().isRabbitMq(), "NOT TESTED: a missing queue, because Qpid does not say that it is");
        URI url = URI.create(Rabbit.shared().url());
        assertToldOnce("amqp://" + url.getRawUserInfo() + "@" + rabbit(), "has no queue 'nowhere'");
    }

    @Test
    void rabbitmq_with_tls_on_one_side() throws SQLException {
        assertToldOnce("amqps://guest:" + SECRET + "@" + rabbit(), "do not agree on TLS");
    }

    @Test
    void kafka_with_a_wrong_password() throws SQLException {
        assertToldOnce("kafka://alice:" + SECRET + "@" + KafkaNode.shared().saslServers(), "Authentication failed");
    }

    @Test
    void kafka_without_the_topic() throws SQLException {
        assertToldOnce("kafka://" + KafkaNode.shared().bootstrapServers(), "has no topic 'nowhere'");
    }

    @Test
    void kafka_with_tls_on_one_side() throws SQLException {
        assertToldOnce("kafka://localhost:" + rabbitPort() + "?tls=true", "SSL handshake failed");
    }

    /** A relay that was killed holds its shards until its leases end: nothing is sent, and that must not look like success. */
    @Test
    void what_another_relay_holds_is_left_and_the_line_says_whose_and_for_how_long() throws SQLException {
        execute("INSERT INTO outbox (destination, payload) VALUES ('orders', '{}')");
        execute(
                "INSERT INTO relay_node (relay, kind, serves, expires_at) VALUES ('relay-killed', 'k', '>**', DATEADD(MINUTE, 1, CURRENT_TIMESTAMP))");
        execute("UPDATE relay_lease SET owner = 'relay-killed', expires_at = DATEADD(MINUTE, 1, CURRENT_TIMESTAMP)");

        Cli result =
                Cli.run("relay", "run", "--db", database, "--to", "file:" + directory.resolve("sent.ndjson"), "--once");

        assertThat(result.exitCode()).isEqualTo(3);
        assertThat(result.out()).contains("1 messages were left", "relay-killed holds 64 of 64 shards, for another 5");
    }

    @Test
    void a_destination_with_a_line_break_is_sent_too() throws SQLException {
        execute("INSERT INTO outbox (destination, payload) VALUES ('orders' || CHAR(10) || 'placed', '{}')");

        Cli result =
                Cli.run("relay", "run", "--db", database, "--to", "file:" + directory.resolve("sent.ndjson"), "--once");

        assertThat(result.exitCode()).isZero();
        assertThat(result.out()).contains("1 messages sent");
    }

    private void assertToldOnce(String target, String what) throws SQLException {
        execute("INSERT INTO outbox (destination, payload) VALUES ('nowhere', '{}')");

        var run = Cli.run("relay", "run", "--db", database, "--to", target, "--once");

        assertThat(run.exitCode()).as(run.out() + run.err()).isEqualTo(4);
        assertThat(run.out().lines().filter(line -> line.contains("takes no messages")))
                .singleElement()
                .satisfies(line -> assertThat(line).contains("nowhere takes no messages", what));
        List<String> lines =
                logged.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
        assertThat(lines)
                .singleElement()
                .satisfies(line -> assertThat(line).contains(what).doesNotContain("\n"));
        assertThat(run.out() + run.err() + lines).doesNotContain(SECRET);
    }

    private void execute(String sql) throws SQLException {
        try (var connection = DriverManager.getConnection(database);
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static String rabbit() {
        return "localhost:" + rabbitPort();
    }

    private static int rabbitPort() {
        int port = URI.create(Rabbit.shared().url()).getPort();
        return port < 0 ? 5672 : port;
    }

    private static Logger root() {
        return (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    }
}

package io.waybill.server.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.server.Cli;
import io.waybill.server.Eventually;
import io.waybill.server.config.RelayConfigFile;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.server.JournalType;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Queues that must be there, on a broker that creates none by itself. */
class RequiredQueuesTest {

    @TempDir
    Path directory;

    @SuppressWarnings("NullAway.Init")
    RequiredQueuesTest() {}

    @Test
    void a_missing_queue_stops_the_start_and_a_broker_that_is_away_does_not() throws Exception {
        int port = freePort();
        Path config = Files.writeString(directory.resolve("relay.yaml"), Cli.filled("""
                sources: [{name: shop, db: "jdbc:h2:mem:required"}]
                routes: [{to: "jms+artemis://127.0.0.1:%d?queue-prefix=APP.CMD&queue-suffix=Q",
                          required-queues: [CreateOrder, Reply]}]
                """, port));
        var broker = strictBroker(port);
        try {
            create(broker, "APP.CMD.REPLY.Q");
            var missing = Cli.run("relay", "run", "--config", config.toString(), "--once");
            assertThatThrownBy(() -> RelayService.start(RelayConfigFile.read(config)))
                    .hasMessageContaining("has no 'APP.CMD.CREATEORDER.Q'. Define the missing queues")
                    .hasMessageNotContaining("REPLY");
            create(broker, "APP.CMD.CREATEORDER.Q");
            var complete = Cli.run("relay", "run", "--config", config.toString(), "--once");

            assertThat(missing.exitCode()).isEqualTo(1);
            assertThat(missing.err()).contains("has no 'APP.CMD.CREATEORDER.Q'");
            assertThat(complete.exitCode()).as(complete.err()).isZero();
        } finally {
            broker.stop();
        }
        try (var service = RelayService.start(RelayConfigFile.read(config))) {
            Eventually.is(() -> assertThat(service.isReady()).isTrue());
        }
    }

    private static EmbeddedActiveMQ strictBroker(int port) throws Exception {
        var broker = new EmbeddedActiveMQ();
        broker.setConfiguration(new ConfigurationImpl()
                .setPersistenceEnabled(false)
                .setJournalType(JournalType.NIO)
                .setSecurityEnabled(false)
                .setMaxDiskUsage(-1)
                .addAddressSetting(
                        "#", new AddressSettings().setAutoCreateAddresses(false).setAutoCreateQueues(false))
                .addAcceptorConfiguration("tcp", "tcp://127.0.0.1:" + port));
        broker.start();
        return broker;
    }

    private static void create(EmbeddedActiveMQ broker, String queue) throws Exception {
        broker.getActiveMQServer()
                .createQueue(QueueConfiguration.of(queue)
                        .setRoutingType(RoutingType.ANYCAST)
                        .setAutoCreateAddress(true));
    }

    private static int freePort() throws Exception {
        try (var socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }
}

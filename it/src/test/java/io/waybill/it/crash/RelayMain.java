package io.waybill.it.crash;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.waybill.message.Envelope;
import io.waybill.relay.route.RelayOptions;
import io.waybill.relay.route.Route;
import io.waybill.runtime.Waybill;
import io.waybill.transport.Deadline;
import io.waybill.transport.Outcome;
import io.waybill.transport.Publisher;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A relay as a process of its own, sending to a {@link LineBroker}. A message that says "halt" ends it at once. */
final class RelayMain {

    private RelayMain() {}

    public static void main(String[] arguments) {
        var config = new HikariConfig();
        config.setJdbcUrl(arguments[0]);
        config.setUsername(arguments[1]);
        config.setPassword(arguments[2]);
        config.setMaximumPoolSize(4);
        Waybill.on(new HikariDataSource(config))
                .route(Route.of("**", new LinePublisher(Integer.parseInt(arguments[3])))
                        .maxAttempts(3))
                .relay(RelayOptions.DEFAULT
                        .withLeaseTime(Duration.ofMillis(Long.parseLong(arguments[4])))
                        .withSweepInterval(Duration.ofMillis(100)))
                .start();
        var watch = new Thread(RelayMain::endWithParent);
        watch.setDaemon(true);
        watch.start();
    }

    /** The parent's end of the pipe closes when it is gone, however it went. */
    private static void endWithParent() {
        try {
            while (System.in.read() >= 0) {
                // Nothing is ever said.
            }
        } catch (IOException e) {
            // As good as its end.
        }
        Runtime.getRuntime().halt(0);
    }

    private static final class LinePublisher implements Publisher {

        private final int port;
        private @Nullable Socket connection;

        LinePublisher(int port) {
            this.port = port;
        }

        @Override
        public List<Outcome> publish(List<Envelope> batch, Deadline deadline) {
            return Publisher.oneByOne(batch, deadline, this::send);
        }

        private Outcome send(Envelope message) {
            if (message.payload().asText().contains("halt")) {
                Runtime.getRuntime().halt(99);
            }
            try {
                Socket open = open();
                open.getOutputStream().write((LineBroker.line(message) + "\n").getBytes(UTF_8));
                if (open.getInputStream().read() < 0) {
                    throw new IOException("the broker closed the connection");
                }
                return new Outcome.Accepted();
            } catch (IOException e) {
                connection = null;
                return new Outcome.Unavailable(String.valueOf(e.getMessage()));
            }
        }

        private Socket open() throws IOException {
            if (connection == null) {
                connection = new Socket(InetAddress.getLoopbackAddress(), port);
            }
            return connection;
        }
    }
}

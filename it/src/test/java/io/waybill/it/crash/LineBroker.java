package io.waybill.it.crash;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waybill.message.Category;
import io.waybill.message.Envelope;
import io.waybill.message.Payload;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

/** The smallest broker over a real socket: a line is a message, and is acknowledged once it is kept. */
final class LineBroker implements AutoCloseable {

    private final ServerSocket server;
    private final List<Envelope> accepted = new ArrayList<>();
    private final ConcurrentLinkedQueue<Socket> connections = new ConcurrentLinkedQueue<>();
    private volatile Consumer<Envelope> beforeAcknowledging = message -> {};

    private LineBroker(ServerSocket server) {
        this.server = server;
    }

    static LineBroker start() throws IOException {
        var broker = new LineBroker(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()));
        daemon(broker::acceptConnections);
        return broker;
    }

    int port() {
        return server.getLocalPort();
    }

    /** Runs while the sender waits for its acknowledgement. */
    void beforeAcknowledging(Consumer<Envelope> action) {
        beforeAcknowledging = action;
    }

    synchronized List<Envelope> accepted() {
        return List.copyOf(accepted);
    }

    private synchronized void keep(Envelope message) {
        accepted.add(message);
    }

    private void acceptConnections() {
        try {
            while (true) {
                Socket connection = server.accept();
                connections.add(connection);
                daemon(() -> serve(connection));
            }
        } catch (IOException e) {
            // The broker was closed.
        }
    }

    private void serve(Socket connection) {
        try (connection;
                var lines = new BufferedReader(new InputStreamReader(connection.getInputStream(), UTF_8))) {
            OutputStream answers = connection.getOutputStream();
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                Envelope message = parse(line);
                keep(message);
                beforeAcknowledging.accept(message);
                answers.write('\n');
                answers.flush();
            }
        } catch (IOException e) {
            // The sender was killed: that is what these tests do.
        }
    }

    /** What a sender writes for a message. */
    static String line(Envelope message) {
        return String.join(
                "\t",
                message.id().toString(),
                message.destination(),
                message.partitionKey(),
                message.payload().asText());
    }

    private static Envelope parse(String line) {
        String[] parts = line.split("\t", -1);
        return new Envelope(
                UUID.fromString(parts[0]),
                Category.EVENT,
                "",
                parts[1],
                "",
                parts[2],
                Payload.text(parts[3]),
                Map.of());
    }

    private static void daemon(Runnable work) {
        var thread = new Thread(work, "line-broker");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Socket connection : connections) {
            connection.close();
        }
    }
}

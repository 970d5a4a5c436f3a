package io.waybill.server.relay;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.waybill.WaybillException;
import io.waybill.server.cli.Listing;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells probes how a relay service is: {@code /health/live}, whether it must be restarted, and {@code /health/ready}, whether it can
 * read any of its sources. Both answer 200 or 503, with what is wrong in JSON. Lag fails neither. {@code /metrics} is for Prometheus.
 *
 * <p><i>Threads:</i> one, which waits for nobody: what it answers is read from fields that others write, and a client that sends half a
 * request, or reads nothing, costs a buffer until it is cut off.
 */
public final class HealthServer implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(HealthServer.class);
    private static final Pattern REQUEST = Pattern.compile("([A-Z]+) ([^ ?]+)(?:\\?[^ ]*)? HTTP/1\\.[01]");
    private static final int MAX_REQUEST_BYTES = 8_192;
    private static final int MAX_CLIENTS = 256;
    private static final long MAX_CLIENT_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final ServerSocketChannel server;
    private final Selector selector;
    private final RelayService service;
    private final Thread thread;

    /** The oldest first. */
    private final Map<SocketChannel, Client> clients = new LinkedHashMap<>();

    private HealthServer(ServerSocketChannel server, Selector selector, RelayService service) {
        this.server = server;
        this.selector = selector;
        this.service = service;
        this.thread = new Thread(this::run, "waybill-health");
        this.thread.setDaemon(true);
    }

    /** A connection: what it has sent so far, and what it gets once that is a request. */
    private static final class Client {
        private final long since = System.nanoTime();
        private final ByteBuffer request = ByteBuffer.allocate(MAX_REQUEST_BYTES);
        private @Nullable ByteBuffer answer;
    }

    static HealthServer start(InetSocketAddress address, RelayService service) {
        try {
            var server = ServerSocketChannel.open();
            server.bind(address);
            server.configureBlocking(false);
            var selector = Selector.open();
            server.register(selector, SelectionKey.OP_ACCEPT);
            var health = new HealthServer(server, selector, service);
            service.meters().start();
            health.thread.start();
            return health;
        } catch (IOException e) {
            throw new WaybillException(
                    "Could not listen on " + address + ": " + e.getMessage() + ". Give --health another port.", e);
        }
    }

    int port() {
        return server.socket().getLocalPort();
    }

    private void run() {
        while (server.isOpen()) {
            try {
                selector.select(this::ready, TimeUnit.SECONDS.toMillis(1));
                cutOff();
            } catch (ClosedSelectorException e) {
                return;
            } catch (IOException | RuntimeException | Error e) {
                log.debug("A probe failed.", e);
            }
        }
    }

    private void ready(SelectionKey key) {
        try {
            if (key.isAcceptable()) {
                accept();
            } else {
                proceed(key, (SocketChannel) key.channel());
            }
        } catch (IOException | RuntimeException e) {
            if (key.channel() instanceof SocketChannel client) {
                end(client);
            }
        }
    }

    private void accept() throws IOException {
        SocketChannel client = server.accept();
        if (client != null) {
            client.configureBlocking(false);
            client.register(selector, SelectionKey.OP_READ);
            clients.put(client, new Client());
        }
    }

    /** Reads what is there; once it is a request, writes what can be written. */
    private void proceed(SelectionKey key, SocketChannel channel) throws IOException {
        Client client = clients.get(channel);
        if (client == null) {
            end(channel);
            return;
        }
        if (client.answer == null) {
            boolean over = channel.read(client.request) < 0;
            String head = new String(client.request.array(), 0, client.request.position(), ISO_8859_1);
            if (head.contains("\r\n\r\n") || head.contains("\n\n")) {
                client.answer = ByteBuffer.wrap(answer(head));
                key.interestOps(SelectionKey.OP_WRITE);
            } else if (over || !client.request.hasRemaining()) {
                end(channel);
                return;
            }
        }
        if (client.answer != null) {
            channel.write(client.answer);
            if (!client.answer.hasRemaining()) {
                end(channel);
            }
        }
    }

    /** Those that have had their time, and the oldest when there are too many. */
    private void cutOff() {
        long now = System.nanoTime();
        int tooMany = clients.size() - MAX_CLIENTS;
        for (var client : List.copyOf(clients.entrySet())) {
            if (tooMany-- > 0 || now - client.getValue().since > MAX_CLIENT_NANOS) {
                end(client.getKey());
            }
        }
    }

    private void end(SocketChannel client) {
        clients.remove(client);
        try {
            client.close();
        } catch (IOException e) {
            log.debug("The connection of a probe could not be closed.", e);
        }
    }

    private byte[] answer(String head) {
        Matcher request = REQUEST.matcher(head.lines().findFirst().orElse(""));
        if (!request.matches()) {
            return response("400 Bad Request", "", false);
        }
        boolean headOnly = request.group(1).equals("HEAD");
        if (!headOnly && !request.group(1).equals("GET")) {
            return response("405 Method Not Allowed", "", false);
        }
        return switch (request.group(2)) {
            case "/health/live" -> response(service.isAlive(), headOnly);
            case "/health/ready" -> response(service.isReady(), headOnly);
            case "/metrics" ->
                response("200 OK", ServiceMeters.CONTENT_TYPE, service.meters().page(), headOnly);
            default -> response("404 Not Found", "", headOnly);
        };
    }

    private byte[] response(boolean healthy, boolean headOnly) {
        String body = "{\"status\":\"" + (healthy ? "UP" : "DOWN") + "\",\"problems\":"
                + Listing.object(service.problems()) + ",\"destinations\":" + Listing.object(service.destinations())
                + ",\"waiting\":" + Listing.object(service.waiting()) + "}\n";
        return response(healthy ? "200 OK" : "503 Service Unavailable", body, headOnly);
    }

    private static byte[] response(String status, String body, boolean headOnly) {
        return response(status, "application/json", body.getBytes(UTF_8), headOnly);
    }

    private static byte[] response(String status, String type, byte[] body, boolean headOnly) {
        byte[] head = ("HTTP/1.1 " + status + "\r\nContent-Type: " + type + "\r\nCache-Control: no-store\r\n"
                        + "Content-Length: " + body.length + "\r\nConnection: close\r\n\r\n")
                .getBytes(UTF_8);
        if (headOnly) {
            return head;
        }
        byte[] all = Arrays.copyOf(head, head.length + body.length);
        System.arraycopy(body, 0, all, head.length, body.length);
        return all;
    }

    @Override
    public void close() {
        service.meters().close();
        try {
            server.close();
            selector.close();
            thread.join(TimeUnit.SECONDS.toMillis(1));
        } catch (IOException e) {
            log.debug("The port of probes could not be closed.", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        clients.keySet().stream().toList().forEach(this::end);
    }
}

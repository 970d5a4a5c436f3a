package io.waybill.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.waybill.WaybillException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Tells probes how a relay service is: {@code /health/live}, whether it must be restarted, and {@code /health/ready}, whether it can
 * read any of its sources. Both answer 200 or 503, with what is wrong in JSON. Lag fails neither.
 */
final class HealthServer implements AutoCloseable {

    private static final Pattern ADDRESS = Pattern.compile("(?:(.+):)?(\\d{1,5})");
    private static final int LARGEST_PORT = 65_535;
    private static final int OK = 200;
    private static final int NO_SUCH_METHOD = 405;
    private static final int NOT_HEALTHY = 503;

    private final HttpServer server;
    private final ExecutorService threads;

    private HealthServer(HttpServer server) {
        this.server = server;
        this.threads = Executors.newFixedThreadPool(2, task -> {
            var thread = new Thread(task, "waybill-health");
            thread.setDaemon(true);
            return thread;
        });
    }

    /** An address as it is written: a port of this machine only, or {@code host:port}. */
    static InetSocketAddress address(String text) {
        Matcher address = ADDRESS.matcher(text);
        if (!address.matches() || Integer.parseInt(address.group(2)) > LARGEST_PORT) {
            throw new WaybillException(
                    "'" + text + "' is not a port or host:port. Write 8080, or 0.0.0.0:8080 for other machines too.");
        }
        int port = Integer.parseInt(address.group(2));
        return address.group(1) == null
                ? new InetSocketAddress(InetAddress.getLoopbackAddress(), port)
                : new InetSocketAddress(address.group(1), port);
    }

    static HealthServer start(InetSocketAddress address, RelayService service) {
        try {
            var health = new HealthServer(HttpServer.create(address, 0));
            health.server.createContext("/health/live", exchange -> answer(exchange, service, service::isAlive));
            health.server.createContext("/health/ready", exchange -> answer(exchange, service, service::isReady));
            health.server.setExecutor(health.threads);
            health.server.start();
            return health;
        } catch (IOException e) {
            throw new WaybillException(
                    "Could not listen on " + address + ": " + e.getMessage() + ". Give --health another port.", e);
        }
    }

    int port() {
        return server.getAddress().getPort();
    }

    private static void answer(HttpExchange exchange, RelayService service, BooleanSupplier isHealthy)
            throws IOException {
        try (exchange) {
            if (!exchange.getRequestMethod().equals("GET")
                    && !exchange.getRequestMethod().equals("HEAD")) {
                exchange.sendResponseHeaders(NO_SUCH_METHOD, -1);
                return;
            }
            boolean healthy = isHealthy.getAsBoolean();
            Map<String, Object> members = new LinkedHashMap<>();
            members.put("status", healthy ? "UP" : "DOWN");
            String flat = Answer.object(members);
            String json =
                    flat.substring(0, flat.length() - 1) + ",\"problems\":" + Answer.object(service.problems()) + "}\n";
            byte[] body = json.getBytes(UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.getResponseHeaders().set("Cache-Control", "no-store");
            boolean head = exchange.getRequestMethod().equals("HEAD");
            exchange.sendResponseHeaders(healthy ? OK : NOT_HEALTHY, head ? -1 : body.length);
            if (!head) {
                exchange.getResponseBody().write(body);
            }
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}

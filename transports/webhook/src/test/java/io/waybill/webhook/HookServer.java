package io.waybill.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;

/** A real receiver of webhooks: remembers every request that came whole, and answers as each path is told. */
final class HookServer implements AutoCloseable {

    /** A request. The names of its headers are in lower case. */
    @SuppressWarnings("ArrayRecordComponent")
    record Call(String path, Map<String, String> headers, byte[] body) {

        String header(String name) {
            return headers.getOrDefault(name, "");
        }

        String text() {
            return new String(body, UTF_8);
        }
    }

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Map<String, HttpHandler> paths = new ConcurrentHashMap<>();
    private final List<Call> calls = new ArrayList<>();

    private HookServer(HttpServer server) {
        this.server = server;
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    static HookServer start() {
        try {
            return new HookServer(HttpServer.create(anyPort(), 0));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static HookServer startTls(SSLContext context) {
        try {
            HttpsServer server = HttpsServer.create(anyPort(), 0);
            server.setHttpsConfigurator(new HttpsConfigurator(context));
            return new HookServer(server);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static InetSocketAddress anyPort() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    int port() {
        return server.getAddress().getPort();
    }

    String url(String path) {
        return "http://localhost:" + port() + path;
    }

    /** From now on this path answers so; before that it is 404. */
    String on(String path, HttpHandler handler) {
        paths.put(path, handler);
        return url(path);
    }

    static HttpHandler answering(int status, String... headers) {
        return exchange -> {
            for (int i = 0; i < headers.length; i += 2) {
                exchange.getResponseHeaders().add(headers[i], headers[i + 1]);
            }
            exchange.sendResponseHeaders(status, -1);
            exchange.close();
        };
    }

    static HttpHandler answering(int status, byte[] body) {
        return exchange -> {
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        };
    }

    private void handle(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        // This server takes the end of a broken connection for the end of the body.
        if (!Integer.toString(body.length).equals(exchange.getRequestHeaders().getFirst("content-length"))) {
            exchange.close();
            return;
        }
        String path = exchange.getRequestURI().getPath();
        synchronized (calls) {
            calls.add(new Call(path, headers(exchange), body));
        }
        paths.getOrDefault(path, answering(404)).handle(exchange);
    }

    private static Map<String, String> headers(HttpExchange exchange) {
        return exchange.getRequestHeaders().entrySet().stream()
                .collect(Collectors.toMap(
                        header -> header.getKey().toLowerCase(Locale.ROOT),
                        header -> String.join(", ", header.getValue())));
    }

    List<Call> calls() {
        synchronized (calls) {
            return List.copyOf(calls);
        }
    }

    List<Call> calls(String path) {
        return calls().stream().filter(call -> call.path().equals(path)).toList();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}

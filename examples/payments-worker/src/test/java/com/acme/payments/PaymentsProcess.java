package com.acme.payments;

import static org.awaitility.Awaitility.await;

import java.io.File;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The application in a JVM of its own, to be killed and started again on the same port. */
final class PaymentsProcess implements AutoCloseable {

    static final String TOKEN = "a token of the tests";
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final HttpClient client = HttpClient.newHttpClient();
    private final Map<String, String> settings;
    private final int port = freePort();
    private final File log;
    private volatile Process process;

    private PaymentsProcess(Map<String, String> settings, Map<String, String> first) throws IOException {
        this.settings = settings;
        this.log = File.createTempFile("payments-" + settings.get("MICRONAUT_ENVIRONMENTS"), ".log");
        log.deleteOnExit();
        this.process = launch(first);
    }

    /** Begins to start it; the second settings are for the first time only. */
    static PaymentsProcess start(Map<String, String> settings, Map<String, String> first) throws IOException {
        return new PaymentsProcess(settings, first);
    }

    private Process launch(Map<String, String> more) throws IOException {
        var builder = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Application.class.getName()))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log));
        builder.environment().putAll(settings);
        builder.environment().putAll(more);
        builder.environment().put("PAYMENTS_PORT", String.valueOf(port));
        return builder.start();
    }

    /** Starts it once more, with more settings, and waits until it is ready. */
    void restart(Map<String, String> more) throws IOException {
        process = launch(more);
        awaitReady();
    }

    /** SIGKILL: no farewell, no finally, no shutdown hook. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        awaitEnd();
    }

    void awaitEnd() throws InterruptedException {
        if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            throw new IllegalStateException("The process " + process.pid() + " does not end.\n" + tail());
        }
    }

    void awaitReady() {
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(50)).until(() -> !process.isAlive() || isReady());
        if (!process.isAlive()) {
            throw new IllegalStateException("The application does not start.\n" + tail());
        }
    }

    private boolean isReady() throws InterruptedException {
        try {
            return get("/health/readiness").statusCode() == 200;
        } catch (IOException e) {
            return false;
        }
    }

    HttpResponse<String> get(String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(uri(path))
                .header("authorization", "Bearer " + TOKEN)
                .build();
        return client.send(request, BodyHandlers.ofString());
    }

    HttpResponse<String> post(String path, String json) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(uri(path))
                .timeout(Duration.ofSeconds(20))
                .header("content-type", "application/json")
                .header("authorization", "Bearer " + TOKEN)
                .POST(BodyPublishers.ofString(json))
                .build();
        return client.send(request, BodyHandlers.ofString());
    }

    private URI uri(String path) {
        return URI.create("http://127.0.0.1:" + port + path);
    }

    private static int freePort() {
        try (var socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The end of what it said. */
    String tail() {
        try {
            List<String> lines = Files.readAllLines(log.toPath());
            return String.join("\n", lines.subList(Math.max(0, lines.size() - 60), lines.size()));
        } catch (IOException e) {
            return e.toString();
        }
    }

    @Override
    public void close() throws InterruptedException {
        kill();
    }

    /** Settings of a side. */
    static Map<String, String> settings(String side, String brokerUrl, String url, String user, String password) {
        return new HashMap<>(Map.of(
                "MICRONAUT_ENVIRONMENTS", side,
                "BROKER_URL", brokerUrl,
                "POSTGRES_URL", url,
                "POSTGRES_USER", user,
                "POSTGRES_PASSWORD", password,
                "OUTBOX_LEASE_TIME", "2",
                "PAYMENTS_API_TOKEN", TOKEN));
    }
}

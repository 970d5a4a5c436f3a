package io.waybill.server.relay;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.console.http.ConsoleServer;
import io.waybill.console.request.ConsoleRequest;
import io.waybill.console.request.ConsoleResponse;
import io.waybill.server.Cli;
import io.waybill.server.Eventually;
import io.waybill.server.config.ConfigWatch;
import io.waybill.server.config.ListenAddress;
import io.waybill.server.config.RelayConfig;
import io.waybill.server.config.RelayConfigFile;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HealthServerTest {

    private final HttpClient client = HttpClient.newHttpClient();

    @TempDir
    Path directory;

    @SuppressWarnings("NullAway.Init")
    HealthServerTest() {}

    @Test
    void a_service_is_ready_when_it_can_read_one_of_its_sources() throws Exception {
        String good = "{name: good, db: \"jdbc:h2:" + directory.resolve("shop") + ";USER=sa\"}";
        String bad = "{name: bad, db: \"postgresql://nobody@127.0.0.1:1/x\"}";
        try (var service = RelayService.start(config(good + ", " + bad));
                var health = HealthServer.start(ListenAddress.parse("0"), service)) {
            Eventually.is(
                    () -> assertThat(service.problems().getOrDefault("bad", "")).contains("Could not connect"));
            Eventually.is(() -> assertThat(get(health, "ready").statusCode()).isEqualTo(200));

            assertThat(get(health, "ready").body())
                    .startsWith("{\"status\":\"UP\",\"problems\":{\"bad\":\"Could not connect");
            assertThat(get(health, "live").statusCode()).isEqualTo(200);

            service.serve(config(bad));
            assertThat(get(health, "ready").statusCode()).isEqualTo(503);
            assertThat(get(health, "live").statusCode()).isEqualTo(200);
            assertThat(request(health, "ready", "POST").statusCode()).isEqualTo(405);
        }
    }

    @Test
    void clients_that_never_finish_their_request_keep_nobody_from_an_answer() throws Exception {
        List<Socket> halfOpen = new ArrayList<>();
        try (var service = RelayService.start(config(good()));
                var health = HealthServer.start(ListenAddress.parse("0"), service)) {
            Eventually.is(() -> assertThat(get(health, "ready").statusCode()).isEqualTo(200));
            for (int i = 0; i < 300; i++) {
                var socket = new Socket(InetAddress.getLoopbackAddress(), health.port());
                socket.getOutputStream().write("GET /health/li".getBytes(US_ASCII));
                halfOpen.add(socket);
            }

            assertThat(medianMillis(health)).isLessThan(100);
        } finally {
            for (Socket socket : halfOpen) {
                socket.close();
            }
        }
    }

    @Test
    void probes_are_answered_while_requests_to_the_console_hang() throws Exception {
        var hanging = new CompletableFuture<ConsoleResponse>();
        var begun = new CountDownLatch(8);
        Function<ConsoleRequest, ConsoleResponse> slow = request -> {
            begun.countDown();
            return hanging.join();
        };
        try (var console = ConsoleServer.start(ListenAddress.parse("0"), slow);
                var service = RelayService.start(config(good()));
                var health = HealthServer.start(ListenAddress.parse("0"), service)) {
            var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + console.port() + "/api/session"))
                    .build();
            for (int i = 0; i < 60; i++) {
                CompletableFuture<?> unused = client.sendAsync(request, HttpResponse.BodyHandlers.discarding());
            }
            assertThat(begun.await(20, TimeUnit.SECONDS)).isTrue();

            assertThat(medianMillis(health)).isLessThan(100);
            hanging.complete(ConsoleResponse.json(200, "{}"));
        }
    }

    @Test
    void probes_are_answered_while_a_reload_waits_for_a_database_and_while_the_service_ends() throws Exception {
        try (var silent = new SilentServer()) {
            String hangs = "{name: hangs, db: \"" + silent.url() + "\"}";
            var service = new RelayService(Duration.ofSeconds(2));
            try (var health = HealthServer.start(ListenAddress.parse("0"), service)) {
                service.serve(config(good() + ", " + hangs));
                silent.awaitClient();

                var reload = CompletableFuture.runAsync(() -> service.serve(config(good())));
                assertThat(medianMillis(health)).isLessThan(100);
                assertThat(reload).isNotDone();
                reload.join();

                service.serve(config(good() + ", " + hangs));
                silent.awaitClient();
                var end = CompletableFuture.runAsync(service::close);
                assertThat(medianMillis(health)).isLessThan(100);
                assertThat(end).isNotDone();
                end.join();
            }
        }
    }

    @Test
    void a_service_ends_in_its_time_however_many_databases_do_not_answer() throws Exception {
        try (var silent = new SilentServer()) {
            var service = new RelayService(Duration.ofSeconds(1));
            service.serve(config(IntStream.range(0, 8)
                    .mapToObj(i -> "{name: hangs-" + i + ", db: \"" + silent.url() + "\"}")
                    .collect(joining(", "))));
            for (int i = 0; i < 8; i++) {
                silent.awaitClient();
            }
            long begin = System.nanoTime();

            service.close();

            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(3));
        }
    }

    @Test
    void a_reload_survives_whatever_goes_wrong_and_health_shows_the_file_that_is_not_used() throws Exception {
        Path file = directory.resolve("relay.yaml");
        Files.writeString(file, yaml(good()));
        var applied = new ArrayList<RelayConfig>();
        var failures =
                new ArrayDeque<Throwable>(List.of(new IllegalStateException("unexpected"), new StackOverflowError()));
        try (var service = RelayService.start(RelayConfigFile.read(file));
                var watch = ConfigWatch.start(
                        file,
                        config -> {
                            Throwable failure = failures.poll();
                            if (failure instanceof RuntimeException e) {
                                throw e;
                            } else if (failure instanceof Error e) {
                                throw e;
                            }
                            applied.add(config);
                        },
                        service::refuse)) {
            for (String expected : List.of("unexpected", "StackOverflowError")) {
                Files.writeString(file, Files.readString(file) + "\n");
                Eventually.is(() -> assertThat(service.problems().getOrDefault("configuration", ""))
                        .contains(expected));
            }
            Files.write(file, new byte[] {(byte) 0xff, (byte) 0xfe, 'x'});
            Eventually.is(() -> assertThat(service.problems().getOrDefault("configuration", ""))
                    .contains("relay.yaml is not used")
                    .contains("MalformedInput"));

            Files.writeString(file, yaml(good()));

            Eventually.is(() -> assertThat(applied).hasSize(1));
            Eventually.is(() -> assertThat(service.problems()).doesNotContainKey("configuration"));
            assertThat(watch).isNotNull();
        }
    }

    private long medianMillis(HealthServer health) throws Exception {
        List<Long> millis = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            long begin = System.nanoTime();
            get(health, "live");
            millis.add(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin));
        }
        return millis.stream().sorted().toList().get(4);
    }

    private String good() {
        return "{name: good, db: \"jdbc:h2:" + directory.resolve("shop") + ";USER=sa\"}";
    }

    @Test
    void it_listens_to_this_machine_alone_unless_it_is_told_otherwise() {
        assertThat(ListenAddress.parse("8080").getAddress().isLoopbackAddress()).isTrue();
        assertThat(ListenAddress.parse("0.0.0.0:8080").getAddress().isAnyLocalAddress())
                .isTrue();
        assertThatThrownBy(() -> ListenAddress.parse("nine")).hasMessageContaining("'nine' is not a port");
        assertThatThrownBy(() -> ListenAddress.parse("99999")).hasMessageContaining("'99999' is not a port");
        var wrong = Cli.run("relay", "run", "--db", "jdbc:h2:mem:x", "--to", "stdout:", "--health", "nine");
        assertThat(wrong.exitCode()).isEqualTo(2);
        var pool = Cli.run("relay", "run", "--db", "jdbc:h2:mem:x", "--to", "stdout:", "--pool", "a b");
        assertThat(pool.exitCode()).isEqualTo(2);
    }

    private RelayConfig config(String sources) {
        return RelayConfigFile.parse("test.yaml", yaml(sources), name -> null);
    }

    private String yaml(String sources) {
        return "sources: [" + sources + "]\nroutes: [{to: \"file:" + directory.resolve("out") + "\"}]\n";
    }

    /** A database that takes connections and never says a word. */
    private static final class SilentServer implements AutoCloseable {

        private final ServerSocket server;
        private final BlockingQueue<Socket> clients = new LinkedBlockingQueue<>();

        /** Held, because a socket that nobody refers to is closed. */
        private final List<Socket> awaited = new ArrayList<>();

        SilentServer() throws IOException {
            server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
            var thread = new Thread(this::accept, "silent-server");
            thread.setDaemon(true);
            thread.start();
        }

        private void accept() {
            try {
                while (true) {
                    clients.add(server.accept());
                }
            } catch (IOException e) {
                // It was closed.
            }
        }

        String url() {
            return "postgresql://nobody@127.0.0.1:" + server.getLocalPort() + "/x";
        }

        void awaitClient() throws InterruptedException {
            awaited.add(Objects.requireNonNull(clients.poll(20, TimeUnit.SECONDS), "nobody connected"));
        }

        @Override
        public void close() throws IOException {
            server.close();
        }
    }

    private HttpResponse<String> get(HealthServer health, String what) throws Exception {
        return request(health, what, "GET");
    }

    private HttpResponse<String> request(HealthServer health, String what, String method) throws Exception {
        var uri = URI.create("http://127.0.0.1:" + health.port() + "/health/" + what);
        var request = HttpRequest.newBuilder(uri)
                .method(method, HttpRequest.BodyPublishers.noBody())
                .build();
        return client.send(request, HttpResponse.BodyHandlers.ofString());
    }
}

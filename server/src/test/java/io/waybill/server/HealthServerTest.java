package io.waybill.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
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
                var health = HealthServer.start(HealthServer.address("0"), service)) {
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
    void it_listens_to_this_machine_alone_unless_it_is_told_otherwise() {
        assertThat(HealthServer.address("8080").getAddress().isLoopbackAddress())
                .isTrue();
        assertThat(HealthServer.address("0.0.0.0:8080").getAddress().isAnyLocalAddress())
                .isTrue();
        assertThatThrownBy(() -> HealthServer.address("nine")).hasMessageContaining("'nine' is not a port");
        assertThatThrownBy(() -> HealthServer.address("99999")).hasMessageContaining("'99999' is not a port");
        var wrong = Cli.run("relay", "run", "--db", "jdbc:h2:mem:x", "--to", "stdout:", "--health", "nine");
        assertThat(wrong.exitCode()).isEqualTo(2);
        var pool = Cli.run("relay", "run", "--db", "jdbc:h2:mem:x", "--to", "stdout:", "--pool", "a b");
        assertThat(pool.exitCode()).isEqualTo(2);
    }

    private RelayConfig config(String sources) {
        return RelayConfigFile.parse(
                "test.yaml",
                "sources: [" + sources + "]\nroutes: [{to: \"file:" + directory.resolve("out") + "\"}]\n",
                name -> null);
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

package io.waybill.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.server.config.ListenAddress;
import io.waybill.server.config.RelayConfig;
import io.waybill.server.config.RelayConfigFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The files that deploy the relay service say what the service understands. */
class DeploymentTest {

    private static final Path DEPLOY = Path.of("deploy");

    @Test
    void the_image_runs_the_relay_as_an_ordinary_user() throws IOException {
        List<String> lines = Files.readAllLines(Path.of("Dockerfile"));

        assertThat(instruction(lines, "USER")).isEqualTo("10001");
        understood(list(load(instruction(lines, "CMD"))));
        assertThat(instruction(lines, "ENTRYPOINT")).contains("/opt/waybill/waybill.jar");
        assertThat(instruction(lines, "COPY")).isEqualTo("target/waybill.jar /opt/waybill/waybill.jar");
    }

    @Test
    void the_compose_file_mounts_a_configuration_that_is_understood() throws IOException {
        Map<?, ?> relay =
                map(map(map(load(read("compose.yaml"))).get("services")).get("relay"));

        assertThat(list(relay.get("volumes"))).containsExactly("./relay.yaml:/etc/waybill/relay.yaml:ro");
        Map<?, ?> environment = map(relay.get("environment"));
        RelayConfig config =
                RelayConfigFile.parse("relay.yaml", read("relay.yaml"), name -> String.valueOf(environment.get(name)));
        assertThat(config.sources())
                .singleElement()
                .satisfies(source -> assertThat(source.database().password()).isEqualTo("shop"));
    }

    @Test
    void the_manifests_fit_together_and_probe_what_is_there() throws IOException {
        List<Map<?, ?>> documents = new ArrayList<>();
        new Load(LoadSettings.builder().build())
                .loadAllFromString(read("kubernetes.yaml"))
                .forEach(document -> documents.add(map(document)));
        assertThat(documents.stream().map(document -> String.valueOf(document.get("kind"))))
                .containsExactly("Secret", "ConfigMap", "Deployment");
        Map<?, ?> template = map(map(documents.get(2).get("spec")).get("template"));
        assertThat(value(map(template.get("metadata")), "annotations"))
                .isEqualTo(Map.of(
                        "prometheus.io/scrape", "true",
                        "prometheus.io/port", "8080",
                        "prometheus.io/path", "/metrics"));
        Map<?, ?> pod = map(template.get("spec"));
        Map<?, ?> container = map(((List<?>) value(pod, "containers")).get(0));

        understood(list(container.get("args")));
        assertThat(value(map(pod.get("securityContext")), "runAsNonRoot")).isEqualTo(true);
        assertThat(probed(container, "livenessProbe")).isEqualTo("/health/live");
        assertThat(probed(container, "readinessProbe")).isEqualTo("/health/ready");
        String yaml = String.valueOf(map(documents.get(1).get("data")).get("relay.yaml"));
        assertThat(map(documents.get(0).get("stringData")).containsKey("shop-password"))
                .isTrue();
        assertThat(yaml).contains("/run/secrets/waybill/shop-password");
        assertThat(RelayConfigFile.parse("relay.yaml", yaml.replaceAll("(?m)^.*password-file.*$", ""), name -> null)
                        .destinations())
                .hasSize(1);
    }

    @Test
    void the_unit_starts_what_is_understood() throws IOException {
        String unit = read("waybill-relay.service");
        var start = Pattern.compile("(?m)^ExecStart=\\S+ .* -jar /opt/waybill/waybill\\.jar (.*)$")
                .matcher(unit);

        assertThat(start.find()).isTrue();
        understood(List.of(start.group(1).split(" ")));
        assertThat(unit).contains("DynamicUser=yes", "RestartPreventExitStatus=2", "SuccessExitStatus=143");
    }

    /** The arguments are those of a command, options included. */
    private static void understood(List<String> arguments) {
        var parsed = Main.commandLine().parseArgs(arguments.toArray(String[]::new));
        var run = parsed.subcommand().subcommand();
        assertThat(run.commandSpec().qualifiedName()).isEqualTo("waybill relay run");
        assertThat(String.valueOf(run.matchedOptionValue("--config", Path.of(""))))
                .isEqualTo("/etc/waybill/relay.yaml");
        assertThat(ListenAddress.parse(run.matchedOptionValue("--health", "")).getPort())
                .isEqualTo(8080);
    }

    private static Object probed(Map<?, ?> container, String probe) {
        Map<?, ?> get = map(map(container.get(probe)).get("httpGet"));
        assertThat(value(get, "port")).isEqualTo("health");
        return value(get, "path");
    }

    private static String instruction(List<String> lines, String name) {
        return lines.stream()
                .filter(line -> line.startsWith(name + " "))
                .map(line -> line.substring(name.length() + 1))
                .findFirst()
                .orElseThrow();
    }

    private static String read(String file) throws IOException {
        return Files.readString(DEPLOY.resolve(file));
    }

    private static Object load(String yaml) {
        return new Load(LoadSettings.builder().build()).loadFromString(yaml);
    }

    private static Object value(Map<?, ?> map, String key) {
        Object value = map.get(key);
        if (value == null) {
            throw new AssertionError("There is no " + key + " in " + map);
        }
        return value;
    }

    private static Map<?, ?> map(@Nullable Object value) {
        assertThat(value).isInstanceOf(Map.class);
        return (Map<?, ?>) value;
    }

    private static List<String> list(@Nullable Object value) {
        assertThat(value).isInstanceOf(List.class);
        return ((List<?>) value).stream().map(String::valueOf).toList();
    }
}

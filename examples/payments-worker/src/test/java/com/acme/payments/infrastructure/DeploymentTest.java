package com.acme.payments.infrastructure;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.command.CommandNaming;
import io.waybill.transport.Broker;
import io.waybill.transport.Transports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;

/** The image and the compose file say nothing that the application does not understand. */
final class DeploymentTest {

    private static final Path RESOURCES = Path.of("src/main/resources");

    @Test
    void the_image_runs_the_jar_as_an_ordinary_user() throws IOException {
        List<String> lines = Files.readAllLines(Path.of("Dockerfile"));

        assertThat(lines).contains("USER worker", "COPY target/payments-worker.jar payments-worker.jar", "EXPOSE 9091");
        assertThat(Files.readString(Path.of("pom.xml"))).contains("/payments-worker.jar</outputFile>");
        assertThat(String.join("\n", lines)).contains("GET /health/liveness ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"orchestrator", "worker"})
    void a_side_of_the_compose_file_is_configured_with_what_is_read(String side) throws IOException {
        Map<?, ?> services = map(
                map(new Yaml().load(Files.readString(Path.of("compose.yaml")))).get("services"));
        Map<?, ?> environment = map(map(services.get(side)).get("environment"));
        String read = settings("application.yml") + settings("application-" + side + ".yml");

        assertThat(environment.keySet().stream().map(String::valueOf))
                .allMatch(name -> name.equals("MICRONAUT_ENVIRONMENTS") || read.contains("${" + name));
        assertThat(environment.get("MICRONAUT_ENVIRONMENTS")).isEqualTo(side);
        try (var broker = Transports.open(String.valueOf(environment.get("BROKER_URL")))) {
            assertThat(broker).isInstanceOf(Broker.class);
        }
        assertThat(databases(map(services.get("postgres"))))
                .anyMatch(
                        name -> String.valueOf(environment.get("POSTGRES_URL")).endsWith(":5432/" + name));
        assertThat(map(map(services.get(side)).get("depends_on")).keySet().stream()
                        .map(String::valueOf))
                .containsExactlyInAnyOrder("postgres", "broker");
    }

    @Test
    void the_worker_with_ibm_mq_is_configured_with_the_variables_of_the_guide() throws IOException {
        Map<?, ?> services = map(
                map(new Yaml().load(Files.readString(Path.of("compose.yaml")))).get("services"));
        Map<?, ?> worker = map(services.get("ibmmq-worker"));
        String read = settings("application.yml") + settings("application-ibmmq.yml");
        List<String> names = map(worker.get("environment")).keySet().stream()
                .map(String::valueOf)
                .toList();

        assertThat(names)
                .contains("POSTGRES_HOST", "POSTGRES_DB", "MQ_HOST", "HIKARI_MAX_POOL_SIZE", "JMS_CONCURRENCY")
                .allMatch(name -> name.equals("MICRONAUT_ENVIRONMENTS") || read.contains("${" + name));
        assertThat(worker.get("profiles")).isEqualTo(List.of("ibmmq"));
        assertThat(map(worker.get("depends_on")).keySet().stream().map(String::valueOf))
                .containsExactlyInAnyOrder("postgres", "ibmmq");
        assertThat(Files.readString(Path.of("pom.xml"))).contains("<id>ibm-mq</id>");
    }

    @Test
    void every_queue_of_a_command_is_defined_and_required() throws IOException {
        List<String> defined = Pattern.compile("DEFINE QLOCAL\\('(APP\\.CMD\\.\\w+\\.Q)'\\)")
                .matcher(Files.readString(Path.of("queues.mqsc")))
                .results()
                .map(found -> found.group(1))
                .filter(name -> !name.equals("APP.CMD.BACKOUT.Q"))
                .toList();
        List<String> required = Pattern.compile("APP\\.CMD\\.\\w+\\.Q")
                .matcher(settings("application-ibmmq.yml"))
                .results()
                .map(MatchResult::group)
                .toList();

        try (Stream<Path> sources = Files.walk(Path.of("src/main/java/com/acme/payments/application/command"))) {
            List<String> queues = sources.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith("Command.java"))
                    .map(name -> CommandNaming.DEFAULT.queueOf(name.replace("Command.java", "")))
                    .toList();
            assertThat(defined).hasSize(queues.size() + 1).containsAll(queues).contains("APP.CMD.REPLY.Q");
        }
        assertThat(required).containsExactlyInAnyOrderElementsOf(defined);
    }

    private static List<String> databases(Map<?, ?> postgres) throws IOException {
        var created = Pattern.compile("CREATE DATABASE (\\w+)").matcher(Files.readString(Path.of("databases.sql")));
        return Stream.concat(
                        Stream.of(
                                String.valueOf(map(postgres.get("environment")).get("POSTGRES_DB"))),
                        created.results().map(found -> found.group(1)))
                .collect(Collectors.toList());
    }

    private static String settings(String file) throws IOException {
        return Files.readString(RESOURCES.resolve(file));
    }

    private static Map<?, ?> map(@Nullable Object value) {
        return (Map<?, ?>) Objects.requireNonNull(value);
    }
}

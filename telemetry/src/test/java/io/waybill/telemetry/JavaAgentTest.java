package io.waybill.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program whose JVM was started with the Java agent of OpenTelemetry, and which sets up nothing of it. */
final class JavaAgentTest {

    /** The build copies it there. */
    private static final Path AGENT = Path.of("target", "agent", "opentelemetry-javaagent.jar");

    @TempDir
    Path directory;

    private final OtlpReceiver collector = new OtlpReceiver();

    @Test
    void the_agent_gets_the_spans_and_continues_them_in_its_own() throws Exception {
        assertThat(AGENT).as("run: mvn process-test-resources -pl telemetry").exists();
        Path output = directory.resolve("output");

        Process program = start(output);
        try {
            assertThat(program.waitFor(60, TimeUnit.SECONDS))
                    .as(Files.readString(output))
                    .isTrue();
        } finally {
            program.destroyForcibly();
        }

        assertThat(program.exitValue()).as(Files.readString(output)).isZero();
        Span placed = span("place order");
        Span process = span("process orders");
        assertThat(process.getTraceId()).isEqualTo(placed.getTraceId());
        assertThat(process.getParentSpanId()).isEqualTo(placed.getSpanId());
        assertThat(span("write mail").getParentSpanId())
                .as("what the application makes in the handler")
                .isEqualTo(process.getSpanId());
        assertThat(collector.spans())
                .as("what the agent makes of the statements in the handler")
                .anySatisfy(span -> {
                    assertThat(span.getKind()).isEqualTo(Span.SpanKind.SPAN_KIND_CLIENT);
                    assertThat(span.getParentSpanId()).isEqualTo(process.getSpanId());
                });
        assertThat(span("send mails").getLinksList())
                .singleElement()
                .satisfies(link -> assertThat(link.getSpanId()).isEqualTo(process.getSpanId()));
    }

    private Process start(Path output) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-javaagent:" + AGENT.toAbsolutePath(),
                        "-XX:TieredStopAtLevel=1",
                        "-Dotel.traces.exporter=otlp",
                        "-Dotel.metrics.exporter=none",
                        "-Dotel.logs.exporter=none",
                        "-Dotel.exporter.otlp.protocol=http/protobuf",
                        "-Dotel.exporter.otlp.traces.endpoint=" + collector.url(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        TracedProgram.class.getName())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
    }

    private Span span(String name) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(10))
                .until(() -> collector.spans().stream()
                        .anyMatch(span -> span.getName().equals(name)));
        List<Span> found = collector.spans().stream()
                .filter(span -> span.getName().equals(name))
                .toList();
        assertThat(found).hasSize(1);
        return found.get(0);
    }
}

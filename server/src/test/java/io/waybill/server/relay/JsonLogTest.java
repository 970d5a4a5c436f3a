package io.waybill.server.relay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.LoggingEvent;
import io.waybill.server.Eventually;
import io.waybill.server.WaybillProcess;
import io.waybill.server.output.JsonLogEncoder;
import io.waybill.transport.SecretMask;
import io.waybill.transport.TransportUrl;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The log of a relay service as a collector of logs reads it. */
class JsonLogTest {

    private static final String SECRET = "c4nary/\"Secret";

    @TempDir
    Path directory;

    @SuppressWarnings("NullAway.Init")
    JsonLogTest() {}

    @Test
    void every_line_is_an_object_with_its_code() throws Exception {
        try (var service = WaybillProcess.start(
                directory,
                "relay",
                List.of(),
                "relay",
                "run",
                "--log-format",
                "json",
                "--db",
                "postgresql://nobody@127.0.0.1:1/x",
                "--to",
                "file:" + directory.resolve("out"))) {
            Eventually.is(() -> assertThat(service.log()).contains("WB-113", "Sending from"));

            List<Map<?, ?>> lines =
                    service.log().lines().map(JsonLogTest::object).toList();

            assertThat(lines)
                    .allSatisfy(line -> assertThat(line.keySet().stream().map(String::valueOf))
                            .contains("time", "level", "message", "logger", "thread"));
            assertThat(lines).anySatisfy(line -> {
                assertThat(line.get("code")).isEqualTo("WB-113");
                assertThat(line.get("level")).isEqualTo("WARN");
                assertThat(String.valueOf(line.get("message"))).startsWith("Source ");
            });
        }
    }

    @Test
    void secrets_are_masked_in_the_message_and_in_the_trace() {
        SecretMask.remember(TransportUrl.parse("amqp://user:" + SECRET.replace("\"", "%22") + "@127.0.0.1"));
        var logger = (Logger) LoggerFactory.getLogger(JsonLogTest.class);
        var event = new LoggingEvent(
                JsonLogTest.class.getName(),
                logger,
                Level.WARN,
                "WB-106 refused with {}",
                new IllegalStateException("the password is " + SECRET),
                new Object[] {SECRET + "\nand a line"});

        String line = new String(new JsonLogEncoder().encode(event), UTF_8);

        assertThat(line).doesNotContain("c4nary").endsWith("}\n").containsOnlyOnce("\n");
        assertThat(object(line.strip()).get("message")).isEqualTo("refused with ***\nand a line");
        assertThat(String.valueOf(object(line.strip()).get("error")))
                .startsWith("java.lang.IllegalStateException: the password is ***");
    }

    /** JSON is YAML. */
    private static Map<?, ?> object(String line) {
        assertThat(line).startsWith("{").endsWith("}");
        return (Map<?, ?>) new Load(LoadSettings.builder().build()).loadFromString(line);
    }
}

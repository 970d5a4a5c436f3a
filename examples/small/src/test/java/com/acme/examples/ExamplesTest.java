package com.acme.examples;

import static org.assertj.core.api.Assertions.assertThat;

import com.acme.micronaut.MicronautShop;
import com.acme.shop.ShopApplication;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringApplication;

/** Every example runs to its end and says what it should. */
final class ExamplesTest {

    private final PrintStream console = System.out;
    private final ByteArrayOutputStream said = new ByteArrayOutputStream();

    @BeforeEach
    void listen() {
        System.setOut(new PrintStream(said, true, StandardCharsets.UTF_8));
    }

    @AfterEach
    void stopListening() {
        System.setOut(console);
    }

    @Test
    void plain_outbox() throws Exception {
        PlainOutbox.main(new String[0]);

        try (var connection = Database.inMemory("plain").getConnection();
                var rows = connection.createStatement().executeQuery("SELECT status, payload FROM outbox")) {
            assertThat(rows.next()).isTrue();
            assertThat(rows.getString("status")).isEqualTo("DISPATCHED");
            assertThat(rows.getString("payload")).contains("o-1");
        }
    }

    @Test
    void commands() throws Exception {
        Commands.main(new String[0]);

        assertThat(said()).contains("Created o-1", "Accepted once: true");
    }

    @Test
    void a_process_with_compensation() throws Exception {
        CompensatedProcess.main(new String[0]);

        assertThat(said().lines())
                .startsWith("reserved book", "charged card-1", "reserved lamp", "released lamp")
                .anyMatch(line -> line.contains("the card expired-2 is refused"));
    }

    @Test
    void a_signed_webhook() throws Exception {
        SignedWebhook.main(new String[0]);

        assertThat(said()).contains("Received, with a good signature: {\"order\":\"o-1\"}");
    }

    @Test
    void kafka_to_inbox() throws Exception {
        KafkaToInbox.main(new String[0]);

        assertThat(said()).contains("Started Kafka at 127.0.0.1:", "o-1 came twice and has 1 invoice");
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1:1", "nowhere"})
    void kafka_without_a_broker_says_so_in_one_line(String broker) throws Exception {
        Process example = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        KafkaToInbox.class.getName(),
                        broker)
                .redirectErrorStream(true)
                .start();
        try {
            assertThat(new String(example.getInputStream().readAllBytes(), StandardCharsets.UTF_8).lines())
                    .singleElement()
                    .asString()
                    .contains("'" + broker + "'", "./waybill example kafka host:port");
            assertThat(example.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(example.exitValue()).isEqualTo(1);
        } finally {
            example.destroyForcibly();
        }
    }

    @Test
    void micronaut() {
        MicronautShop.main(new String[0]);

        assertThat(said()).contains("Created o-1", "A mail to Ann");
    }

    @Test
    void spring_boot() {
        var running = SpringApplication.from(ShopApplication::main).run();
        try (var context = running.getApplicationContext()) {
            Wait.until("the mail is sent", () -> said().contains("A mail about o-1"));
            assertThat(said()).contains("Reserved: 2");
            assertThat(context.isRunning()).isTrue();
        }
    }

    private String said() {
        return said.toString(StandardCharsets.UTF_8);
    }
}

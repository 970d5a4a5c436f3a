package io.waybill.transport;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.WaybillException;
import io.waybill.message.Category;
import io.waybill.message.Envelope;
import io.waybill.message.Payload;
import io.waybill.message.text.Json;
import io.waybill.transport.wire.WireFormat;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NdjsonTransportTest {

    private static final UUID ID = UUID.fromString("0199f5a0-0000-7000-8000-000000000001");

    @TempDir
    private Path directory;

    @Test
    void a_line_has_exactly_the_members_that_are_promised_in_their_order() {
        String line = only(written(new Envelope(
                ID,
                Category.EVENT,
                "OrderPlaced",
                "orders",
                "k-1",
                "order-1",
                Payload.text("{\"n\":1}"),
                Map.of("x-tenant", "acme"))));

        assertThat(line)
                .isEqualTo("{\"id\":\"" + ID + "\",\"category\":\"event\",\"type\":\"OrderPlaced\","
                        + "\"destination\":\"orders\",\"key\":\"k-1\","
                        + "\"partitionKey\":\"order-1\",\"headers\":{\"x-tenant\":\"acme\"},\"payload\":{\"n\":1}}");
    }

    @Test
    void members_without_a_value_are_there_and_empty() {
        String line = only(written(new Envelope(ID, Category.EVENT, "", "orders", "", "", Payload.text(""), Map.of())));

        assertThat(members(line))
                .containsEntry("type", "\"\"")
                .containsEntry("key", "\"\"")
                .containsEntry("partitionKey", "\"\"")
                .containsEntry("headers", "{}")
                .containsEntry("payload", "\"\"");
    }

    @Test
    void a_payload_that_is_json_stands_there_as_it_is_and_any_other_text_as_a_string() {
        assertThat(payload("[1,{\"a\":null}]")).isEqualTo("[1,{\"a\":null}]");
        assertThat(payload("42")).isEqualTo("42");
        assertThat(payload("\"text\"")).isEqualTo("\"text\"");
        assertThat(payload("{not json")).isEqualTo("\"{not json\"");
    }

    @Test
    void line_breaks_stay_within_the_line() {
        assertThat(payload("{\r\n  \"a\":\n1\r}")).isEqualTo("{    \"a\": 1 }");
        assertThat(payload("{\"a\":\"one\\ntwo\"}")).isEqualTo("{\"a\":\"one\\ntwo\"}");
        assertThat(payload("one\r\ntwo\u0000\u001b")).isEqualTo("\"one\\r\\ntwo\\u0000\\u001b\"");
        assertThat(members(only(written(new Envelope(
                        ID, Category.EVENT, "a\nb", "c\"d", "", "", Payload.text("1"), Map.of("x\ny", "\\z"))))))
                .containsEntry("type", "\"a\\nb\"")
                .containsEntry("destination", "\"c\\\"d\"")
                .containsEntry("headers", "{\"x\\ny\":\"\\\\z\"}");
    }

    @Test
    void letters_of_every_language_are_utf_8() {
        assertThat(payload("{\"text\":\"Żółć 漢字 😀\"}")).isEqualTo("{\"text\":\"Żółć 漢字 😀\"}");
    }

    @Test
    void bytes_are_base64_under_a_name_of_their_own() {
        String line = only(written(new Envelope(
                ID, Category.EVENT, "Picture", "orders", "", "", Payload.binary(new byte[] {0, -1, 10}), Map.of())));

        assertThat(members(line))
                .containsOnlyKeys(
                        "id", "category", "type", "destination", "key", "partitionKey", "headers", "payloadBase64")
                .containsEntry("payloadBase64", "\"AP8K\"");
    }

    @Test
    void a_file_is_created_and_appended_to() throws IOException {
        Path file = directory.resolve("messages.ndjson");
        for (String url : List.of("file:" + file, "file://" + file)) {
            try (Transport transport = Transports.open(url)) {
                assertThat(publish(transport, message("1"), message("2"))).containsOnly(new Outcome.Accepted());
            }
        }

        assertThat(Files.readAllLines(file))
                .hasSize(4)
                .allMatch(line -> Json.problemIn(line).isEmpty());
    }

    @Test
    void a_file_that_cannot_be_written_gives_one_clear_line() {
        for (Path file : List.of(directory, directory.resolve("missing/messages.ndjson"))) {
            assertThatThrownBy(() -> Transports.open("file:" + file))
                    .isInstanceOf(WaybillException.class)
                    .hasMessageStartingWith("The file " + file + " cannot be written: ")
                    .hasMessageNotContaining("\n");
        }
        assertThatThrownBy(() -> Transports.open("file:")).hasMessageContaining("file:messages.ndjson");
    }

    @Test
    void a_disk_that_is_full_is_an_outage() {
        var full = NdjsonTransport.to(new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("No space left on device");
            }
        });

        assertThat(publish(full, message("1"), message("2")))
                .hasSize(2)
                .allSatisfy(outcome -> assertThat(outcome)
                        .isEqualTo(new Outcome.Unavailable("Nothing can be written to the stream: java.io.IOException:"
                                + " No space left on device")));
    }

    @Test
    void after_the_deadline_nothing_is_written() throws IOException {
        Path file = directory.resolve("messages.ndjson");
        try (Transport transport = Transports.open("file:" + file)) {
            assertThat(transport
                            .publisher("relay", WireFormat.PLAIN)
                            .publish(List.of(message("1")), Deadline.when(() -> true)))
                    .containsExactly(new Outcome.NotAttempted());
        }
        assertThat(file).isEmptyFile();
    }

    @Test
    void standard_output_stays_open_for_the_rest_of_the_process() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        ToStandardOutput.class.getName())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), UTF_8);

        assertThat(process.waitFor()).as(said).isZero();
        assertThat(said.lines().toList()).hasSize(2).last().isEqualTo("one message");
        assertThat(said.lines().findFirst().flatMap(Json::problemIn)).isEmpty();
    }

    /** Runs in a process of its own. */
    static final class ToStandardOutput {

        private ToStandardOutput() {}

        public static void main(String[] args) throws IOException {
            try (Transport transport = Transports.open("stdout:")) {
                publish(transport, message("1"));
            }
            try (var out = new FileOutputStream(FileDescriptor.out)) {
                out.write("one message\n".getBytes(UTF_8));
            }
        }
    }

    private String payload(String text) {
        return members(only(written(message(text)))).getOrDefault("payload", "");
    }

    private static Map<String, String> members(String line) {
        return Json.readMembers(line);
    }

    private List<String> written(Envelope... messages) {
        Path file = directory.resolve(UUID.randomUUID() + ".ndjson");
        try (Transport transport = NdjsonTransport.to(file)) {
            assertThat(publish(transport, messages)).containsOnly(new Outcome.Accepted());
            return List.of(Files.readString(file).split("\n"));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<Outcome> publish(Transport transport, Envelope... messages) {
        return transport.publisher("relay", WireFormat.PLAIN).publish(List.of(messages), Deadline.NEVER);
    }

    private static Envelope message(String payload) {
        return new Envelope(ID, Category.EVENT, "Numbered", "orders", "", "", Payload.text(payload), Map.of());
    }

    private static String only(List<String> lines) {
        assertThat(lines).hasSize(1);
        return lines.get(0);
    }
}

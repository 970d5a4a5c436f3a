package io.waybill.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waybill.message.Category;
import io.waybill.message.Envelope;
import io.waybill.message.Payload;
import io.waybill.message.text.Json;
import io.waybill.testkit.contract.transport.PublisherContract;
import io.waybill.testkit.contract.transport.TransportFixture;
import io.waybill.transport.Delivery;
import io.waybill.transport.NdjsonTransport;
import io.waybill.transport.Transport;
import io.waybill.transport.Transports;
import io.waybill.transport.wire.WireFormat;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;

/** What every publisher promises, of lines of JSON. */
class NdjsonPublisherTest {

    @Nested
    class ToAFile extends PublisherContract {

        @TempDir
        private Path directory;

        @Override
        protected TransportFixture<?> fixture() {
            Path file = directory.resolve("messages.ndjson");
            return new Fixture(() -> Transports.open("file:" + file), () -> read(file));
        }

        private static String read(Path file) {
            try {
                return Files.readString(file);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** As {@code stdout:} has one. */
    @Nested
    class ToAStream extends PublisherContract {

        private final ByteArrayOutputStream stream = new ByteArrayOutputStream();

        @Override
        protected TransportFixture<?> fixture() {
            return new Fixture(() -> NdjsonTransport.to(stream), () -> stream.toString(UTF_8));
        }
    }

    private record Fixture(Supplier<Transport> transport, Supplier<String> written)
            implements TransportFixture<Transport> {

        @Override
        public Transport open() {
            return transport.get();
        }

        @Override
        public String newDestination() {
            return "orders";
        }

        @Override
        public List<Delivery> contents(String destination) {
            return written.get()
                    .lines()
                    .map(Json::readMembers)
                    .filter(line -> text(line, "destination").equals(destination))
                    .map(line -> new Delivery(
                            destination, text(line, "partitionKey"), "", WireFormat.PLAIN.write(message(line), "")))
                    .toList();
        }

        private static Envelope message(Map<String, String> line) {
            return new Envelope(
                    UUID.fromString(text(line, "id")),
                    Category.of(text(line, "category")),
                    text(line, "type"),
                    text(line, "destination"),
                    text(line, "key"),
                    text(line, "partitionKey"),
                    payload(line),
                    headers(line));
        }

        private static Payload payload(Map<String, String> line) {
            return line.containsKey("payloadBase64")
                    ? Payload.binary(Base64.getDecoder().decode(text(line, "payloadBase64")))
                    : Payload.text(line.getOrDefault("payload", ""));
        }

        private static Map<String, String> headers(Map<String, String> line) {
            return Json.readMembers(line.getOrDefault("headers", "{}")).entrySet().stream()
                    .collect(Collectors.toMap(Map.Entry::getKey, header -> Json.plain(header.getValue())));
        }

        private static String text(Map<String, String> line, String member) {
            return Json.plain(line.getOrDefault(member, "\"\""));
        }
    }
}

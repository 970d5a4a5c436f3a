package io.waybill.transport;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waybill.WaybillException;
import io.waybill.message.Envelope;
import io.waybill.message.text.Json;
import io.waybill.transport.wire.WireFormat;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Writes one JSON object per line, for people and scripts: {@code id, category, type, destination, key, partitionKey, headers,
 * payload}. A payload that is JSON stands there as it is, other text as a string, bytes as Base64 in {@code payloadBase64}.
 */
public final class NdjsonTransport implements Transport {

    private final String name;
    private final OutputStream out;

    private NdjsonTransport(String name, OutputStream out) {
        this.name = name;
        this.out = out;
    }

    public static NdjsonTransport to(OutputStream out) {
        return new NdjsonTransport("the stream", out);
    }

    /** Appends to the file, and creates it. */
    public static NdjsonTransport to(Path file) {
        try {
            return new NdjsonTransport(
                    file.toString(), Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND));
        } catch (IOException e) {
            throw new WaybillException(
                    "The file " + file + " cannot be written: " + e
                            + ". Its directory has to exist, and to be writable.",
                    e);
        }
    }

    @Override
    public Publisher publisher(String relay, WireFormat format) {
        return this::write;
    }

    /** What was written is written: there is nothing on its way. */
    @Override
    public void fence(String relay) {}

    private synchronized List<Outcome> write(List<Envelope> batch, Deadline deadline) {
        if (deadline.hasPassed()) {
            return Collections.nCopies(batch.size(), new Outcome.NotAttempted());
        }
        var lines = new StringBuilder(512 * batch.size());
        List<Outcome> outcomes = new ArrayList<>(batch.size());
        Set<List<String>> stopped = new HashSet<>();
        for (Envelope message : batch) {
            List<String> key = List.of(message.destination(), message.partitionKey());
            Outcome outcome =
                    message.isOrdered() && stopped.contains(key) ? new Outcome.NotAttempted() : encode(lines, message);
            outcomes.add(outcome);
            if (!(outcome instanceof Outcome.Accepted)) {
                stopped.add(key);
            }
        }
        try {
            out.write(lines.toString().getBytes(UTF_8));
            out.flush();
            return outcomes;
        } catch (IOException e) {
            return Collections.nCopies(
                    batch.size(), new Outcome.Unavailable("Nothing can be written to " + name + ": " + e));
        }
    }

    private static Outcome encode(StringBuilder lines, Envelope message) {
        int before = lines.length();
        try {
            line(lines, message);
            return new Outcome.Accepted();
        } catch (RuntimeException | StackOverflowError | LinkageError e) {
            lines.setLength(before);
            return Outcome.notEncodable(e);
        }
    }

    private static void line(StringBuilder out, Envelope message) {
        member(out.append('{'), "id", message.id().toString());
        member(out.append(','), "category", message.category().label());
        member(out.append(','), "type", message.type());
        member(out.append(','), "destination", message.destination());
        member(out.append(','), "key", message.key());
        member(out.append(','), "partitionKey", message.partitionKey());
        out.append(",\"headers\":")
                .append(message.headers().isEmpty() ? "{}" : Json.writeFlat(message.headers()))
                .append(',');
        payload(out, message);
        out.append("}\n");
    }

    private static void payload(StringBuilder out, Envelope message) {
        if (!message.payload().isText()) {
            member(
                    out,
                    "payloadBase64",
                    Base64.getEncoder().encodeToString(message.payload().asBytes()));
            return;
        }
        String text = message.payload().asText();
        if (Json.problemIn(text).isPresent()) {
            member(out, "payload", text);
        } else {
            // Line breaks are space in JSON, and would end the line here.
            out.append("\"payload\":").append(text.replace('\n', ' ').replace('\r', ' '));
        }
    }

    private static void member(StringBuilder out, String name, String value) {
        out.append('"').append(name).append("\":");
        Json.quote(out, value);
    }

    @Override
    public void close() {
        try {
            out.close();
        } catch (IOException e) {
            throw new WaybillException("What was written to " + name + " may not be complete: " + e, e);
        }
    }

    /** {@code stdout:} and {@code file:PATH}. */
    public static final class Provider implements TransportProvider {

        @Override
        public Set<String> schemes() {
            return Set.of("stdout", "file");
        }

        @Override
        public Transport open(TransportUrl url) {
            url.allowParameters();
            if (url.scheme().equals("stdout")) {
                return new NdjsonTransport("standard output", standardOutput());
            }
            String path = url.hosts().isEmpty() ? url.path() : String.join("", url.hosts()) + "/" + url.path();
            if (path.isBlank()) {
                throw new WaybillException(
                        "file: names no file. Write file:messages.ndjson, or file:/tmp/messages.ndjson.");
            }
            return to(Path.of(path));
        }

        /** Belongs to the process, which may have more to say: it is not closed with the transport. */
        private static OutputStream standardOutput() {
            return new FileOutputStream(FileDescriptor.out) {
                @Override
                public void close() {}
            };
        }
    }
}

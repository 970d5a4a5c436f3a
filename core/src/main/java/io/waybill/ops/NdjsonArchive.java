package io.waybill.ops;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waybill.WaybillException;
import io.waybill.message.Envelope;
import io.waybill.message.text.Json;
import io.waybill.store.admin.Archive;
import io.waybill.store.admin.StoredMessage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A file with one JSON object per message and line, appended to and on disk before the messages are removed.
 *
 * <p>A payload that is not text is kept as {@code payloadBase64}. After a crash the last messages may be in the file twice.
 */
public final class NdjsonArchive implements Archive.Writer, AutoCloseable {

    private final Path file;
    private final FileChannel channel;

    private NdjsonArchive(Path file, FileChannel channel) {
        this.file = file;
        this.channel = channel;
    }

    public static NdjsonArchive open(Path file) {
        try {
            return new NdjsonArchive(
                    file, FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND));
        } catch (IOException e) {
            throw new WaybillException(
                    "Could not open the archive " + file + " for writing: " + e
                            + ". Give a file in a directory that exists and may be written to.",
                    e);
        }
    }

    @Override
    public void write(List<StoredMessage> messages) {
        var lines = new StringBuilder();
        messages.forEach(message -> line(lines, message));
        try {
            ByteBuffer bytes = ByteBuffer.wrap(lines.toString().getBytes(UTF_8));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        } catch (IOException e) {
            throw new WaybillException(
                    "Could not write " + messages.size() + " messages to the archive " + file + ": " + e
                            + ". They were not removed.",
                    e);
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new WaybillException("Could not close the archive " + file + ": " + e, e);
        }
    }

    private static void line(StringBuilder out, StoredMessage message) {
        Envelope envelope = message.envelope();
        out.append('{');
        text(out, "id", envelope.id());
        text(out.append(','), "category", envelope.category().label());
        text(out.append(','), "type", envelope.type());
        text(out.append(','), "destination", envelope.destination());
        text(out.append(','), "key", envelope.key());
        text(out.append(','), "partitionKey", envelope.partitionKey());
        String headers = Json.writeFlat(envelope.headers());
        out.append(",\"headers\":").append(headers.isEmpty() ? "{}" : headers);
        if (envelope.payload().isText()) {
            text(out.append(','), "payload", envelope.payload().asText());
        } else {
            byte[] bytes = envelope.payload().asBytes();
            text(out.append(','), "payloadBase64", Base64.getEncoder().encodeToString(bytes));
        }
        text(out.append(','), "status", message.status());
        text(out.append(','), "error", message.error());
        text(out.append(','), "createdAt", message.createdAt());
        text(out.append(','), "dispatchedAt", message.dispatchedAt());
        out.append("}\n");
    }

    private static void text(StringBuilder out, String name, @Nullable Object value) {
        Json.quote(out, name);
        out.append(':');
        if (value == null) {
            out.append("null");
        } else {
            Json.quote(out, value.toString());
        }
    }
}

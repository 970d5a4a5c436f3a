package io.waybill.jdbc;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waybill.message.Envelope;
import io.waybill.message.Json;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.SQLException;
import java.util.List;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;

/** Messages as rows of a binary COPY, the fastest way into a table of PostgreSQL; the columns are those of {@link Envelopes}. */
final class CopyRows {

    private static final byte[] HEADER = {
        'P', 'G', 'C', 'O', 'P', 'Y', '\n', (byte) 0xFF, '\r', '\n', 0, 0, 0, 0, 0, 0, 0, 0, 0
    };
    private static final int COLUMNS = 9;
    private static final int NULL = -1;
    private static final int END = -1;
    private static final int CHUNK = 1 << 16;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(2 * CHUNK);
    private final DataOutputStream out = new DataOutputStream(bytes);
    private final CopyIn copy;

    private CopyRows(CopyIn copy) {
        this.copy = copy;
    }

    /** Appends all of them, or none. */
    static void append(PGConnection connection, String statement, List<Envelope> messages) throws SQLException {
        CopyIn copy = connection.getCopyAPI().copyIn(statement);
        try {
            new CopyRows(copy).write(messages);
            copy.endCopy();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            if (copy.isActive()) {
                copy.cancelCopy();
            }
        }
    }

    private void write(List<Envelope> messages) throws IOException, SQLException {
        out.write(HEADER);
        for (Envelope message : messages) {
            row(message);
            if (bytes.size() >= CHUNK) {
                flush();
            }
        }
        out.writeShort(END);
        flush();
    }

    private void flush() throws SQLException {
        copy.writeToCopy(bytes.toByteArray(), 0, bytes.size());
        bytes.reset();
    }

    private void row(Envelope message) throws IOException {
        boolean text = message.payload().isText();
        out.writeShort(COLUMNS);
        out.writeInt(2 * Long.BYTES);
        out.writeLong(message.id().getMostSignificantBits());
        out.writeLong(message.id().getLeastSignificantBits());
        field(message.category().label());
        field(message.type());
        field(message.key());
        field(message.partitionKey());
        field(text ? message.payload().asText() : "");
        if (text) {
            out.writeInt(NULL);
        } else {
            field(message.payload().asBytes());
        }
        field(Json.writeFlat(message.headers()));
        field(message.destination());
    }

    private void field(String value) throws IOException {
        field(value.getBytes(UTF_8));
    }

    private void field(byte[] value) throws IOException {
        out.writeInt(value.length);
        out.write(value);
    }
}

package io.waybill.jdbc.internal.sql;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waybill.message.Envelope;
import io.waybill.message.text.Json;
import java.nio.ByteBuffer;
import java.sql.SQLException;
import java.util.List;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;

/** Messages as rows of a binary COPY, the fastest way into a table of PostgreSQL; the columns are those of {@link Envelopes}. */
public final class CopyRows {

    private static final byte[] HEADER = {
        'P', 'G', 'C', 'O', 'P', 'Y', '\n', (byte) 0xFF, '\r', '\n', 0, 0, 0, 0, 0, 0, 0, 0, 0
    };
    private static final int COLUMNS = 9;
    private static final int NULL = -1;
    private static final int END = -1;
    private static final int CHUNK = 1 << 16;

    private final CopyIn copy;
    private ByteBuffer buffer = ByteBuffer.allocate(CHUNK);

    private CopyRows(CopyIn copy) {
        this.copy = copy;
    }

    /** Appends all of them, or none. */
    public static void append(PGConnection connection, String statement, List<Envelope> messages) throws SQLException {
        CopyIn copy = connection.getCopyAPI().copyIn(statement);
        try {
            new CopyRows(copy).write(messages);
            copy.endCopy();
        } finally {
            if (copy.isActive()) {
                copy.cancelCopy();
            }
        }
    }

    private void write(List<Envelope> messages) throws SQLException {
        buffer.put(HEADER);
        for (Envelope message : messages) {
            row(message);
        }
        withRoomFor(Short.BYTES).putShort((short) END);
        flush();
    }

    private void row(Envelope message) throws SQLException {
        boolean text = message.payload().isText();
        withRoomFor(Short.BYTES + Integer.BYTES + 2 * Long.BYTES)
                .putShort((short) COLUMNS)
                .putInt(2 * Long.BYTES)
                .putLong(message.id().getMostSignificantBits())
                .putLong(message.id().getLeastSignificantBits());
        field(message.category().label());
        field(message.type());
        field(message.key());
        field(message.partitionKey());
        field(text ? message.payload().asText() : "");
        if (text) {
            withRoomFor(Integer.BYTES).putInt(NULL);
        } else {
            field(message.payload().asBytes());
        }
        field(Json.writeFlat(message.headers()));
        field(message.destination());
    }

    private void field(String value) throws SQLException {
        field(value.getBytes(UTF_8));
    }

    private void field(byte[] value) throws SQLException {
        withRoomFor(Integer.BYTES + value.length).putInt(value.length).put(value);
    }

    private ByteBuffer withRoomFor(int bytes) throws SQLException {
        if (buffer.remaining() < bytes) {
            flush();
            buffer = buffer.capacity() < bytes ? ByteBuffer.allocate(bytes) : buffer;
        }
        return buffer;
    }

    private void flush() throws SQLException {
        copy.writeToCopy(buffer.array(), 0, buffer.position());
        buffer.clear();
    }
}

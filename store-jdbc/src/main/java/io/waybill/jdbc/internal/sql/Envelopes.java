package io.waybill.jdbc.internal.sql;

import io.waybill.message.Category;
import io.waybill.message.Envelope;
import io.waybill.message.Payload;
import io.waybill.message.text.Json;
import io.waybill.store.outbox.ClaimedMessage;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A message as columns: outbox_id, category, type, message_key, partition_key, payload, payload_binary, headers, destination. */
public final class Envelopes {

    /** The headers of a row {@code o}, or what is none where they are larger than a message may have. */
    public static final String HEADERS =
            "CASE WHEN octet_length(o.headers) > " + ClaimedMessage.MAX_HEADERS + " THEN '-' ELSE o.headers END";

    private static final Payload NO_PAYLOAD = Payload.text("");

    private Envelopes() {}

    /** The message in the columns from {@code at} on; something can be read of it, even of a row written by hand. */
    public static Reading read(ResultSet row, int at) throws SQLException {
        return read(row, at, row.getString(at + 8));
    }

    /** The same without the last column: the destination is known. A category, key or headers that are left out are the usual ones. */
    public static Reading read(ResultSet row, int at, String destination) throws SQLException {
        @Nullable Payload payload = payload(row, at + 5);
        try {
            @Nullable String category = row.getString(at + 1);
            Map<String, String> headers = Json.readFlat(orEmpty(row.getString(at + 7)));
            return new Reading(
                    read(
                            row,
                            at,
                            destination,
                            category == null ? Category.EVENT : Category.of(category),
                            payload,
                            headers),
                    "",
                    payload != null);
        } catch (RuntimeException | StackOverflowError | LinkageError e) {
            return new Reading(
                    read(row, at, destination, Category.EVENT, payload, Map.of()),
                    ClaimedMessage.unreadable(e),
                    payload != null);
        }
    }

    private static Envelope read(
            ResultSet row,
            int at,
            String destination,
            Category category,
            @Nullable Payload payload,
            Map<String, String> headers)
            throws SQLException {
        return new Envelope(
                row.getObject(at, UUID.class),
                category,
                row.getString(at + 2),
                destination,
                orEmpty(row.getString(at + 3)),
                row.getString(at + 4),
                payload == null ? NO_PAYLOAD : payload,
                headers);
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }

    /** The payload in the columns payload and payload_binary; null when the statement left it out. */
    static @Nullable public Payload payload(ResultSet row, int at) throws SQLException {
        byte[] binary = row.getBytes(at + 1);
        if (binary != null) {
            return Payload.binary(binary);
        }
        String text = row.getString(at);
        return text == null ? null : Payload.text(text);
    }

    /** Sets the columns of a message from {@code at} on; returns the next parameter. */
    public static int bind(PreparedStatement statement, int at, Envelope message) throws SQLException {
        statement.setObject(at++, message.id());
        statement.setString(at++, message.category().label());
        statement.setString(at++, message.type());
        statement.setString(at++, message.key());
        statement.setString(at++, message.partitionKey());
        at = bindBody(statement, at, message);
        statement.setString(at++, message.destination());
        return at;
    }

    /** Sets payload, payload_binary and headers from {@code at} on; returns the next parameter. */
    public static int bindBody(PreparedStatement statement, int at, Envelope message) throws SQLException {
        boolean text = message.payload().isText();
        statement.setString(at++, text ? message.payload().asText() : "");
        statement.setBytes(at++, text ? null : message.payload().asBytes());
        statement.setString(at++, Json.writeFlat(message.headers()));
        return at;
    }

    /**
     * A message.
     *
     * @param problem why its category or its headers could not be read and are missing; empty when they were read
     * @param withPayload false when the statement left the payload out
     */
    public record Reading(Envelope envelope, String problem, boolean withPayload) {}
}

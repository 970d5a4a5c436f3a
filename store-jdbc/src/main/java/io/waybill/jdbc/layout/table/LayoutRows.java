package io.waybill.jdbc.layout.table;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waybill.jdbc.ops.MessengerHeaders;
import io.waybill.message.Category;
import io.waybill.message.Envelope;
import io.waybill.message.Payload;
import io.waybill.store.outbox.ClaimedMessage;
import io.waybill.store.outbox.ClaimedMessage.State;
import io.waybill.store.outbox.OutboxStore;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A row of an adopted table as a message. */
public final class LayoutRows {

    private static final Pattern UUID_TEXT =
            Pattern.compile("[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}");
    private static final Payload NO_PAYLOAD = Payload.text("");

    private final Layout layout;
    private final boolean binary;
    private final UUID source;

    /** @param source tells this table from all others, so that two of them never give one id to two messages */
    public LayoutRows(Layout layout, boolean binary, UUID source) {
        this.layout = layout;
        this.binary = binary;
        this.source = source;
    }

    /**
     * A row.
     *
     * @param length how many bytes its payload has
     * @param withPayload false when it is so large that it was left out
     */
    public record Row(ClaimedMessage message, long length, boolean withPayload) {

        public Row tooLarge(long maxPayload) {
            return new Row(message.withProblem(ClaimedMessage.tooLarge(length, maxPayload)), 0, true);
        }

        public Row with(Payload payload) {
            Envelope e = message.envelope();
            var complete = new Envelope(
                    e.id(), e.category(), e.type(), e.destination(), e.key(), e.partitionKey(), payload, e.headers());
            return new Row(
                    new ClaimedMessage(
                            message.position(),
                            message.shard(),
                            message.attempts(),
                            message.state(),
                            message.problem(),
                            message.place(),
                            complete),
                    length,
                    true);
        }
    }

    /** The share of a destination: that of its name, because a foreign table has no column for it. */
    public static int shard(String destination) {
        return Math.floorMod(destination.hashCode(), OutboxStore.SHARDS);
    }

    /** The row under the cursor, with the columns of {@link LayoutSql}. */
    public Row read(ResultSet row, State state) throws SQLException {
        String id = row.getString(1);
        String destination = text(row, 3);
        @Nullable Payload payload = payload(row, 7);
        int attempts = row.getInt(11);
        if (row.wasNull()) {
            attempts = row.getInt(10);
        }
        Payload whole = payload == null ? NO_PAYLOAD : payload;
        String problem = "";
        Envelope envelope;
        try {
            envelope = envelope(id, destination, row, whole, MessengerHeaders.read(text(row, 9)));
        } catch (RuntimeException | StackOverflowError | LinkageError e) {
            problem = ClaimedMessage.unreadable(e);
            envelope = new Envelope(
                    id(id), Category.EVENT, text(row, 4), destination, text(row, 5), text(row, 6), whole, Map.of());
        }
        return new Row(
                new ClaimedMessage(row.getLong(2), shard(destination), attempts, state, problem, id, envelope),
                row.getLong(8),
                payload != null || row.getObject(8) == null);
    }

    private Envelope envelope(String id, String destination, ResultSet row, Payload payload, MessengerHeaders headers)
            throws SQLException {
        String type = text(row, 4);
        UUID messageId = id(id);
        Map<String, String> sent = headers.all();
        if (layout.reading() == Layout.Reading.MESSENGER) {
            sent = sent(headers);
            type = sent.getOrDefault("type", "");
            messageId = headers.id().orElse(messageId);
        }
        return new Envelope(messageId, Category.EVENT, type, destination, text(row, 5), text(row, 6), payload, sent);
    }

    /** The key orders messages in the table and means nothing behind it; consumers know a message by its name, not by its class. */
    private Map<String, String> sent(MessengerHeaders headers) {
        Map<String, String> sent = headers.without("PartitionKeyStamp");
        String type = headers.all().getOrDefault("type", "");
        String stamped = headers.stampedName();
        String name = stamped.isEmpty() ? layout.types().getOrDefault(type, type) : stamped;
        if (!name.isEmpty()) {
            sent.put("type", name);
        }
        return sent;
    }

    @Nullable
    public Payload payload(ResultSet row, int at) throws SQLException {
        if (binary) {
            byte[] bytes = row.getBytes(at);
            return bytes == null ? null : Payload.received("", bytes);
        }
        String text = row.getString(at);
        return text == null ? null : Payload.text(text);
    }

    private static String text(ResultSet row, int at) throws SQLException {
        String text = row.getString(at);
        return text == null ? "" : text;
    }

    /** The row's own id where it is a UUID; else one that is made of it and always the same. */
    public UUID id(String id) {
        if (UUID_TEXT.matcher(id.strip()).matches()) {
            return UUID.fromString(id.strip());
        }
        if (id.length() == 32 && id.matches("[0-9a-f]{32}")) {
            byte[] bytes = HexFormat.of().parseHex(id);
            var buffer = java.nio.ByteBuffer.wrap(bytes);
            return new UUID(buffer.getLong(), buffer.getLong());
        }
        return UUID.nameUUIDFromBytes((source + "/" + id).getBytes(UTF_8));
    }
}

package io.waybill.jdbc.internal.outbox;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.toSet;

import io.waybill.jdbc.internal.sql.Envelopes;
import io.waybill.jdbc.sql.Jdbc;
import io.waybill.jdbc.sql.Placeholders;
import io.waybill.message.Envelope;
import io.waybill.message.Payload;
import io.waybill.store.outbox.Claim;
import io.waybill.store.outbox.ClaimedMessage;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.UnaryOperator;

/**
 * Keeps one claim within its bytes. A payload travels with its row when it is so small that all rows together cannot exceed the
 * limit; the others are left out of the rows, and fetched afterwards as far as they fit. So no result is larger than the limit,
 * except for a single message that is; and a payload that is larger than a message may have is not fetched at all.
 */
final class ClaimedPayloads {

    private static final String SIZES = """
            SELECT outbox_id, octet_length(payload) + COALESCE(octet_length(payload_binary), 0)
              FROM ${prefix}outbox WHERE outbox_id IN (${ids})
            """;
    private static final String PAYLOADS = """
            SELECT outbox_id, payload, payload_binary FROM ${prefix}outbox WHERE outbox_id IN (${ids})
            """;

    private final long maxBytes;
    private final long maxPayload;
    private final long smallest;
    private final Set<UUID> leftOut = new HashSet<>();

    ClaimedPayloads(long maxBytes, long maxPayload, long rows) {
        this.maxBytes = maxBytes;
        this.maxPayload = maxPayload;
        // A power of two, so that there are few different statements.
        this.smallest =
                Long.highestOneBit(Math.min(Integer.MAX_VALUE, Math.max(1, Math.min(maxPayload, maxBytes / rows))));
    }

    /** How many bytes travel with their row: {@code ${inline}} in statements. */
    String inline() {
        return Long.toString(smallest);
    }

    /** The payload of this message was not in its row. */
    void leaveOut(UUID message) {
        leftOut.add(message);
    }

    /** The rows with all their payloads, in the same order, as many as fit. A row that has gone meanwhile is left out. */
    Claim complete(List<ClaimedMessage> rows, Connection connection, UnaryOperator<String> sql) throws SQLException {
        if (leftOut.isEmpty()) {
            return Claim.upTo(maxBytes, rows, ClaimedMessage::bytes);
        }
        Map<UUID, Long> sizes = byId(connection, sql.apply(SIZES), leftOut, row -> row.getLong(2));
        Map<UUID, Long> tooLarge = new HashMap<>(sizes);
        tooLarge.values().removeIf(size -> size <= maxPayload);
        Claim claim = Claim.upTo(
                maxBytes, rows, row -> tooLarge.containsKey(id(row)) ? 0 : sizes.getOrDefault(id(row), row.bytes()));
        Set<UUID> wanted = claim.messages().stream().map(ClaimedPayloads::id).collect(toSet());
        wanted.retainAll(leftOut);
        wanted.removeAll(tooLarge.keySet());
        Map<UUID, Payload> payloads = wanted.isEmpty()
                ? Map.of()
                : byId(connection, sql.apply(PAYLOADS), wanted, row -> requireNonNull(Envelopes.payload(row, 2)));
        List<ClaimedMessage> complete = claim.messages().stream()
                .filter(row -> !wanted.contains(id(row)) || payloads.containsKey(id(row)))
                .map(row -> {
                    Long size = tooLarge.get(id(row));
                    return size != null
                            ? row.withProblem(ClaimedMessage.tooLarge(size, maxPayload))
                            : with(
                                    row,
                                    payloads.getOrDefault(
                                            id(row), row.envelope().payload()));
                })
                .toList();
        return new Claim(complete, claim.cut());
    }

    private static <T> Map<UUID, T> byId(Connection connection, String sql, Set<UUID> ids, Jdbc.Reader<T> value)
            throws SQLException {
        Map<UUID, T> found = new HashMap<>();
        Jdbc.query(
                connection,
                sql.replace("${ids}", Placeholders.of(ids)),
                statement -> Placeholders.bind(statement, 1, ids),
                row -> found.put(row.getObject(1, UUID.class), value.read(row)));
        return found;
    }

    private static UUID id(ClaimedMessage row) {
        return row.envelope().id();
    }

    private static ClaimedMessage with(ClaimedMessage row, Payload payload) {
        Envelope message = row.envelope();
        return new ClaimedMessage(
                row.position(),
                row.shard(),
                row.attempts(),
                row.state(),
                row.problem(),
                row.place(),
                new Envelope(
                        message.id(),
                        message.category(),
                        message.type(),
                        message.destination(),
                        message.key(),
                        message.partitionKey(),
                        payload,
                        message.headers()));
    }
}

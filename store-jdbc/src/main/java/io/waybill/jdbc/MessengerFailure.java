package io.waybill.jdbc;

import io.waybill.message.Category;
import io.waybill.message.Envelope;
import io.waybill.message.Json;
import io.waybill.message.Payload;
import io.waybill.store.FailedMessage;
import io.waybill.store.Failure;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/**
 * A failed message as a row of Symfony Messenger's table. What PHP's commands show travels in Symfony's own stamps; what only we know in
 * a header of our own.
 */
final class MessengerFailure {

    private static final String OURS = "X-Waybill-Failure";
    private static final String SYMFONY = "X-Message-Stamp-Symfony\\Component\\Messenger\\Stamp\\";
    private static final String SENT_TO_FAILURE = "SentToFailureTransportStamp";
    private static final String ERROR = "ErrorDetailsStamp";
    private static final String REDELIVERY = "RedeliveryStamp";

    private MessengerFailure() {}

    static String body(Payload payload) {
        return payload.isText() ? payload.asText() : Base64.getEncoder().encodeToString(payload.asBytes());
    }

    static String headers(FailedMessage failed) {
        Envelope message = failed.message();
        Failure.Cause cause = failed.cause();
        Map<String, String> headers = new LinkedHashMap<>(message.headers());
        headers.put("type", message.type());
        headers.put(SYMFONY + SENT_TO_FAILURE, list(Map.of("originalReceiverName", message.destination())));
        headers.put(SYMFONY + ERROR, list(Map.of("exceptionClass", cause.kind(), "exceptionMessage", cause.error())));
        headers.put(
                SYMFONY + REDELIVERY,
                "[{\"retryCount\":" + failed.attempts() + ",\"redeliveredAt\":\"" + failed.lastFailedAt() + "\"}]");
        Map<String, String> ours = new LinkedHashMap<>();
        ours.put("id", message.id().toString());
        ours.put("handler", failed.handler());
        ours.put("category", message.category().name());
        ours.put("key", message.key());
        ours.put("partitionKey", message.partitionKey());
        ours.put("binary", String.valueOf(!message.payload().isText()));
        ours.put("stack", cause.stack());
        ours.put("fingerprint", cause.fingerprint());
        ours.put("firstFailedAt", failed.firstFailedAt().toString());
        headers.put(OURS, Json.writeFlat(ours));
        return Json.writeFlat(headers);
    }

    private static String list(Map<String, String> members) {
        return "[" + Json.writeFlat(members) + "]";
    }

    /** The row, whoever wrote it. */
    static FailedMessage read(long id, String body, String json, Instant failedAt) {
        MessengerHeaders headers = MessengerHeaders.read(json);
        Map<String, String> ours = Json.readFlat(headers.all().getOrDefault(OURS, "{}"));
        Map<String, String> sent = headers.without(SENT_TO_FAILURE, ERROR, REDELIVERY);
        sent.remove(OURS);
        sent.remove("type");
        String kind = headers.last(ERROR, "exceptionClass");
        String error = headers.last(ERROR, "exceptionMessage");
        String attempts = headers.last(REDELIVERY, "retryCount");
        boolean binary = Boolean.parseBoolean(ours.get("binary"));
        var message = new Envelope(
                ours.containsKey("id")
                        ? UUID.fromString(ours.get("id"))
                        : headers.id().orElseGet(() -> made(id)),
                Category.valueOf(ours.getOrDefault("category", Category.EVENT.name())),
                headers.name(),
                headers.last(SENT_TO_FAILURE, "originalReceiverName"),
                ours.getOrDefault("key", ""),
                ours.getOrDefault("partitionKey", ""),
                binary ? Payload.binary(Base64.getDecoder().decode(body)) : Payload.text(body),
                sent);
        return new FailedMessage(
                id,
                ours.getOrDefault("handler", ""),
                message,
                attempts.isEmpty() ? 1 : Integer.parseInt(attempts),
                new Failure.Cause(
                        kind, error, ours.getOrDefault("stack", ""), ours.getOrDefault("fingerprint", made(kind))),
                ours.containsKey("firstFailedAt") ? Instant.parse(ours.get("firstFailedAt")) : failedAt,
                failedAt);
    }

    /** PHP gives no group to what failed: what has the same class of error is one. */
    private static String made(String kind) {
        return HexFormat.of()
                .toHexDigits(UUID.nameUUIDFromBytes(kind.getBytes(StandardCharsets.UTF_8))
                        .getMostSignificantBits());
    }

    private static UUID made(long id) {
        return UUID.nameUUIDFromBytes(("messenger_messages/" + id).getBytes(StandardCharsets.UTF_8));
    }
}

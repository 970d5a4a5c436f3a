package io.waybill.jdbc.internal.failed;

import io.waybill.jdbc.ops.MessengerHeaders;
import io.waybill.message.Category;
import io.waybill.message.Envelope;
import io.waybill.message.Payload;
import io.waybill.message.text.Json;
import io.waybill.store.AttemptLog;
import io.waybill.store.failed.FailedMessage;
import io.waybill.store.failed.Failure;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
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
        return isPlain(payload) ? payload.asText() : Base64.getEncoder().encodeToString(payload.asBytes());
    }

    /** PostgreSQL has no U+0000 in text. */
    private static boolean isPlain(Payload payload) {
        return payload.isText() && payload.asText().indexOf('\0') < 0;
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
        ours.put("binary", String.valueOf(!isPlain(message.payload())));
        ours.put("text", String.valueOf(message.payload().isText()));
        ours.put("stack", cause.stack());
        ours.put("fingerprint", cause.fingerprint());
        ours.put("firstFailedAt", failed.firstFailedAt().toString());
        if (failed.parksKey()) {
            ours.put("parksKey", "true");
        }
        if (failed.retry() != null) {
            ours.put("retry", failed.retry().toString());
        }
        if (failed.retries() > 0) {
            ours.put("retries", String.valueOf(failed.retries()));
        }
        if (!failed.attemptLog().text().isEmpty()) {
            ours.put("attempts", failed.attemptLog().text());
        }
        headers.put(OURS, Json.writeFlat(ours));
        return Json.writeFlat(headers);
    }

    private static String list(Map<String, String> members) {
        return "[" + Json.writeFlat(members) + "]";
    }

    /** Whether Waybill wrote the row; else PHP did, whose handlers alone know what to do with it. */
    static boolean isOurs(MessengerHeaders headers) {
        return headers.all().containsKey(OURS);
    }

    /** The row, written by PHP or by Waybill. */
    static FailedMessage read(long id, String body, String json, Instant failedAt) {
        MessengerHeaders headers = headers(json);
        if (isOurs(headers)) {
            return ours(id, body, headers, failedAt);
        }
        Optional<PhpEnvelope> php = headers.all().containsKey("type") ? Optional.empty() : PhpEnvelope.in(body);
        var envelope = php.orElseGet(() -> envelope(headers));
        Map<String, String> sent = shown(headers);
        var message = new Envelope(
                headers.id().orElseGet(() -> made(id)),
                Category.EVENT,
                envelope.type(),
                envelope.origin(),
                "",
                "",
                Payload.text(body),
                sent);
        return new FailedMessage(
                id,
                "",
                message,
                envelope.attempts(),
                new Failure.Cause(envelope.errorClass(), envelope.error(), "", made(envelope.errorClass())),
                failedAt,
                failedAt);
    }

    /** Headers of a row that nobody can read are none: a list must show the row all the same. */
    private static MessengerHeaders headers(String json) {
        try {
            return MessengerHeaders.read(json);
        } catch (IllegalArgumentException e) {
            return new MessengerHeaders(Map.of());
        }
    }

    /** What the stamps among the headers of a row of PHP say. */
    private static PhpEnvelope envelope(MessengerHeaders headers) {
        try {
            return new PhpEnvelope(
                    headers.name(),
                    headers.last(SENT_TO_FAILURE, "originalReceiverName"),
                    headers.last(ERROR, "exceptionClass"),
                    headers.last(ERROR, "exceptionMessage"),
                    1
                            + headers.values(REDELIVERY, "retryCount").stream()
                                    .filter(count -> count.matches("\\d{1,9}"))
                                    .mapToInt(Integer::parseInt)
                                    .max()
                                    .orElse(0));
        } catch (IllegalArgumentException e) {
            return new PhpEnvelope(headers.all().getOrDefault("type", ""), "", "", "", 1);
        }
    }

    /** The headers of a row of PHP without the stamps of its failure, which a message that is sent anew must not have. */
    static Map<String, String> shown(MessengerHeaders headers) {
        return headers.without(SENT_TO_FAILURE, ERROR, REDELIVERY);
    }

    /** The headers of a row of PHP with the changes that somebody made to those that were {@link #shown}. */
    static String edited(String json, Map<String, String> changed) {
        MessengerHeaders headers = headers(json);
        Map<String, String> before = shown(headers);
        if (before.equals(changed)) {
            return json;
        }
        Map<String, String> after = new LinkedHashMap<>(headers.all());
        before.keySet().stream()
                .filter(name -> !changed.containsKey(name))
                .forEach(name -> after.remove(spelled(headers, name)));
        changed.forEach((name, value) -> {
            if (!value.equals(before.get(name))) {
                after.put(spelled(headers, name), value);
            }
        });
        return Json.writeFlat(after);
    }

    private static String spelled(MessengerHeaders headers, String name) {
        return name.equals("content-type") && headers.all().containsKey("Content-Type") ? "Content-Type" : name;
    }

    private static FailedMessage ours(long id, String body, MessengerHeaders headers, Instant failedAt) {
        Map<String, String> ours = Json.readFlat(headers.all().getOrDefault(OURS, "{}"));
        Map<String, String> sent = shown(headers);
        sent.remove(OURS);
        sent.remove("type");
        String kind = headers.last(ERROR, "exceptionClass");
        String attempts = headers.last(REDELIVERY, "retryCount");
        var message = new Envelope(
                UUID.fromString(ours.getOrDefault("id", made(id).toString())),
                Category.valueOf(ours.getOrDefault("category", Category.EVENT.name())),
                headers.name(),
                headers.last(SENT_TO_FAILURE, "originalReceiverName"),
                ours.getOrDefault("key", ""),
                ours.getOrDefault("partitionKey", ""),
                payload(body, ours),
                sent);
        return new FailedMessage(
                id,
                ours.getOrDefault("handler", ""),
                message,
                attempts.isEmpty() ? 1 : Integer.parseInt(attempts),
                new Failure.Cause(
                        kind,
                        headers.last(ERROR, "exceptionMessage"),
                        ours.getOrDefault("stack", ""),
                        ours.getOrDefault("fingerprint", made(kind))),
                ours.containsKey("firstFailedAt") ? Instant.parse(ours.get("firstFailedAt")) : failedAt,
                failedAt,
                Boolean.parseBoolean(ours.get("parksKey")),
                ours.containsKey("retry") ? UUID.fromString(ours.get("retry")) : null,
                Integer.parseInt(ours.getOrDefault("retries", "0")),
                AttemptLog.of(ours.get("attempts")));
    }

    private static Payload payload(String body, Map<String, String> ours) {
        if (!Boolean.parseBoolean(ours.get("binary"))) {
            return Payload.text(body);
        }
        Payload bytes = Payload.binary(Base64.getDecoder().decode(body));
        return Boolean.parseBoolean(ours.get("text")) ? Payload.text(bytes.asText()) : bytes;
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

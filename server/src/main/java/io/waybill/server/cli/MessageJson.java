package io.waybill.server.cli;

import static java.util.stream.Collectors.joining;

import io.waybill.message.Envelope;
import io.waybill.ops.FailedEntry;
import io.waybill.store.AttemptLog;
import io.waybill.store.admin.StoredMessage;
import io.waybill.store.failed.FailedMessage;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A message and what is known about it as one line of JSON. */
public final class MessageJson {

    private MessageJson() {}

    public static String of(FailedEntry entry) {
        FailedMessage message = entry.message();
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("failedId", entry.isInOutbox() ? null : message.id());
        members.put("state", entry.state().word());
        members.put("nextAttempt", entry.nextAttempt());
        members.put("group", message.cause().fingerprint());
        members.put("handler", message.handler());
        members.put("source", message.source());
        members.put("attempts", message.attempts());
        members.put("firstFailedAt", message.firstFailedAt());
        members.put("lastFailedAt", message.lastFailedAt());
        members.put("parksKey", message.parksKey());
        members.put("onItsWay", message.isOnItsWay());
        members.put("error", message.cause().label());
        members.put("stack", message.cause().stack());
        members.put("retries", message.retries());
        return line(members, message.message(), message.attemptLog());
    }

    public static String of(StoredMessage message) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("position", message.position());
        members.put("status", message.status());
        members.put("destination", message.envelope().destination());
        members.put("attempts", message.attempts());
        members.put("error", message.error());
        members.put("availableAt", message.availableAt());
        members.put("createdAt", message.createdAt());
        members.put("dispatchedAt", message.dispatchedAt());
        members.put("retries", message.retries());
        return line(members, message.envelope(), message.attemptLog());
    }

    private static String line(Map<String, @Nullable Object> members, Envelope envelope, AttemptLog attempts) {
        members.put("id", envelope.id());
        members.put("category", envelope.category().label());
        members.put("type", envelope.type());
        members.put("key", envelope.key());
        members.put("partitionKey", envelope.partitionKey());
        if (envelope.payload().isText()) {
            members.put("payload", envelope.payload().asText());
        } else {
            members.put(
                    "payloadBase64",
                    Base64.getEncoder().encodeToString(envelope.payload().asBytes()));
        }
        String flat = Listing.object(members);
        return flat.substring(0, flat.length() - 1) + ",\"headers\":" + Listing.object(envelope.headers())
                + ",\"attemptLog\":"
                + attempts.entries().stream().map(MessageJson::attempt).collect(joining(",", "[", "]"))
                + "}";
    }

    private static String attempt(AttemptLog.Entry entry) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("at", entry.at());
        members.put("kind", entry.kind().word());
        members.put("text", entry.text());
        return Listing.object(members);
    }
}

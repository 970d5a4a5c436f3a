package io.waybill.server;

import io.waybill.message.Envelope;
import io.waybill.store.FailedMessage;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;

/** A failed message as one line of JSON. */
final class FailedJson {

    private FailedJson() {}

    static String line(FailedMessage message) {
        Envelope envelope = message.message();
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("failedId", message.id());
        members.put("group", message.cause().fingerprint());
        members.put("handler", message.handler());
        members.put("source", message.source());
        members.put("id", envelope.id());
        members.put("category", envelope.category().label());
        members.put("type", envelope.type());
        members.put("key", envelope.key());
        members.put("partitionKey", envelope.partitionKey());
        members.put("attempts", message.attempts());
        members.put("firstFailedAt", message.firstFailedAt());
        members.put("lastFailedAt", message.lastFailedAt());
        members.put("error", message.cause().kind() + ": " + message.cause().error());
        members.put("stack", message.cause().stack());
        if (envelope.payload().isText()) {
            members.put("payload", envelope.payload().asText());
        } else {
            members.put(
                    "payloadBase64",
                    Base64.getEncoder().encodeToString(envelope.payload().asBytes()));
        }
        String flat = Answer.object(members);
        return flat.substring(0, flat.length() - 1) + ",\"headers\":" + Answer.object(envelope.headers()) + "}";
    }
}

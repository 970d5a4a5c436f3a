package io.waybill.transport;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waybill.WaybillException;
import io.waybill.message.Category;
import io.waybill.message.Envelope;
import io.waybill.message.NamedId;
import io.waybill.message.Payload;
import io.waybill.message.UuidV7;
import io.waybill.message.text.Json;
import io.waybill.transport.wire.CloudEvents;
import io.waybill.transport.wire.Headers;
import io.waybill.transport.wire.WireMessage;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Reads what came from a broker, in whichever format it was written and by whomever.
 *
 * <p>An id that is no UUID becomes one that is always the same for it, its source and the topic or queue; a message without any id takes
 * one that is made of its position and body, so that it is recognised when it is delivered again; where there is no position either, it
 * cannot be recognised and gets a new one.
 */
public final class WireReader {

    private static final List<String> PREFIXES = List.of("ce_", "ce-", "cloudEvents:", "cloudEvents_");

    private WireReader() {}

    /** The message, or an error that says what cannot be read. */
    public static Envelope read(Delivery delivery) {
        WireMessage wire = delivery.message();
        if (wire.header(Headers.CONTENT_TYPE).startsWith(CloudEvents.JSON)) {
            return structured(delivery);
        }
        Optional<String> prefix = prefixOf(wire);
        return prefix.isPresent() ? binary(delivery, prefix.get()) : plain(delivery);
    }

    private static Optional<String> prefixOf(WireMessage wire) {
        return PREFIXES.stream()
                .filter(candidate -> wire.headers().containsKey(candidate + CloudEvents.ID))
                .findFirst();
    }

    /** What cannot be read, as it came: its bytes and headers, under the id by which it is recognised when it comes again. */
    public static Envelope unread(Delivery delivery) {
        WireMessage wire = delivery.message();
        return envelope(
                delivery,
                prefixOf(wire)
                        .map(prefix -> NamedId.of(
                                        delivery.source(),
                                        wire.header(prefix + CloudEvents.SOURCE),
                                        wire.header(prefix + CloudEvents.ID))
                                .toString())
                        .orElseGet(() -> wire.header(Headers.MESSAGE_ID)),
                "",
                wire.header(Headers.MESSAGE_TYPE),
                delivery.key(),
                Payload.binary(wire.body()),
                wire.headers());
    }

    private static Envelope plain(Delivery delivery) {
        var headers = new HashMap<>(delivery.message().headers());
        String id = taken(headers, Headers.MESSAGE_ID);
        String type = taken(headers, Headers.MESSAGE_TYPE);
        String category = taken(headers, Headers.MESSAGE_CATEGORY);
        String sent = taken(headers, Headers.PARTITION_KEY);
        String partitionKey = sent.isEmpty() ? delivery.key() : sent;
        return envelope(delivery, id, category, type, partitionKey, body(delivery, headers), headers);
    }

    private static Envelope binary(Delivery delivery, String prefix) {
        var headers = new HashMap<String, String>();
        var attributes = new HashMap<String, String>();
        delivery.message().headers().forEach((name, value) -> {
            if (name.startsWith(prefix)) {
                attributes.put(name.substring(prefix.length()), value);
            } else {
                headers.put(name, value);
            }
        });
        return event(delivery, attributes, headers, body(delivery, headers));
    }

    private static Envelope structured(Delivery delivery) {
        Map<String, String> members;
        try {
            members = Json.readMembers(new String(delivery.message().body(), UTF_8));
        } catch (IllegalArgumentException e) {
            throw new WaybillException(
                    "The message " + where(delivery) + " says it is " + CloudEvents.JSON + ": " + e.getMessage(), e);
        }
        var attributes = new HashMap<String, String>();
        members.forEach((name, value) -> attributes.put(name, Json.plain(value)));
        var headers = new HashMap<>(delivery.message().headers());
        String contentType = attributes.getOrDefault(CloudEvents.DATA_CONTENT_TYPE, "application/json");
        headers.put(Headers.CONTENT_TYPE, contentType);
        return event(delivery, attributes, headers, data(contentType, members));
    }

    private static Payload data(String contentType, Map<String, String> members) {
        String base64 = members.get(CloudEvents.DATA_BASE64);
        if (base64 != null) {
            return Payload.binary(Base64.getDecoder().decode(Json.plain(base64)));
        }
        String data = members.getOrDefault(CloudEvents.DATA, "");
        return Payload.text(Envelope.isJson(contentType) ? data : Json.plain(data));
    }

    private static Envelope event(
            Delivery delivery, Map<String, String> attributes, Map<String, String> headers, Payload payload) {
        headers.remove(Headers.MESSAGE_ID); // The protocol's own, where it has one; the event's counts.
        String source = attributes.getOrDefault(CloudEvents.SOURCE, "");
        if (!source.isEmpty() && !source.equals(CloudEvents.DEFAULT_SOURCE)) {
            headers.put(Headers.SOURCE, source);
        }
        CloudEvents.EXTENSIONS.forEach((header, attribute) -> {
            String value = attributes.get(attribute);
            if (value != null) {
                headers.put(header, value);
            }
        });
        return envelope(
                delivery,
                attributes.getOrDefault(CloudEvents.ID, ""),
                attributes.getOrDefault(CloudEvents.CATEGORY, ""),
                attributes.getOrDefault(CloudEvents.TYPE, ""),
                attributes.getOrDefault(CloudEvents.PARTITION_KEY, delivery.key()),
                payload,
                headers);
    }

    private static Envelope envelope(
            Delivery delivery,
            String id,
            String category,
            String type,
            String partitionKey,
            Payload payload,
            Map<String, String> headers) {
        return new Envelope(
                id(delivery, headers.getOrDefault(Headers.SOURCE, ""), id),
                category.isEmpty() ? Category.EVENT : Category.of(category),
                type,
                delivery.source(),
                delivery.key(),
                partitionKey,
                payload,
                headers);
    }

    private static Payload body(Delivery delivery, Map<String, String> headers) {
        return Payload.received(
                headers.getOrDefault(Headers.CONTENT_TYPE, ""),
                delivery.message().body());
    }

    private static UUID id(Delivery delivery, String from, String id) {
        if (!id.isEmpty()) {
            return NamedId.read(id).orElseGet(() -> NamedId.of(delivery.source(), from, id));
        }
        return delivery.position().isEmpty()
                ? UuidV7.SYSTEM.get()
                : NamedId.of(
                        delivery.source(),
                        delivery.position(),
                        NamedId.nameOf(delivery.message().body()));
    }

    private static String taken(Map<String, String> from, String name) {
        String value = from.remove(name);
        return value == null ? "" : value;
    }

    private static String where(Delivery delivery) {
        return "from " + delivery.source() + (delivery.position().isEmpty() ? "" : " at " + delivery.position());
    }
}

package io.waybill.transport.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waybill.message.Category;
import io.waybill.message.Envelope;
import io.waybill.message.UuidV7;
import io.waybill.message.text.Json;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** A message as an event of CloudEvents 1.0: which part of it is which attribute. */
public final class CloudEvents {

    public static final String JSON = "application/cloudevents+json";
    public static final String ID = "id";
    public static final String TYPE = "type";
    public static final String PARTITION_KEY = "partitionkey";
    public static final String CATEGORY = "category";
    public static final String DATA_CONTENT_TYPE = "datacontenttype";
    public static final String DATA = "data";
    public static final String DATA_BASE64 = "data_base64";

    /** Headers that are attributes of their own in CloudEvents, by their names there. */
    public static final Map<String, String> EXTENSIONS = Map.of(
            Headers.CORRELATION_ID, "correlationid",
            Headers.CAUSATION_ID, "causationid",
            Headers.TRACEPARENT, "traceparent",
            Headers.TRACESTATE, "tracestate");

    public static final String SOURCE = "source";

    /** The source of events whose application names none. */
    public static final String DEFAULT_SOURCE = "waybill";

    private CloudEvents() {}

    /** What stays a header: everything that is no attribute. */
    static Map<String, String> headersOf(Envelope message) {
        var headers = new HashMap<>(message.headers());
        headers.keySet().removeAll(EXTENSIONS.keySet());
        headers.remove(Headers.SOURCE);
        return headers;
    }

    static Map<String, String> attributesOf(Envelope message) {
        var attributes = new LinkedHashMap<String, String>();
        attributes.put("specversion", "1.0");
        attributes.put(ID, message.id().toString());
        attributes.put(SOURCE, message.headers().getOrDefault(Headers.SOURCE, DEFAULT_SOURCE));
        attributes.put(TYPE, message.type().isEmpty() ? message.destination() : message.type());
        UuidV7.timeOf(message.id()).ifPresent(time -> attributes.put("time", time.toString()));
        if (message.isOrdered()) {
            attributes.put(PARTITION_KEY, message.partitionKey());
        }
        if (message.category() != Category.EVENT) {
            attributes.put(CATEGORY, message.category().label());
        }
        EXTENSIONS.forEach((header, attribute) -> {
            String value = message.headers().get(header);
            if (value != null) {
                attributes.put(attribute, value);
            }
        });
        return attributes;
    }

    static byte[] document(Envelope message) {
        var out = new StringBuilder(256 + message.payload().size()).append('{');
        attributesOf(message).forEach((name, value) -> member(out, name, value));
        member(out, DATA_CONTENT_TYPE, message.contentType());
        if (!message.payload().isText()) {
            member(
                    out,
                    DATA_BASE64,
                    Base64.getEncoder().encodeToString(message.payload().asBytes()));
        } else if (message.isJson()) {
            out.append("\"data\":").append(message.payload().asText()).append(',');
        } else {
            member(out, DATA, message.payload().asText());
        }
        out.setCharAt(out.length() - 1, '}');
        return out.toString().getBytes(UTF_8);
    }

    private static void member(StringBuilder out, String name, String value) {
        Json.quote(out, name);
        out.append(':');
        Json.quote(out, value);
        out.append(',');
    }
}

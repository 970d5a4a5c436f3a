package io.waybill.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waybill.transport.wire.Headers;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Which of a message's headers go into the request, and how they are written there. */
final class RequestHeaders {

    static final String WEBHOOK_ID = "webhook-id";
    static final String WEBHOOK_TIMESTAMP = "webhook-timestamp";
    static final String WEBHOOK_SIGNATURE = "webhook-signature";

    /** What HTTP puts before the attributes of a CloudEvent. */
    static final String CLOUDEVENTS_PREFIX = "ce-";

    private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]+");
    private static final Pattern WRITABLE = Pattern.compile("[\\x20-\\x7E\\t]*");

    /** About the connection and not about the message, or credentials that an application copied from a request of its own. */
    private static final Set<String> NEVER = Set.of(
            "authorization",
            "connection",
            "content-length",
            "cookie",
            "date",
            "expect",
            "host",
            "keep-alive",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade",
            "user-agent",
            "via");

    /** What Waybill says about a message. */
    private static final Set<String> OURS = Set.of(
            Headers.MESSAGE_ID,
            Headers.MESSAGE_TYPE,
            Headers.MESSAGE_CATEGORY,
            Headers.PARTITION_KEY,
            Headers.CONTENT_TYPE,
            Headers.CORRELATION_ID,
            Headers.CAUSATION_ID,
            Headers.TRACEPARENT,
            Headers.TRACESTATE);

    private RequestHeaders() {}

    /** @param forwarded which headers of the application go along: what it noted for itself is not for others */
    static Map<String, String> of(Map<String, String> headers, Set<String> forwarded) {
        var written = new TreeMap<String, String>(String.CASE_INSENSITIVE_ORDER);
        headers.forEach((name, value) -> {
            if (isSent(name, forwarded)) {
                written.put(name, written(name, value));
            }
        });
        return written;
    }

    private static boolean isSent(String name, Set<String> forwarded) {
        String lower = name.toLowerCase(Locale.ROOT);
        return TOKEN.matcher(name).matches()
                && !NEVER.contains(lower)
                && !lower.startsWith("proxy-")
                && !lower.startsWith("webhook-")
                && (OURS.contains(lower) || lower.startsWith(CLOUDEVENTS_PREFIX) || isForwarded(lower, forwarded));
    }

    private static boolean isForwarded(String lower, Set<String> forwarded) {
        return forwarded.stream()
                .anyMatch(name -> name.endsWith("*")
                        ? lower.startsWith(name.substring(0, name.length() - 1))
                        : lower.equals(name));
    }

    private static String written(String name, String value) {
        boolean attribute = name.startsWith(CLOUDEVENTS_PREFIX);
        return attribute || !WRITABLE.matcher(value).matches() ? percentEncoded(value) : value;
    }

    /** As the HTTP binding of CloudEvents wants it: everything but printable ASCII, and the space, the quote and the percent sign. */
    private static String percentEncoded(String value) {
        var encoded = new StringBuilder(value.length());
        for (byte b : value.getBytes(UTF_8)) {
            if (b > ' ' && b < 0x7F && b != '"' && b != '%') {
                encoded.append((char) b);
            } else {
                encoded.append('%')
                        .append(Character.toUpperCase(Character.forDigit(b >> 4 & 15, 16)))
                        .append(Character.toUpperCase(Character.forDigit(b & 15, 16)));
            }
        }
        return encoded.toString();
    }
}

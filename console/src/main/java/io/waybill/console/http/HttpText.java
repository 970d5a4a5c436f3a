package io.waybill.console.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.waybill.console.request.ConsoleResponse;
import io.waybill.message.Payload;
import java.nio.ByteBuffer;
import java.util.Map;

/** A response as it goes over the wire. */
final class HttpText {

    private static final Map<Integer, String> PHRASES = Map.ofEntries(
            Map.entry(200, "OK"),
            Map.entry(202, "Accepted"),
            Map.entry(204, "No Content"),
            Map.entry(302, "Found"),
            Map.entry(304, "Not Modified"),
            Map.entry(400, "Bad Request"),
            Map.entry(401, "Unauthorized"),
            Map.entry(403, "Forbidden"),
            Map.entry(404, "Not Found"),
            Map.entry(405, "Method Not Allowed"),
            Map.entry(409, "Conflict"),
            Map.entry(411, "Length Required"),
            Map.entry(413, "Content Too Large"),
            Map.entry(429, "Too Many Requests"),
            Map.entry(431, "Request Header Fields Too Large"),
            Map.entry(500, "Internal Server Error"),
            Map.entry(503, "Service Unavailable"));

    private HttpText() {}

    static ByteBuffer of(ConsoleResponse response, boolean headOnly) {
        byte[] body = response.body().asBytes();
        var head = new StringBuilder("HTTP/1.1 ")
                .append(response.status())
                .append(' ')
                .append(PHRASES.getOrDefault(response.status(), "Status"))
                .append("\r\n");
        response.headers()
                .forEach((name, value) -> head.append(name)
                        .append(": ")
                        .append(value.replaceAll("[\\r\\n]", " "))
                        .append("\r\n"));
        head.append("Content-Length: ").append(body.length).append("\r\nConnection: close\r\n\r\n");
        byte[] bytes = head.toString().getBytes(ISO_8859_1);
        var all =
                ByteBuffer.allocate(bytes.length + (headOnly ? 0 : body.length)).put(bytes);
        if (!headOnly) {
            all.put(body);
        }
        return all.flip();
    }

    /** The reason is one of ours and needs no escaping. */
    static ByteBuffer refusal(int status, String why) {
        return of(
                ConsoleResponse.of(
                        status,
                        "application/json",
                        Payload.text("{\"status\":" + status + ",\"error\":\"" + why + "\"}")),
                false);
    }
}

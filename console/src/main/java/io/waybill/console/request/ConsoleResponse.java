package io.waybill.console.request;

import io.waybill.message.Payload;
import java.util.LinkedHashMap;
import java.util.Map;

/** A response, whichever server sends it. */
public record ConsoleResponse(int status, Map<String, String> headers, Payload body) {

    public ConsoleResponse {
        headers = Map.copyOf(headers);
    }

    public static ConsoleResponse of(int status, String contentType, Payload body) {
        return new ConsoleResponse(status, Map.of("Content-Type", contentType), body);
    }

    public static ConsoleResponse json(int status, String text) {
        return of(status, "application/json", Payload.text(text));
    }

    public ConsoleResponse header(String name, String value) {
        return headers(Map.of(name, value));
    }

    /** With these headers too. */
    public ConsoleResponse headers(Map<String, String> more) {
        var all = new LinkedHashMap<>(headers);
        all.putAll(more);
        return new ConsoleResponse(status, all, body);
    }
}

package io.waybill.console;

import io.waybill.console.request.ConsoleRequest;
import io.waybill.console.request.ConsoleResponse;
import io.waybill.console.request.Identity;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Asks a console, without a network. */
public record Browser(Console console, Identity identity) {

    public static final JsonMapper JSON = JsonMapper.builder().build();

    public JsonNode get(String path, String... query) {
        ConsoleRequest request = ConsoleRequest.of("GET", path);
        for (int i = 0; i < query.length; i += 2) {
            request = request.query(query[i], query[i + 1]);
        }
        return read(console.answer(request.by(identity)));
    }

    public JsonNode post(String path, String body) {
        return read(answer("POST", path, body));
    }

    public ConsoleResponse answer(String method, String path, String body) {
        return console.answer(ConsoleRequest.of(method, path).by(identity).body(body.replace('\'', '"')));
    }

    private static JsonNode read(ConsoleResponse response) {
        JsonNode body = JSON.readTree(response.body().asText());
        if (response.status() != 200) {
            throw new AssertionError(response.status() + " " + body);
        }
        return body;
    }
}

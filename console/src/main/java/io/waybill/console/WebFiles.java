package io.waybill.console;

import io.waybill.console.api.ApiJson;
import io.waybill.console.request.ConsoleRequest;
import io.waybill.console.request.ConsoleResponse;
import io.waybill.message.Payload;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The pages, scripts and styles of the console, from the class path. */
final class WebFiles {

    private static final String START = "/index.html";

    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "js", "text/javascript; charset=utf-8",
            "mjs", "text/javascript; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "svg", "image/svg+xml",
            "png", "image/png",
            "ico", "image/x-icon",
            "txt", "text/plain; charset=utf-8",
            "woff2", "font/woff2");

    private final Map<String, Optional<ConsoleResponse>> known = new ConcurrentHashMap<>();

    ConsoleResponse answer(ConsoleRequest request) {
        if (request.isUnsafe()) {
            return ApiJson.problem(405, request.method() + " is not possible here.");
        }
        String path = request.path().equals("/") ? START : request.path();
        // Only names that a file of ours can have: nothing else is looked for, so nothing else is remembered.
        if (!path.matches("(/[A-Za-z0-9_-]+)*/[A-Za-z0-9._-]+") || path.contains("..")) {
            return missing();
        }
        String type = TYPES.get(path.substring(path.lastIndexOf('.') + 1));
        if (type == null) {
            return missing();
        }
        Optional<ConsoleResponse> found = known.get(path);
        if (found == null) {
            found = read(path, type);
            if (found.isPresent()) {
                known.put(path, found);
            }
        }
        return found.orElseGet(WebFiles::missing);
    }

    private static Optional<ConsoleResponse> read(String path, String type) {
        try (InputStream file = WebFiles.class.getResourceAsStream("web" + path)) {
            return file == null
                    ? Optional.empty()
                    : Optional.of(ConsoleResponse.of(200, type, Payload.binary(file.readAllBytes()))
                            .header("Cache-Control", "no-cache"));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static ConsoleResponse missing() {
        return ApiJson.problem(404, "There is no such page.");
    }
}

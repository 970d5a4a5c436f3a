package io.waybill.console.request;

import java.util.Collection;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A request, whichever server received it.
 *
 * @param path decoded, without the query
 * @param query decoded
 * @param headers by their names in lower case
 * @param client the address it came from; behind a proxy that is trusted, that of the client of the proxy
 * @param secure whether it came over TLS
 * @param identity who asks, where the server has authenticated them; otherwise the console does
 */
public record ConsoleRequest(
        String method,
        String path,
        Map<String, String> query,
        Map<String, String> headers,
        String body,
        String client,
        boolean secure,
        Optional<Identity> identity) {

    /** How much of a body is read; a server refuses more with status 413. */
    public static final int MAX_BODY_BYTES = 2 * 1024 * 1024;

    public ConsoleRequest {
        query = Map.copyOf(query);
        var lower = new HashMap<String, String>();
        headers.forEach((name, value) -> lower.put(name.toLowerCase(Locale.ROOT), value));
        headers = Map.copyOf(lower);
    }

    /** A request without a body, from this machine. */
    public static ConsoleRequest of(String method, String path) {
        return new ConsoleRequest(
                method, path, Map.of(), Map.of("host", "localhost"), "", "127.0.0.1", false, Optional.empty());
    }

    public ConsoleRequest query(String name, String value) {
        var more = new HashMap<>(query);
        more.put(name, value);
        return new ConsoleRequest(method, path, more, headers, body, client, secure, identity);
    }

    /** Without this part of the query. */
    public ConsoleRequest without(String name) {
        var less = new HashMap<>(query);
        less.remove(name);
        return new ConsoleRequest(method, path, less, headers, body, client, secure, identity);
    }

    /** With these parts of the query alone. */
    public ConsoleRequest withOnly(Collection<String> names) {
        var these = new HashMap<>(query);
        these.keySet().retainAll(names);
        return new ConsoleRequest(method, path, these, headers, body, client, secure, identity);
    }

    public ConsoleRequest header(String name, String value) {
        var more = new HashMap<>(headers);
        more.put(name.toLowerCase(Locale.ROOT), value);
        return new ConsoleRequest(method, path, query, more, body, client, secure, identity);
    }

    public ConsoleRequest body(String text) {
        return new ConsoleRequest(method, path, query, headers, text, client, secure, identity);
    }

    /** With this path instead. */
    public ConsoleRequest at(String otherPath) {
        return new ConsoleRequest(method, otherPath, query, headers, body, client, secure, identity);
    }

    /** From this client, over TLS or not. */
    public ConsoleRequest from(String otherClient, boolean overTls) {
        return new ConsoleRequest(method, path, query, headers, body, otherClient, overTls, identity);
    }

    public ConsoleRequest by(Identity somebody) {
        return new ConsoleRequest(method, path, query, headers, body, client, secure, Optional.of(somebody));
    }

    /** Empty when it is absent. The name is in lower case. */
    public String header(String name) {
        return headers.getOrDefault(name, "");
    }

    /** Whether it may change something. */
    public boolean isUnsafe() {
        return !method.equals("GET") && !method.equals("HEAD");
    }
}

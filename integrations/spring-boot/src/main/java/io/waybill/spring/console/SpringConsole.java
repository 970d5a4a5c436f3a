package io.waybill.spring.console;

import io.waybill.console.embed.EmbeddedConsole;
import io.waybill.console.request.ConsoleRequest;
import io.waybill.console.request.ConsoleResponse;
import io.waybill.console.request.Identity;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestWrapper;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.security.Principal;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.springframework.web.HttpRequestHandler;

/** Hands requests of the application's web server to the console. */
final class SpringConsole implements HttpRequestHandler {

    private final EmbeddedConsole console;

    SpringConsole(EmbeddedConsole console) {
        this.console = console;
    }

    @Override
    public void handleRequest(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String below = request.getPathInfo();
        String path = below == null ? request.getServletPath() : below;
        HttpServletRequest received = received(request);
        ConsoleResponse answer = console.answer(
                request.getMethod(),
                path,
                request.getQueryString(),
                headers(received),
                request.getInputStream().readNBytes(ConsoleRequest.MAX_BODY_BYTES + 1),
                received.getRemoteAddr(),
                request.isSecure(),
                identity(request));
        if (path.equals(console.path() + EmbeddedConsole.SESSION)) {
            SpringSecurity.csrf(request).ifPresent(csrf -> {
                response.setHeader(EmbeddedConsole.CSRF_HEADER, csrf.name());
                response.setHeader(EmbeddedConsole.CSRF_TOKEN, csrf.value());
            });
        }
        send(answer, response, request.getMethod().equals("HEAD"));
    }

    /** As it came in: a filter may show the address that a header claims, from any sender. */
    private static HttpServletRequest received(HttpServletRequest request) {
        ServletRequest inner = request;
        while (inner instanceof ServletRequestWrapper wrapper) {
            inner = wrapper.getRequest();
        }
        return inner instanceof HttpServletRequest received ? received : request;
    }

    private static Map<String, String> headers(HttpServletRequest request) {
        var headers = new HashMap<String, String>();
        for (String name : Collections.list(request.getHeaderNames())) {
            headers.put(
                    name,
                    String.join(
                            name.equalsIgnoreCase("cookie") ? "; " : ", ", Collections.list(request.getHeaders(name))));
        }
        return headers;
    }

    private Optional<Identity> identity(HttpServletRequest request) {
        Principal principal = request.getUserPrincipal();
        return Optional.ofNullable(principal)
                .map(somebody -> console.identity(somebody.getName(), SpringSecurity.authorities(request, somebody)));
    }

    private static void send(ConsoleResponse answer, HttpServletResponse response, boolean headOnly)
            throws IOException {
        response.setStatus(answer.status());
        answer.headers().forEach((name, value) -> {
            if (name.equals("Set-Cookie")) {
                response.addHeader(name, value);
            } else {
                response.setHeader(name, value);
            }
        });
        byte[] body = answer.body().asBytes();
        response.setContentLength(body.length);
        if (!headOnly) {
            response.getOutputStream().write(body);
        }
    }
}

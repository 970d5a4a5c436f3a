package io.waybill.micronaut.console;

import io.micronaut.context.annotation.Requires;
import io.micronaut.context.annotation.Value;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.Consumes;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Produces;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.waybill.console.embed.EmbeddedConsole;
import io.waybill.console.request.ConsoleResponse;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Hands requests of the application's web server to the console. */
@Controller("${waybill.console.path:/waybill}")
@Requires(beans = MicronautConsole.class)
@Requires(classes = {EmbeddedConsole.class, Controller.class})
@Produces(MediaType.ALL)
@ExecuteOn(TaskExecutors.BLOCKING)
final class ConsoleController {

    private final EmbeddedConsole console;
    private final Optional<MicronautAuthorities> authorities;
    private final String contextPath;

    ConsoleController(
            EmbeddedConsole console,
            Optional<MicronautAuthorities> authorities,
            @Value("${micronaut.server.context-path:}") String contextPath) {
        this.console = console;
        this.authorities = authorities;
        String trimmed = contextPath.replaceAll("^/+|/+$", "");
        this.contextPath = trimmed.isEmpty() ? "" : "/" + trimmed;
    }

    @Get(uris = {"/", "/{+path}"})
    HttpResponse<byte[]> read(HttpRequest<?> request, @Nullable String path) {
        return answer(request, new byte[0]);
    }

    /** The body is that of the request: as a parameter of its own it would be required, and read as JSON if it were optional. */
    @Post("/{+path}")
    @Consumes(MediaType.ALL)
    HttpResponse<byte[]> change(HttpRequest<byte[]> request, String path) {
        return answer(request, request.getBody().orElseGet(() -> new byte[0]));
    }

    private HttpResponse<byte[]> answer(HttpRequest<?> request, byte[] body) {
        String path = request.getUri().getPath();
        ConsoleResponse answer = console.answer(
                request.getMethodName(),
                path.startsWith(contextPath + "/") ? path.substring(contextPath.length()) : path,
                request.getUri().getRawQuery(),
                headers(request),
                body,
                address(request),
                request.isSecure(),
                request.getUserPrincipal()
                        .map(somebody -> console.identity(
                                somebody.getName(),
                                authorities.map(known -> known.of(somebody)).orElse(authority -> false))));
        MutableHttpResponse<byte[]> response = HttpResponse.status(HttpStatus.valueOf(answer.status()));
        answer.headers().forEach(response::header);
        return response.body(answer.body().asBytes());
    }

    private static Map<String, String> headers(HttpRequest<?> request) {
        var headers = new HashMap<String, String>();
        for (String name : request.getHeaders().names()) {
            headers.put(
                    name,
                    String.join(
                            name.equalsIgnoreCase("cookie") ? "; " : ", ",
                            request.getHeaders().getAll(name)));
        }
        return headers;
    }

    private static String address(HttpRequest<?> request) {
        var address = request.getRemoteAddress().getAddress();
        return address == null ? "" : address.getHostAddress();
    }
}

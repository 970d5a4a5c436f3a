package io.waybill.console.embed;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waybill.WaybillException;
import io.waybill.console.Console;
import io.waybill.console.api.ApiJson;
import io.waybill.console.api.ConsoleDatabase;
import io.waybill.console.request.ConsoleRequest;
import io.waybill.console.request.ConsoleResponse;
import io.waybill.console.request.Identity;
import io.waybill.console.request.QueryString;
import io.waybill.console.security.RoleMapping;
import io.waybill.jdbc.JdbcStore;
import io.waybill.message.Payload;
import io.waybill.transport.SecretMask;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The console under a path of an application's web server.
 *
 * <p><i>Threads:</i> safe.
 */
public final class EmbeddedConsole {

    /** The request whose response is asked for what an application wants to see in requests that change something. */
    public static final String SESSION = "/api/session";

    /** Headers of that response: the name of such a header, and its value. */
    public static final String CSRF_HEADER = "X-Waybill-Csrf-Header";

    public static final String CSRF_TOKEN = "X-Waybill-Csrf-Token";

    private static final int MAX_NAME = 64;

    private final String path;
    private final RoleMapping roles;
    private final Console console;

    EmbeddedConsole(String path, RoleMapping roles, Console console) {
        this.path = path;
        this.roles = roles;
        this.console = console;
    }

    /** A database of the application, by the name that it has there. */
    public static ConsoleDatabase database(String name, JdbcStore store) {
        String known = name.replaceAll("[^A-Za-z0-9._-]", "_");
        return ConsoleDatabase.of(known.substring(0, Math.min(known.length(), MAX_NAME)), address(store), store);
    }

    /** Without the options behind it, which may hold a password. */
    private static String address(JdbcStore store) {
        try {
            String url = store.transactions()
                    .inTransaction(transaction ->
                            transaction.unwrap(Connection.class).getMetaData().getURL());
            return SecretMask.url(url.replaceFirst("[?;].*", ""));
        } catch (SQLException | WaybillException e) {
            return store.dialect().name();
        }
    }

    /** The path that it is served under. */
    public String path() {
        return path;
    }

    /** Who was authenticated by the application. */
    public Identity identity(String name, Predicate<String> has) {
        return roles.identity(name, has);
    }

    /**
     * Answers a request.
     *
     * @param path of the request in the application, decoded
     * @param query as it was sent
     * @param body at least the first {@link ConsoleRequest#MAX_BODY_BYTES} and one more, where it has as many
     */
    public ConsoleResponse answer(
            String method,
            String path,
            @Nullable String query,
            Map<String, String> headers,
            byte[] body,
            String client,
            boolean secure,
            Optional<Identity> identity) {
        if (body.length > ConsoleRequest.MAX_BODY_BYTES) {
            return ApiJson.problem(413, "The body has more than " + ConsoleRequest.MAX_BODY_BYTES + " bytes.");
        }
        try {
            return answer(new ConsoleRequest(
                    method,
                    path,
                    QueryString.parse(query),
                    headers,
                    new String(body, UTF_8),
                    client,
                    secure,
                    identity));
        } catch (IllegalArgumentException e) {
            return ApiJson.problem(400, "The address has a % that is not followed by two hexadecimal digits.");
        }
    }

    /** Answers a request for a path of the application. */
    public ConsoleResponse answer(ConsoleRequest request) {
        if (request.path().equals(path)) {
            return toFolder();
        }
        return request.path().startsWith(path + "/")
                ? console.answer(request.at(request.path().substring(path.length())))
                : ApiJson.problem(404, "The console is at " + path + "/.");
    }

    /** The pages name their files relative to a folder. So does the redirect: a proxy may know it by another path. */
    private ConsoleResponse toFolder() {
        return ConsoleResponse.of(302, "text/plain", Payload.text(""))
                .headers(Map.of(
                        "Location", path.substring(path.lastIndexOf('/') + 1) + "/", "Cache-Control", "no-store"));
    }
}

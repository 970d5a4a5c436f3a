package io.waybill.testkit.contract.framework;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.testkit.services.H2;
import io.waybill.testkit.services.database.TestDatabase;
import java.io.IOException;
import java.net.CookieManager;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The console on an application's own web server, over HTTP. Every integration passes it. */
public abstract class FrameworkConsoleContract {

    /** Who can log in to an application with security: with {@link #PASSWORD}, as what their names say. */
    protected static final List<String> PEOPLE = List.of("viewer", "operator", "admin", "ops", "eve");

    protected static final String PASSWORD = "correct horse";

    /** What people have besides. The first three have the usual authority of the role that they are called after. */
    protected static final String OPS_AUTHORITY = "GROUP_ops";

    /** The hash of {@link #PASSWORD}, cheap to compare with. */
    private static final String USER =
            "ann:viewer:pbkdf2-sha256$1000$d2F5YmlsbC10ZXN0LXNhbA==$O1vERX4Llz+6Rqt3LkF/isgjmdm6ES7Rq2pTlT8uTC4=\n";

    private static final String RETRY = "{\"filter\":{\"all\":true},\"reason\":\"test\"}";
    private static final Pattern LINK = Pattern.compile(
            "<(?:link|script)[^>]*(?:href|src)=\"([^\"]+)\"|^import .* from '([^']+)'", Pattern.MULTILINE);

    private final TestDatabase database = H2.newDatabase();
    private final HttpClient client =
            HttpClient.newBuilder().cookieHandler(new CookieManager()).build();

    @TempDir
    Path directory;

    @SuppressWarnings("NullAway.Init")
    protected FrameworkConsoleContract() {}

    /** An application whose web server listens. */
    public interface Application extends AutoCloseable {

        int port();

        @Override
        void close();
    }

    /** Starts an application on this database with these settings of Waybill, on a free port of 127.0.0.1. */
    protected abstract Application start(TestDatabase database, Map<String, String> settings);

    /** Starts one whose own security asks everybody for a name and a password (Basic), whatever they want. */
    protected abstract Application startSecured(TestDatabase database, Map<String, String> settings);

    /** The setting that puts the whole application under a path. */
    protected abstract String contextPathSetting();

    /** The name of the data source. */
    protected abstract String dataSource();

    @AfterEach
    void closeDatabase() {
        database.close();
    }

    @Test
    void without_anybody_who_authenticates_it_is_refused_unless_everybody_on_this_machine_may_use_it() {
        assertThatThrownBy(() -> start(database, enabled()).close())
                .hasStackTraceContaining("waybill.console.local-admin")
                .hasStackTraceContaining("Set users to a file of users");
    }

    @Test
    void without_users_it_is_there_for_this_machine_alone() throws Exception {
        var settings = enabled();
        settings.put("waybill.console.local-admin", "true");
        try (Application application = start(database, settings)) {
            String address = "http://127.0.0.1:" + application.port() + "/waybill";

            assertThat(get(address + "/api/session").body()).contains("\"role\":\"admin\"", "\"" + dataSource() + "\"");
            assertThat(get(address + "/api/databases/" + dataSource() + "/overview")
                            .statusCode())
                    .isEqualTo(200);
            for (String headers : List.of(
                    "Host: shop.example\r\n",
                    "Host: localhost\r\nX-Forwarded-For: 127.0.0.1\r\n",
                    "Host: localhost\r\nForwarded: for=127.0.0.1\r\n")) {
                assertThat(raw(application.port(), "GET /waybill/api/session HTTP/1.1\r\n" + headers))
                        .as(headers)
                        .startsWith("HTTP/1.1 403")
                        .contains("give it users");
            }
            assertThat(raw(application.port(), "GET /waybill/api/session HTTP/1.1\r\nHost: localhost\r\n"))
                    .startsWith("HTTP/1.1 200");
            assertThat(post(address + "/api/databases/" + dataSource() + "/failures/retry", RETRY)
                            .statusCode())
                    .isEqualTo(200);
            assertThat(post(address + "/api/login", "x".repeat(2 * 1024 * 1024 + 1))
                            .statusCode())
                    .isEqualTo(413);
            assertThat(get(address + "/missing.js").statusCode()).isEqualTo(404);
            assertThat(get(address + "/api/nothing").body()).contains("There is nothing at");
        }
    }

    @Test
    void pages_and_logins_work_wherever_the_application_is() throws Exception {
        var settings = enabled();
        settings.put(contextPathSetting(), "/shop");
        settings.put("waybill.console.path", "/ops/console");
        settings.put("waybill.console.users", usersFile().toString());
        settings.put("waybill.console.read-only", "true");
        try (Application application = start(database, settings)) {
            URI folder = URI.create("http://127.0.0.1:" + application.port() + "/shop/ops/console/");

            var redirect = get(folder.toString().replaceFirst("/$", ""));
            assertThat(redirect.statusCode()).as(redirect.body()).isEqualTo(302);
            assertThat(redirect.uri()
                            .resolve(redirect.headers().firstValue("Location").orElseThrow()))
                    .isEqualTo(folder);
            assertThat(filesOf(folder))
                    .hasSizeGreaterThan(10)
                    .allSatisfy((file, status) ->
                            assertThat(status).as(file.toString()).isEqualTo(200));

            String databases = folder.resolve("api/databases").toString();
            assertThat(get(databases).statusCode()).isEqualTo(401);
            assertThat(post(folder.resolve("api/login").toString(), login("wrong"))
                            .statusCode())
                    .isEqualTo(401);
            var accepted = post(folder.resolve("api/login").toString(), login(PASSWORD));
            assertThat(accepted.statusCode()).isEqualTo(200);
            assertThat(accepted.headers().firstValue("Set-Cookie").orElseThrow())
                    .contains("HttpOnly", "SameSite=Strict")
                    .doesNotContain("Secure", "Path");
            String[] session = {
                "Cookie",
                accepted.headers().firstValue("Set-Cookie").orElseThrow().replaceFirst(";.*", "")
            };
            assertThat(get(databases, session).body()).contains(dataSource());
            assertThat(get(folder.resolve("api/session").toString(), session).body())
                    .contains("\"name\":\"ann\"", "\"readOnly\":true", "\"login\":true");
            String retry = databases + "/" + dataSource() + "/failures/retry";
            assertThat(post(retry, RETRY, session).statusCode()).as("a viewer").isEqualTo(403);
            var forged = post(retry, RETRY, session[0], session[1], "Origin", "https://evil.example");
            assertThat(forged.statusCode())
                    .as("by the framework or the console")
                    .isEqualTo(403);
            assertThat(forged.body()).as("before the role is looked at").doesNotContain("role");
            var loggedOut = post(folder.resolve("api/logout").toString(), "", session);
            assertThat(loggedOut.statusCode()).as("without a body").isEqualTo(200);
            assertThat(get(databases, session).statusCode()).isEqualTo(401);
        }
    }

    @Test
    void those_whom_the_application_has_authenticated_have_the_role_of_their_authorities() throws Exception {
        try (Application application = startSecured(database, enabled())) {
            String address = "http://127.0.0.1:" + application.port() + "/waybill/";
            String retry = "api/databases/" + dataSource() + "/failures/retry";

            assertThat(get(address + "api/databases").statusCode()).isEqualTo(401);
            assertThat(get(address + "api/session", basic("viewer")).body())
                    .contains("\"name\":\"viewer\"", "\"role\":\"viewer\"", "\"login\":false");
            assertThat(get(address + "api/session", basic("admin")).body()).contains("\"role\":\"admin\"");
            assertThat(change(address, retry, "viewer").statusCode()).isEqualTo(403);
            assertThat(change(address, retry, "viewer").body()).contains("needs the role operator");
            assertThat(change(address, retry, "operator").statusCode()).isEqualTo(200);
            for (String nobody : List.of("eve", "ops")) {
                assertThat(get(address + "api/databases", basic(nobody)).statusCode())
                        .isEqualTo(403);
                assertThat(get(address + "api/databases", basic(nobody)).body())
                        .contains(nobody + " is logged in, but has no role");
            }
            assertThat(get(address + "api/databases/" + dataSource() + "/audit", basic("viewer"))
                            .body())
                    .contains("\"operator\":\"operator\"");
        }
    }

    @Test
    void authorities_of_the_application_stand_for_the_roles_that_it_says() throws Exception {
        var settings = enabled();
        settings.put("waybill.console.roles." + OPS_AUTHORITY, "operator");
        try (Application application = startSecured(database, settings)) {
            String address = "http://127.0.0.1:" + application.port() + "/waybill/";

            assertThat(get(address + "api/session", basic("ops")).body()).contains("\"role\":\"operator\"");
            assertThat(get(address + "api/session", basic("admin")).body())
                    .as("the usual authorities are replaced")
                    .contains("\"role\":\"anyone\"");
        }
    }

    @Test
    void a_trusted_proxy_names_the_user_the_role_and_the_client() throws Exception {
        var settings = behindProxy("127.0.0.1");
        settings.put("waybill.console.users", usersFile().toString());
        try (Application application = start(database, settings)) {
            String address = "http://127.0.0.1:" + application.port() + "/waybill/";

            assertThat(get(address + "api/session", "X-Forwarded-User", "bob", "X-Forwarded-Groups", "dev, ops")
                            .body())
                    .contains("\"name\":\"bob\"", "\"role\":\"operator\"");
            for (int i = 0; i < 5; i++) {
                assertThat(from("198.51.100.66", address, "wrong").statusCode()).isEqualTo(401);
            }
            assertThat(from("198.51.100.66", address, PASSWORD).statusCode()).isEqualTo(429);
            var other = from("198.51.100.7", address, PASSWORD);
            assertThat(other.statusCode()).isEqualTo(200);
            assertThat(other.headers().firstValue("Set-Cookie").orElseThrow()).contains("; Secure");
        }
    }

    @Test
    void headers_of_anybody_but_a_trusted_proxy_are_ignored() throws Exception {
        try (Application application = start(database, behindProxy("10.0.0.0/8"))) {
            String address = "http://127.0.0.1:" + application.port() + "/waybill/";
            String[] spoofed = {"X-Forwarded-User", "bob", "X-Forwarded-Groups", "ops", "X-Forwarded-For", "10.1.2.3"};

            assertThat(get(address + "api/session", spoofed).body()).contains("\"role\":\"anyone\"");
            assertThat(get(address + "api/databases", spoofed).statusCode()).isEqualTo(401);
            assertThat(get(address + "api/databases").statusCode())
                    .as("behind a proxy being local is no login")
                    .isEqualTo(401);
        }
    }

    @Test
    void wrong_settings_of_the_console_are_told_with_the_others() {
        var settings = enabled();
        settings.put("waybill.console.path", "waybill/");
        settings.put("waybill.console.users", directory.resolve("none.txt").toString());
        settings.put("waybill.console.roles.ops", "root");
        settings.put("waybill.console.trusted-proxies", "proxy.example");
        settings.put("waybill.outbox.batch-size", "0");

        assertThatThrownBy(() -> start(database, settings).close())
                .hasStackTraceContaining("waybill.console.path")
                .hasStackTraceContaining("waybill.console.users")
                .hasStackTraceContaining("waybill.console.roles.ops")
                .hasStackTraceContaining("waybill.console.trusted-proxies")
                .hasStackTraceContaining("waybill.outbox.batch-size");
    }

    private static Map<String, String> enabled() {
        return new LinkedHashMap<>(Map.of("waybill.console.enabled", "true"));
    }

    private static Map<String, String> behindProxy(String address) {
        var settings = enabled();
        settings.put("waybill.console.trusted-proxies", address);
        settings.put("waybill.console.proxy-user-header", "X-Forwarded-User");
        settings.put("waybill.console.proxy-role-header", "X-Forwarded-Groups");
        settings.put("waybill.console.roles.ops", "operator");
        return settings;
    }

    private Path usersFile() throws IOException {
        return Files.writeString(directory.resolve("users.txt"), USER);
    }

    private static String login(String password) {
        return "{\"name\":\"ann\",\"password\":\"" + password + "\"}";
    }

    private HttpResponse<String> from(String behind, String address, String password) throws Exception {
        return post(
                address + "api/login",
                login(password),
                "X-Forwarded-For",
                "127.0.0.1, " + behind,
                "X-Forwarded-Proto",
                "https");
    }

    /** The page, and everything that it and its scripts name, with what comes back. */
    private Map<URI, Integer> filesOf(URI folder) throws Exception {
        var found = new LinkedHashMap<URI, Integer>();
        var open = new ArrayDeque<>(List.of(folder));
        Set<URI> seen = new LinkedHashSet<>(open);
        while (!open.isEmpty()) {
            URI file = open.remove();
            var response = get(file.toString());
            found.put(file, response.statusCode());
            LINK.matcher(response.body())
                    .results()
                    .map(link -> file.resolve(link.group(1) == null ? link.group(2) : link.group(1)))
                    .filter(seen::add)
                    .forEach(open::add);
        }
        return found;
    }

    private static String[] basic(String name) {
        return new String[] {
            "Authorization", "Basic " + Base64.getEncoder().encodeToString((name + ":" + PASSWORD).getBytes(UTF_8))
        };
    }

    /** As the page does it: with what the session said that the application wants to see. */
    private HttpResponse<String> change(String address, String path, String name) throws Exception {
        var session = get(address + "api/session", basic(name));
        String header = session.headers().firstValue("X-Waybill-Csrf-Header").orElse("X-None");
        String token = session.headers().firstValue("X-Waybill-Csrf-Token").orElse("none");
        String[] login = basic(name);
        return post(address + path, RETRY, login[0], login[1], header, token);
    }

    private HttpResponse<String> get(String address, String... headers) throws Exception {
        return client.send(request(address, headers).build(), BodyHandlers.ofString());
    }

    private HttpResponse<String> post(String address, String body, String... headers) throws Exception {
        var request = request(address, headers).header("Content-Type", "application/json");
        return client.send(request.POST(BodyPublishers.ofString(body)).build(), BodyHandlers.ofString());
    }

    private static HttpRequest.Builder request(String address, String... headers) {
        var request = HttpRequest.newBuilder(URI.create(address));
        return headers.length == 0 ? request : request.headers(headers);
    }

    private static String raw(int port, String head) throws IOException {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream().write((head + "Connection: close\r\n\r\n").getBytes(UTF_8));
            return new String(socket.getInputStream().readAllBytes(), UTF_8);
        }
    }
}

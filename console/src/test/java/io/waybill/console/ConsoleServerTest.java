package io.waybill.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.waybill.WaybillException;
import io.waybill.console.api.ConsoleDatabase;
import io.waybill.console.http.ConsoleServer;
import io.waybill.console.request.ConsoleResponse;
import io.waybill.console.request.Identity;
import io.waybill.console.request.Role;
import io.waybill.console.security.ConsoleUser;
import io.waybill.console.security.PasswordHash;
import io.waybill.jdbc.JdbcStore;
import io.waybill.testkit.ManualClock;
import io.waybill.testkit.services.H2;
import io.waybill.testkit.services.database.TestDatabase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The console behind its own HTTP server, asked by a real client. */
class ConsoleServerTest {

    private static final String TOKEN = PasswordHash.randomToken();
    private static final List<ConsoleUser> USERS = ConsoleUser.parse(Stream.of(
            "# who may look",
            "ann:viewer:" + PasswordHash.ofPassword("correct horse"),
            "robot:operator:" + PasswordHash.ofToken(TOKEN)));

    private final ManualClock clock = ManualClock.now();
    private final HttpClient client = HttpClient.newHttpClient();
    private final TestDatabase database = H2.newDatabase();
    private final ConsoleOptions options = ConsoleOptions.of(List.of(ConsoleDatabase.of(
                    "shop", "somewhere", JdbcStore.on(database.dataSource()).initializeSchema())))
            .clock(clock);

    @AfterEach
    void drop() {
        database.close();
    }

    @Test
    void a_password_opens_a_session_that_ends_with_a_logout_or_after_a_while() throws Exception {
        try (var server = start(options.users(USERS))) {
            assertThat(get(server, "/api/databases").statusCode()).isEqualTo(401);
            assertThat(login(server, "ann", "wrong").statusCode()).isEqualTo(401);
            assertThat(login(server, "robot", TOKEN).statusCode())
                    .as("a token is no password")
                    .isEqualTo(401);

            var accepted = login(server, "ann", "correct horse");
            assertThat(accepted.statusCode()).isEqualTo(200);
            String cookie = accepted.headers().firstValue("Set-Cookie").orElseThrow();
            assertThat(cookie).contains("HttpOnly", "SameSite=Strict").doesNotContain("ann");
            String session = cookie.substring(0, cookie.indexOf(';'));
            assertThat(get(server, "/api/databases", "Cookie", session).body()).contains("\"shop\"");
            assertThat(get(server, "/api/session", "Cookie", session).body())
                    .contains("\"name\":\"ann\"", "\"role\":\"viewer\"");

            clock.advance(Duration.ofMinutes(29));
            assertThat(get(server, "/api/databases", "Cookie", session).statusCode())
                    .isEqualTo(200);
            clock.advance(Duration.ofMinutes(31));
            assertThat(get(server, "/api/databases", "Cookie", session).statusCode())
                    .isEqualTo(401);

            String again = login(server, "ann", "correct horse")
                    .headers()
                    .firstValue("Set-Cookie")
                    .orElseThrow();
            String next = again.substring(0, again.indexOf(';'));
            post(server, "/api/logout", "", "Cookie", next);
            assertThat(get(server, "/api/databases", "Cookie", next).statusCode())
                    .isEqualTo(401);
        }
    }

    @Test
    void guessing_is_stopped_after_five_attempts_for_some_minutes() throws Exception {
        try (var server = start(options.users(USERS))) {
            for (int i = 0; i < 5; i++) {
                assertThat(login(server, "ann", "guess-" + i).statusCode()).isEqualTo(401);
            }
            assertThat(login(server, "ann", "correct horse").statusCode()).isEqualTo(429);
            clock.advance(Duration.ofMinutes(6));
            assertThat(login(server, "ann", "correct horse").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void a_bearer_token_has_the_role_of_its_user() throws Exception {
        try (var server = start(options.users(USERS))) {
            String body = "{\"filter\":{\"all\":true},\"reason\":\"night job\"}";
            String path = "/api/databases/shop/failures/retry";
            assertThat(post(server, path, body, "Authorization", "Bearer " + TOKEN)
                            .statusCode())
                    .isEqualTo(200);
            assertThat(post(server, path, body, "Authorization", "Bearer guess").statusCode())
                    .isEqualTo(401);
            assertThat(get(server, "/api/databases/shop/audit", "Authorization", "Bearer " + TOKEN)
                            .body())
                    .contains("\"operator\":\"robot\"")
                    .doesNotContain(TOKEN);
        }
    }

    @Test
    void without_users_it_answers_this_machine_alone_by_its_own_name() throws Exception {
        var local = options.local(new Identity("me", Role.ADMIN));
        try (var server = start(local)) {
            assertThat(get(server, "/api/session").body()).contains("\"role\":\"admin\"", "\"login\":false");
            assertThat(raw(server, "GET /api/session HTTP/1.1\r\nHost: rebound.example\r\n\r\n"))
                    .startsWith("HTTP/1.1 403 ");
        }
        assertThatThrownBy(() -> local.checkAddress(InetAddress.getByName("0.0.0.0")))
                .isInstanceOf(WaybillException.class)
                .hasMessageContaining("for everybody");
        options.users(USERS).checkAddress(InetAddress.getByName("0.0.0.0"));
    }

    @Test
    void pages_are_served_with_strict_headers_and_nothing_else_is() throws Exception {
        try (var server = start(options.users(USERS))) {
            var page = get(server, "/");
            assertThat(page.statusCode()).isEqualTo(200);
            assertThat(page.headers().firstValue("Content-Type")).contains("text/html; charset=utf-8");
            assertThat(page.headers().firstValue("Content-Security-Policy").orElseThrow())
                    .contains("default-src 'none'", "script-src 'self'")
                    .doesNotContain("unsafe");
            assertThat(page.body()).contains("<title>Waybill</title>").doesNotContain("<style", "style=", "onclick");
            assertThat(get(server, "/..%2fConsole.class").statusCode()).isEqualTo(404);
            assertThat(raw(server, "GET /../Console.class HTTP/1.1\r\nHost: localhost\r\n\r\n"))
                    .startsWith("HTTP/1.1 404 ");
            assertThat(get(server, "/missing.js").statusCode()).isEqualTo(404);
            assertThat(raw(server, "HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n"))
                    .startsWith("HTTP/1.1 200 ")
                    .doesNotContain("<title>");
        }
    }

    @Test
    void requests_that_are_too_large_or_not_http_are_refused() throws Exception {
        try (var server = start(options.users(USERS))) {
            assertThat(post(server, "/api/login", "x".repeat(3_000_000)).statusCode())
                    .isEqualTo(413);
            assertThat(get(server, "/", "X-Long", "x".repeat(20_000)).statusCode())
                    .isEqualTo(431);
            assertThat(raw(server, "HELLO\r\n\r\n")).startsWith("HTTP/1.1 400 ");
            assertThat(raw(server, "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"))
                    .startsWith("HTTP/1.1 400 ");
            assertThat(raw(
                            server,
                            "POST /api/login HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"))
                    .startsWith("HTTP/1.1 411 ");
        }
    }

    @Test
    @Timeout(20)
    void a_header_of_spaces_or_with_control_characters_is_refused_at_once() throws Exception {
        try (var server = start(options.users(USERS))) {
            String spaces = " ".repeat(15_000);
            for (int i = 0; i < 20; i++) {
                assertThat(raw(
                                server,
                                "GET / HTTP/1.1\r\nHost: a\r\nX: " + spaces + "\u0001" + spaces.length() + "\r\n\r\n"))
                        .startsWith("HTTP/1.1 400 ");
                assertThat(raw(server, "GET / HTTP/1.1\r\nHost: a\r\nX: " + spaces + "\nX\r\n\r\n"))
                        .startsWith("HTTP/1.1 400 ");
                assertThat(raw(server, "GET / HTTP/1.1\r\nHost: a\r\nX: " + spaces.repeat(4) + "\nX\r\n\r\n"))
                        .startsWith("HTTP/1.1 431 ");
            }
            assertThat(raw(
                            server,
                            "GET /api/session HTTP/1.1\r\nHost: a\r\nX:\t " + spaces + "x" + spaces.substring(14_500)
                                    + "\r\n\r\n"))
                    .startsWith("HTTP/1.1 200 ");
        }
    }

    @Test
    void what_was_answered_takes_no_room_from_other_requests() throws Exception {
        List<Socket> open = new ArrayList<>();
        String request = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2000000\r\n\r\n" + "x".repeat(2_000_000);
        try (var server = ConsoleServer.start(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), asked -> ConsoleResponse.json(200, "{}"))) {
            for (int i = 0; i < 20; i++) {
                var socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
                open.add(socket);
                socket.setSoTimeout(10_000);
                socket.getOutputStream().write(request.getBytes(UTF_8));
                assertThat(new String(socket.getInputStream().readAllBytes(), UTF_8))
                        .as("request " + i)
                        .startsWith("HTTP/1.1 200 ");
            }
            await().atMost(Duration.ofSeconds(20))
                    .untilAsserted(() -> assertThatThrownBy(
                                    () -> open.get(0).getOutputStream().write(0))
                            .as("a connection that idles after its answer is closed")
                            .isInstanceOf(IOException.class));
        } finally {
            for (Socket socket : open) {
                socket.close();
            }
        }
    }

    @Test
    void large_requests_that_never_end_keep_no_small_one_from_an_answer() throws Exception {
        List<Socket> halfSent = new ArrayList<>();
        byte[] part = ("POST /api/login HTTP/1.1\r\nHost: x\r\nContent-Length: 2000000\r\n\r\n" + "x".repeat(1_900_000))
                .getBytes(UTF_8);
        try (var server = start(options.users(USERS))) {
            for (int i = 0; i < 20; i++) {
                var socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
                halfSent.add(socket);
                socket.setSoTimeout(10_000);
                socket.getOutputStream().write(part);
            }
            await("there is no room left for all of them")
                    .atMost(Duration.ofSeconds(20))
                    .until(() -> halfSent.stream().anyMatch(ConsoleServerTest::isAnswered));
            Socket refused = halfSent.stream()
                    .filter(ConsoleServerTest::isAnswered)
                    .findFirst()
                    .orElseThrow();
            assertThat(new String(refused.getInputStream().readNBytes(12), UTF_8))
                    .isEqualTo("HTTP/1.1 503");
            assertThat(login(server, "ann", "correct horse").statusCode()).isEqualTo(200);
        } finally {
            for (Socket socket : halfSent) {
                socket.close();
            }
        }
    }

    private static boolean isAnswered(Socket socket) {
        try {
            return socket.getInputStream().available() > 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void clients_that_never_finish_their_request_keep_nobody_from_an_answer() throws Exception {
        List<Socket> halfOpen = new ArrayList<>();
        try (var server = start(options.users(USERS))) {
            for (int i = 0; i < 600; i++) {
                var socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
                socket.getOutputStream()
                        .write("POST /api/login HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{".getBytes(UTF_8));
                halfOpen.add(socket);
            }
            long begin = System.nanoTime();

            assertThat(get(server, "/api/session").statusCode()).isEqualTo(200);

            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(5));
        } finally {
            for (Socket socket : halfOpen) {
                socket.close();
            }
        }
    }

    private static ConsoleServer start(ConsoleOptions options) {
        var console = new Console(options);
        return ConsoleServer.start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), console::answer);
    }

    private HttpResponse<String> login(ConsoleServer server, String name, String password) throws Exception {
        return post(server, "/api/login", "{\"name\":\"" + name + "\",\"password\":\"" + password + "\"}");
    }

    private HttpResponse<String> get(ConsoleServer server, String path, String... headers) throws Exception {
        return client.send(request(server, path, headers).build(), BodyHandlers.ofString());
    }

    private HttpResponse<String> post(ConsoleServer server, String path, String body, String... headers)
            throws Exception {
        return client.send(
                request(server, path, headers)
                        .POST(BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
    }

    private static HttpRequest.Builder request(ConsoleServer server, String path, String... headers) {
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path));
        return headers.length == 0 ? request : request.headers(headers);
    }

    private static String raw(ConsoleServer server, String text) throws IOException {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream().write(text.getBytes(UTF_8));
            return new String(socket.getInputStream().readAllBytes(), UTF_8);
        }
    }
}

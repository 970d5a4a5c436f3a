package io.waybill.console.embed;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.console.embed.EmbeddedConsoleSettings.Authentication;
import io.waybill.console.request.ConsoleRequest;
import io.waybill.console.request.ConsoleResponse;
import io.waybill.console.request.Identity;
import io.waybill.console.request.Role;
import io.waybill.console.security.PasswordHash;
import io.waybill.jdbc.JdbcStore;
import io.waybill.testkit.services.H2;
import io.waybill.testkit.services.database.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The console under a path of an application: who may ask, and what comes back. */
class EmbeddedConsoleTest {

    private static final String PROXY = "10.1.2.3";
    private static final String STRANGER = "203.0.113.9";

    private final TestDatabase database = H2.newDatabase();
    private final JdbcStore store = JdbcStore.on(database.dataSource()).initializeSchema();

    @TempDir
    Path directory;

    @SuppressWarnings("NullAway.Init")
    EmbeddedConsoleTest() {}

    @AfterEach
    void drop() {
        database.close();
    }

    @Test
    void its_path_leads_to_the_folder_of_its_pages_wherever_a_proxy_has_put_it() {
        EmbeddedConsole console = console(settings("/ops/waybill"), Authentication.NONE);

        ConsoleResponse redirect = console.answer(ConsoleRequest.of("GET", "/ops/waybill"));
        assertThat(redirect.status()).isEqualTo(302);
        assertThat(redirect.headers()).containsEntry("Location", "waybill/");
        assertThat(console.answer(ConsoleRequest.of("GET", "/ops/waybill/"))
                        .body()
                        .asText())
                .contains("<title>Waybill</title>");
        assertThat(console.answer(ConsoleRequest.of("GET", "/ops/waybill/api/session"))
                        .body()
                        .asText())
                .contains("\"role\":\"admin\"", "\"ops_shop\"");
        assertThat(console.answer(ConsoleRequest.of("GET", "/ops/waybillx/api/session"))
                        .status())
                .isEqualTo(404);
    }

    @Test
    void without_users_only_this_machine_gets_an_answer() {
        EmbeddedConsole console = console(settings("/waybill"), Authentication.NONE);
        ConsoleRequest local = ConsoleRequest.of("GET", "/waybill/api/session");

        assertThat(console.answer(local).status()).isEqualTo(200);
        for (ConsoleRequest other : List.of(
                local.from(STRANGER, false),
                local.header("Host", "shop.example"),
                local.header("X-Forwarded-For", "127.0.0.1"),
                local.header("X-Forwarded-Proto", "https"),
                local.header("Forwarded", "for=127.0.0.1"),
                local.from(STRANGER, false).header("X-Forwarded-For", "127.0.0.1"))) {
            assertThat(console.answer(other).status()).as(other.toString()).isEqualTo(403);
            assertThat(console.answer(other).body().asText()).contains("give it users");
            assertThat(console.answer(other.at("/waybill/")).status()).isEqualTo(403);
        }
    }

    @Test
    void that_everybody_on_this_machine_is_an_admin_must_be_said() throws IOException {
        Path users = directory.resolve("users.txt");
        Files.writeString(users, "ann:viewer:" + PasswordHash.ofPassword("correct horse") + "\n");
        EmbeddedConsoleSettings nothing = settings("/waybill", "", false, List.of(), "", "");

        assertThat(problems(nothing, Authentication.NONE))
                .singleElement()
                .satisfies(problem ->
                        assertThat(problem).startsWith("local-admin = false").contains("users", "proxy-user-header"));
        assertThat(problems(nothing, Authentication.APPLICATION)).isEmpty();
        assertThat(problems(nothing, Authentication.NONE_BEHIND_HEADERS)).isEmpty();
        assertThat(problems(settings("/waybill", users.toString(), false, List.of(), "", ""), Authentication.NONE))
                .isEmpty();
        assertThat(problems(settings("/waybill", "", false, List.of(PROXY), "X-User", ""), Authentication.NONE))
                .isEmpty();
        assertThat(problems(settings("/waybill"), Authentication.NONE)).isEmpty();
    }

    @Test
    void where_addresses_come_from_headers_nobody_is_known_to_be_on_this_machine() {
        EmbeddedConsole console = console(settings("/waybill"), Authentication.NONE_BEHIND_HEADERS);

        assertThat(console.answer(ConsoleRequest.of("GET", "/waybill/api/databases"))
                        .status())
                .isEqualTo(401);
        assertThat(settings("/waybill").isForNobody(Authentication.NONE_BEHIND_HEADERS))
                .isTrue();
    }

    @Test
    void the_application_says_who_asks_and_what_they_may_do() {
        EmbeddedConsole console = console(settings("/waybill"), Authentication.APPLICATION);
        ConsoleRequest databases = ConsoleRequest.of("GET", "/waybill/api/databases");

        assertThat(console.answer(databases).status())
                .as("nobody is logged in, and being local is no login")
                .isEqualTo(401);
        Identity viewer = console.identity("ann", List.of("ROLE_WAYBILL_VIEWER", "ROLE_USER")::contains);
        assertThat(viewer).isEqualTo(new Identity("ann", Role.VIEWER));
        assertThat(console.answer(databases.by(viewer)).status()).isEqualTo(200);
        assertThat(retry(console, viewer).status()).isEqualTo(403);
        assertThat(retry(console, console.identity("bob", List.of("ROLE_WAYBILL_OPERATOR")::contains))
                        .status())
                .isEqualTo(200);
        ConsoleResponse stranger = console.answer(databases.by(console.identity("eve", authority -> false)));
        assertThat(stranger.status()).isEqualTo(403);
        assertThat(stranger.body().asText()).contains("eve is logged in, but has no role");
    }

    private static ConsoleResponse retry(EmbeddedConsole console, Identity identity) {
        return console.answer(ConsoleRequest.of("POST", "/waybill/api/databases/ops_shop/failures/retry")
                .body("{\"filter\":{\"all\":true},\"reason\":\"test\"}")
                .by(identity));
    }

    @Test
    void a_trusted_proxy_names_the_user_and_nobody_else_can() {
        EmbeddedConsole console = console(
                settings("/waybill", "", List.of("10.0.0.0/8"), "X-Forwarded-User", "X-Forwarded-Role"),
                Authentication.NONE);
        ConsoleRequest named = ConsoleRequest.of("GET", "/waybill/api/session")
                .header("X-Forwarded-User", "ann")
                .header("X-Forwarded-Role", "operator");

        assertThat(console.answer(named.from(PROXY, false)).body().asText())
                .contains("\"name\":\"ann\"", "\"role\":\"operator\"", "\"login\":false");
        for (String client : List.of(STRANGER, "127.0.0.1")) {
            assertThat(console.answer(named.from(client, false)).body().asText())
                    .as(client)
                    .contains("\"role\":\"anyone\"");
        }
        ConsoleRequest change = ConsoleRequest.of("POST", "/waybill/api/logout")
                .from(PROXY, false)
                .header("Host", "shop:8080")
                .header("Origin", "https://console.example");
        assertThat(console.answer(change).status()).isEqualTo(403);
        assertThat(console.answer(change.header("X-Forwarded-Host", "console.example"))
                        .status())
                .isEqualTo(200);
    }

    @Test
    void five_wrong_logins_of_one_client_of_a_proxy_lock_no_other_out_and_cookies_know_tls() throws IOException {
        Path users = directory.resolve("users.txt");
        Files.writeString(users, "ann:viewer:" + PasswordHash.ofPassword("correct horse") + "\n");
        EmbeddedConsole console =
                console(settings("/waybill", users.toString(), List.of(PROXY), "", ""), Authentication.NONE);

        IntStream.range(0, 5)
                .forEach(
                        i -> assertThat(login(console, "198.51.100.66", "guess").status())
                                .isEqualTo(401));
        assertThat(login(console, "198.51.100.66", "correct horse").status()).isEqualTo(429);
        ConsoleResponse accepted = login(console, "198.51.100.7", "correct horse");
        assertThat(accepted.status()).isEqualTo(200);
        assertThat(accepted.headers().get("Set-Cookie")).contains("; Secure").doesNotContain("Path");

        ConsoleResponse direct = console.answer(
                credentials("correct horse").from(STRANGER, false).header("X-Forwarded-Proto", "https"));
        assertThat(direct.headers().get("Set-Cookie")).contains("HttpOnly").doesNotContain("Secure");
    }

    private static ConsoleResponse login(EmbeddedConsole console, String client, String password) {
        return console.answer(credentials(password)
                .from(PROXY, false)
                .header("X-Forwarded-For", client)
                .header("X-Forwarded-Proto", "https"));
    }

    private static ConsoleRequest credentials(String password) {
        return ConsoleRequest.of("POST", "/waybill/api/login")
                .body("{\"name\":\"ann\",\"password\":\"" + password + "\"}");
    }

    @Test
    void a_body_that_is_too_large_and_an_address_that_cannot_be_read_are_refused() {
        EmbeddedConsole console = console(settings("/waybill"), Authentication.NONE);

        assertThat(post(console, null, new byte[ConsoleRequest.MAX_BODY_BYTES + 1])
                        .status())
                .isEqualTo(413);
        assertThat(post(console, "a=%zz", new byte[0]).status()).isEqualTo(400);
    }

    private static ConsoleResponse post(EmbeddedConsole console, @Nullable String query, byte[] body) {
        return console.answer(
                "POST",
                "/waybill/api/logout",
                query,
                Map.of("host", "localhost"),
                body,
                "127.0.0.1",
                false,
                Optional.empty());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/", "waybill", "/waybill/", "/way bill", "/../x", "/{path}", "/a//b"})
    void a_path_that_could_not_work_is_refused(String path) {
        assertThat(problems(settings(path), Authentication.NONE))
                .singleElement()
                .satisfies(problem -> assertThat(problem).startsWith("path"));
    }

    @Test
    void everything_that_is_wrong_is_told_at_once() {
        var settings = new EmbeddedConsoleSettings(
                "waybill",
                false,
                List.of("[", "x"),
                "/no/such/file",
                false,
                Map.of("ops", "root"),
                List.of("proxy.example", "10.0.0.0/8"),
                "X Forwarded",
                "",
                "X-User",
                "");

        assertThat(problems(settings, Authentication.NONE))
                .extracting(problem -> problem.replaceFirst("(?s) = .*", ""))
                .containsExactlyInAnyOrder(
                        "path",
                        "mask",
                        "users",
                        "roles.ops",
                        "trusted-proxies",
                        "proxy-address-header",
                        "proxy-protocol-header");
        assertThat(problems(settings("/waybill", "", List.of(PROXY), "", ""), Authentication.NONE))
                .singleElement()
                .satisfies(problem -> assertThat(problem).contains("Nobody could use the console"));
        assertThat(problems(settings("/waybill", "", List.of(PROXY), "", ""), Authentication.APPLICATION))
                .isEmpty();
        assertThat(problems(settings("/waybill", "", List.of(), "X-User", ""), Authentication.NONE))
                .singleElement()
                .satisfies(problem -> assertThat(problem).contains("no proxy is trusted"));
    }

    private static List<String> problems(EmbeddedConsoleSettings settings, Authentication authentication) {
        List<String> problems = new ArrayList<>();
        settings.check(authentication, (setting, value, rule) -> problems.add(setting + " = " + value + ": " + rule));
        return problems;
    }

    private EmbeddedConsole console(EmbeddedConsoleSettings settings, Authentication authentication) {
        return settings.console(
                        List.of(EmbeddedConsole.database("ops shop", store)),
                        authentication,
                        (setting, value, rule) -> {
                            throw new AssertionError(setting + " " + rule);
                        })
                .orElseThrow();
    }

    private static EmbeddedConsoleSettings settings(String path) {
        return settings(path, "", List.of(), "", "");
    }

    private static EmbeddedConsoleSettings settings(
            String path, String users, List<String> proxies, String userHeader, String roleHeader) {
        return settings(path, users, true, proxies, userHeader, roleHeader);
    }

    private static EmbeddedConsoleSettings settings(
            String path, String users, boolean localAdmin, List<String> proxies, String userHeader, String roleHeader) {
        return new EmbeddedConsoleSettings(
                path,
                false,
                List.of(),
                users,
                localAdmin,
                Map.of(),
                proxies,
                "X-Forwarded-For",
                "X-Forwarded-Proto",
                userHeader,
                roleHeader);
    }
}

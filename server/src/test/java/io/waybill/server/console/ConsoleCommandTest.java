package io.waybill.server.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.WaybillException;
import io.waybill.console.request.ConsoleRequest;
import io.waybill.console.request.Identity;
import io.waybill.console.request.Role;
import io.waybill.console.security.ConsoleUser;
import io.waybill.console.security.PasswordHash;
import io.waybill.console.security.RoleMapping;
import io.waybill.console.security.TrustedProxies;
import io.waybill.server.Cli;
import io.waybill.server.Eventually;
import io.waybill.server.WaybillProcess;
import io.waybill.server.config.ConsoleSettings;
import io.waybill.server.config.ListenAddress;
import io.waybill.server.config.RelayConfigFile;
import io.waybill.server.database.DatabaseUrl;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.h2.tools.Server;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The console as the command line and the relay service start it. */
class ConsoleCommandTest {

    private static final Pattern ADDRESS = Pattern.compile("the console is at (http://127\\.0\\.0\\.1:\\d+/)");

    private final HttpClient client = HttpClient.newHttpClient();

    @TempDir
    Path directory;

    @SuppressWarnings("NullAway.Init")
    ConsoleCommandTest() {}

    @Test
    void the_command_serves_pages_and_the_api_of_its_database() throws Exception {
        Cli.run("schema", "apply", "--db", url());
        try (var console = WaybillProcess.start(
                directory, "console", List.of("-Xmx128m"), "console", "--db", url(), "--listen", "0")) {
            String address = address(console);

            assertThat(get(address, "").body()).contains("<title>Waybill</title>");
            assertThat(get(address, "api/session").body()).contains("\"role\":\"admin\"", "\"default\"");
            assertThat(get(address, "api/databases/default/overview").statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void the_relay_service_has_the_console_of_its_sources() throws Exception {
        Path config = directory.resolve("relay.yaml");
        Files.writeString(
                config,
                "sources: [{name: shop, db: \"" + url() + "\"}]\nroutes: [{to: \"stdout:\"}]\n"
                        + "console: {listen: \"0\", read-only: true}\n");
        try (var relay = WaybillProcess.start(
                directory, "relay", List.of("-Xmx128m"), "relay", "run", "--config", config.toString())) {
            String address = address(relay);

            Eventually.is(() ->
                    assertThat(get(address, "api/databases/shop/relays").body()).contains("\"alive\":true"));
            assertThat(get(address, "api/session").body()).contains("\"readOnly\":true");
        }
    }

    @Test
    void an_address_on_the_command_line_leaves_the_rest_of_the_file_in_force() throws Exception {
        Path users = directory.resolve("users.txt");
        Files.writeString(users, "robot:viewer:" + PasswordHash.ofToken("secret") + "\n");
        Path config = directory.resolve("relay.yaml");
        Files.writeString(
                config,
                "sources: [{name: shop, db: \"" + url() + "\"}]\nroutes: [{to: \"stdout:\"}]\n"
                        + "console: {listen: \"0.0.0.0:1\", read-only: true, users-file: \"" + users + "\"}\n");
        try (var relay = WaybillProcess.start(
                directory,
                "relay",
                List.of("-Xmx128m"),
                "relay",
                "run",
                "--config",
                config.toString(),
                "--console",
                "0")) {
            assertThat(get(address(relay), "api/session").body())
                    .contains("\"role\":\"anyone\"", "\"login\":true", "\"readOnly\":true");
        }
    }

    @Test
    void a_database_that_is_away_is_said_to_be_and_the_console_goes_on() throws Exception {
        var away = new ConsoleService.Named("away", DatabaseUrl.parse("postgresql://nobody@127.0.0.1:1/x"), "");
        try (var service = ConsoleService.start(List.of(away), ConsoleSettings.DEFAULT.at(ListenAddress.parse("0")))) {
            var response = get(service.url(), "api/databases/away/overview");

            assertThat(response.statusCode()).isEqualTo(503);
            assertThat(response.body()).contains("127.0.0.1:1");
            assertThat(get(service.url(), "api/session").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void a_database_that_stops_is_said_to_be_away_and_the_others_go_on() throws Exception {
        Server shop = databaseServer();
        Server billing = databaseServer();
        List<ConsoleService.Named> both = List.of(served("shop", shop), served("billing", billing));
        try (var service = ConsoleService.start(both, ConsoleSettings.DEFAULT.at(ListenAddress.parse("0")))) {
            assertThat(get(service.url(), "api/databases/billing/overview").statusCode())
                    .isEqualTo(200);
            billing.stop();

            var away = get(service.url(), "api/databases/billing/relays");

            assertThat(away.statusCode()).isEqualTo(503);
            assertThat(away.body()).contains("The database cannot be reached");
            assertThat(get(service.url(), "api/databases/billing/relays").statusCode())
                    .isEqualTo(503);
            assertThat(get(service.url(), "api/databases/shop/overview").statusCode())
                    .isEqualTo(200);
        } finally {
            shop.stop();
            billing.stop();
        }
    }

    @Test
    void a_database_without_tables_is_answered_with_what_to_do() throws Exception {
        var empty = new ConsoleService.Named("empty", DatabaseUrl.parse(url()), "");
        try (var service = ConsoleService.start(List.of(empty), ConsoleSettings.DEFAULT.at(ListenAddress.parse("0")))) {
            var response = get(service.url(), "api/databases/empty/overview");

            assertThat(response.statusCode()).isEqualTo(409);
            assertThat(response.body()).contains("waybill schema apply").doesNotContain("SELECT");
        }
    }

    private static Server databaseServer() throws SQLException {
        return Server.createTcpServer("-tcpPort", "0", "-ifNotExists").start();
    }

    private ConsoleService.Named served(String name, Server server) {
        String url = "jdbc:h2:tcp://127.0.0.1:" + server.getPort() + "/" + directory.resolve(name) + ";USER=sa";
        Cli.run("schema", "apply", "--db", url);
        return new ConsoleService.Named(name, DatabaseUrl.parse(url), "");
    }

    @Test
    void without_users_it_does_not_listen_for_other_machines() {
        var everywhere = ConsoleSettings.DEFAULT.at(ListenAddress.parse("0.0.0.0:0"));

        assertThatThrownBy(() -> ConsoleService.start(List.of(), everywhere))
                .isInstanceOf(WaybillException.class)
                .hasMessageContaining("for everybody");
    }

    @Test
    void a_printed_hash_is_one_that_the_file_of_users_takes() {
        String printed = Cli.run("console", "hash", "--token").out();
        Matcher both = Pattern.compile("token  (\\S+)\\s+hash   (\\S+)\\s*").matcher(printed);

        assertThat(both.matches()).as(printed).isTrue();
        assertThat(both.group(2)).isEqualTo(PasswordHash.ofToken(both.group(1)).toString());
        assertThat(ConsoleUser.parse(Stream.of("robot:operator:" + both.group(2))))
                .singleElement()
                .satisfies(user -> assertThat(user.role()).isEqualTo(Role.OPERATOR));
    }

    @Test
    void the_file_of_the_relay_service_describes_the_console() {
        assertThat(console("console: true")).contains(ConsoleSettings.DEFAULT);
        assertThat(console("console: false")).isEmpty();
        assertThat(console("")).isEmpty();
        assertThat(console("console: {listen: \"0.0.0.0:9000\", users-file: /u, mask: [name]}"))
                .contains(new ConsoleSettings(
                        ListenAddress.parse("0.0.0.0:9000"),
                        Optional.of(Path.of("/u")),
                        false,
                        List.of("name"),
                        TrustedProxies.NONE));
        assertThatThrownBy(() -> console("console: {listen: nowhere}")).hasMessageContaining("host:port");
        assertThatThrownBy(() -> console("console: {user: x}")).hasMessageContaining("users-file");
    }

    @Test
    void the_file_names_proxies_and_everything_that_is_wrong_with_them() {
        TrustedProxies proxies = console("console: {trusted-proxies: [10.0.0.0/8], proxy-user-header: X-User,"
                        + " proxy-role-header: X-Groups, roles: {ops: operator}}")
                .orElseThrow()
                .proxies();
        var request = ConsoleRequest.of("GET", "/").header("X-User", "ann").header("X-Groups", "dev,ops");

        assertThat(proxies.resolve(request.from("10.1.2.3", false)).identity())
                .contains(new Identity("ann", Role.OPERATOR));
        assertThat(proxies.resolve(request.from("11.1.2.3", false)).identity()).isEmpty();
        assertThatThrownBy(() -> console("console: {trusted-proxies: [proxy, 0.0.0.0/0], roles: {ops: root}}"))
                .hasMessageContaining("3 mistakes")
                .hasMessageContaining("console.trusted-proxies")
                .hasMessageContaining("console.roles");
        assertThatThrownBy(() -> console("console: {proxy-user-header: X-User}"))
                .hasMessageContaining("needs trusted-proxies");
    }

    @Test
    void a_proxy_that_authenticates_is_as_good_as_users_and_one_that_does_not_is_refused_without_them()
            throws Exception {
        var everywhere = ConsoleSettings.DEFAULT.at(ListenAddress.parse("0.0.0.0:0"));
        TrustedProxies proxies = TrustedProxies.of(List.of("127.0.0.1"));

        assertThatThrownBy(() -> ConsoleService.start(List.of(), everywhere.behind(proxies)))
                .isInstanceOf(WaybillException.class)
                .hasMessageContaining("Nobody could use the console");
        try (var service = ConsoleService.start(
                List.of(), everywhere.behind(proxies.users("X-User", "X-Role", RoleMapping.NAMES)))) {
            var request = HttpRequest.newBuilder(
                            URI.create(service.url().replace("0.0.0.0", "127.0.0.1") + "api/session"))
                    .header("X-User", "ann")
                    .header("X-Role", "admin");
            assertThat(client.send(request.build(), BodyHandlers.ofString()).body())
                    .contains("\"name\":\"ann\"", "\"role\":\"admin\"");
        }
        assertThat(Cli.run("console", "--db", url(), "--trusted-proxies", "proxy.example")
                        .err())
                .contains("--trusted-proxies", "is not an address");
        assertThat(Cli.run("console", "--db", url(), "--proxy-user-header", "X-User")
                        .err())
                .contains("no proxy is trusted");
    }

    private static Optional<ConsoleSettings> console(String yaml) {
        return RelayConfigFile.parse(
                        "relay.yaml",
                        "sources: [{name: shop, db: \"jdbc:h2:mem:x\"}]\nroutes: [{to: \"stdout:\"}]\n" + yaml,
                        name -> null)
                .console();
    }

    private String url() {
        return "jdbc:h2:" + directory.resolve("shop") + ";USER=sa;AUTO_SERVER=TRUE";
    }

    private static String address(WaybillProcess process) {
        var found = new String[1];
        Eventually.is(() -> {
            Matcher address = ADDRESS.matcher(process.log());
            assertThat(address.find()).as(process.log()).isTrue();
            found[0] = address.group(1);
        });
        return found[0];
    }

    private HttpResponse<String> get(String address, String path) throws Exception {
        return client.send(HttpRequest.newBuilder(URI.create(address + path)).build(), BodyHandlers.ofString());
    }
}

package io.waybill.console.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.console.Console;
import io.waybill.console.ConsoleOptions;
import io.waybill.console.api.ConsoleDatabase;
import io.waybill.console.http.ConsoleServer;
import io.waybill.console.request.Identity;
import io.waybill.console.request.Role;
import io.waybill.inbox.receive.ErrorSummary;
import io.waybill.jdbc.JdbcStore;
import io.waybill.message.Message;
import io.waybill.process.state.ProcessStatus;
import io.waybill.runtime.Waybill;
import io.waybill.testkit.services.H2;
import io.waybill.testkit.services.database.TestDatabase;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import tools.jackson.databind.JsonNode;

/** A database, a console on it that belongs to Ann, and a browser that the tests of a class share. */
abstract class PagesScenario {

    static final Duration PATIENCE = Duration.ofSeconds(30);
    static final String OPEN_LINE = "The same on the command line";

    @SuppressWarnings("NullAway.Init")
    static Chromium browser;

    final TestDatabase database = H2.newDatabase();
    final JdbcStore store = JdbcStore.on(database.dataSource()).initializeSchema();
    final ConsoleOptions options = ConsoleOptions.of(List.of(ConsoleDatabase.of("shop", "h2:mem:shop", store)));
    final ConsoleServer server;

    PagesScenario(Role role) {
        this.server = serve(options.local(new Identity("ann", role)));
    }

    @BeforeAll
    static void startBrowser() throws IOException {
        browser = Chromium.start();
    }

    @AfterAll
    static void endBrowser() throws Exception {
        if (browser != null) {
            browser.close();
        }
    }

    @AfterEach
    void end() {
        server.close();
        endApplication();
        database.close();
    }

    /** Before its database ends. */
    void endApplication() {}

    static ConsoleServer serve(ConsoleOptions options) {
        return ConsoleServer.start(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), new Console(options)::answer);
    }

    /** A page such as {@code failures}, on a wide screen. */
    void open(String page) {
        browser.look(1280, false);
        browser.problems(); // of scripts of the test, such as axe
        browser.open(address(server, page));
    }

    /** With timers that run twenty times as fast: a page is updated every fraction of a second. */
    final void openFast(String page) {
        browser.look(1280, false);
        browser.problems();
        browser.open(address(server, "inbox"));
        browser.awaitTrue("document.title.startsWith('Inbox')");
        browser.evaluate(
                "{ const usual = window.setInterval; window.setInterval = (run, millis) => usual(run, millis / 20); 0 }");
        browser.evaluate("location.hash = '#/" + page + "'");
        browser.awaitTrue("!document.title.startsWith('Inbox') && document.querySelector('main h1')");
    }

    /** Where a directory for them is given, pictures are taken. */
    static void pictures(String what) throws IOException {
        browser.look(360, false);
        assertThat(browser.evaluate("document.documentElement.scrollWidth").asInt())
                .as(what + " on a narrow screen")
                .isLessThanOrEqualTo(360);
        String directory = System.getProperty("waybill.screenshots", "");
        for (var look : Map.of("-narrow", 360, "-light", 1280, "-dark", 1281).entrySet()) {
            browser.look(look.getValue(), look.getKey().equals("-dark"));
            if (!directory.isEmpty()) {
                browser.screenshot(Path.of(directory, what + look.getKey() + ".png"));
            }
        }
        browser.look(1280, false);
    }

    static String address(ConsoleServer server, String page) {
        return "http://127.0.0.1:" + server.port() + "/#/" + page;
    }

    static List<String> buttons() {
        return browser.evaluate("[...document.querySelectorAll('main button')].map(one => one.innerText)")
                .valueStream()
                .map(JsonNode::asString)
                .toList();
    }

    /** Whether a button belongs to those who may change something. */
    static boolean changes(String button) {
        return button.matches(
                "(?i).*(retry|discard|skip|resolve|pause|resume|cancel|signal|unblock|redirect|send|start|edit|publish).*");
    }

    /** A trip whose payment was refused; the hotel does not answer when its room is cancelled. */
    static UUID blockedTrip(Waybill application, String key) {
        UUID id = application.processManager().startProcess("Trip", key, Map.of("guest", "Ann", "pin", "1234"));
        application.processManager().signal(id, "Card", Map.of("card", "x"));
        await().atMost(PATIENCE).until(() -> status(application, id) == ProcessStatus.FAILED);
        return id;
    }

    static ProcessStatus status(Waybill application, UUID id) {
        return application.processManager().find(id).orElseThrow().status();
    }

    void failPublishing() {
        store.transactions().inTransaction(transaction -> {
            IntStream.range(0, 3)
                    .forEach(i -> store.outbox()
                            .append(Message.event("Shipment", "{\"parcel\":" + i + "}")
                                    .to("courier")
                                    .inOrderOf("order-" + i)));
            return transaction;
        });
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.executeUpdate(
                    "UPDATE outbox SET status = 'FAILED', last_error = 'The courier refused: address incomplete',"
                            + " retry_count = 10 WHERE destination = 'courier'");
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    void failHandling(String key, String error) {
        var message = Message.event(
                        "Order", "{\"number\":1,\"password\":\"secret\",\"note\":\"" + "n".repeat(20) + "\"}")
                .to("orders")
                .inOrderOf(key.length() > 60 ? "hostile" : key)
                .header("x-note", key)
                .header("origin", "shop")
                .seal(UUID::randomUUID);
        store.transactions().inTransaction(transaction -> {
            store.failedStore()
                    .put(transaction, ErrorSummary.of(message, "billing", 3, new IllegalStateException(error)));
            return transaction;
        });
    }
}

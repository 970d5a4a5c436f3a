package io.waybill.console.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.console.TripProcess;
import io.waybill.console.embed.EmbeddedConsole;
import io.waybill.console.embed.EmbeddedConsoleSettings;
import io.waybill.console.http.ConsoleServer;
import io.waybill.console.security.PasswordHash;
import io.waybill.runtime.Waybill;
import io.waybill.testkit.services.H2;
import io.waybill.testkit.services.database.TestDatabase;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The pages under a path of an application, in a real browser. */
class EmbeddedPagesTest {

    private final TestDatabase database = H2.newDatabase();

    @TempDir
    Path directory;

    @SuppressWarnings("NullAway.Init")
    EmbeddedPagesTest() {}

    @Test
    void pages_logins_and_drawings_work_under_the_path_of_an_application() throws Exception {
        Path users = directory.resolve("users.txt");
        Files.writeString(users, "ann:operator:" + PasswordHash.ofPassword("correct horse") + "\n");
        try (var browser = Chromium.start();
                var application = Waybill.on(database.dataSource())
                        .handlers(new TripProcess.Partners(new AtomicBoolean()))
                        .processes(new TripProcess())
                        .start();
                var server = serve(console(users, application))) {
            application.processManager().startProcess("Trip", "trip-1", Map.of("guest", "Ann"));

            browser.look(1280, false);
            browser.open("http://127.0.0.1:" + server.port() + "/ops/waybill");
            browser.type("name", "ann");
            browser.type("password", "correct horse");
            browser.click("Log in");
            browser.awaitText("ann (operator)");
            browser.click("Processes");
            browser.click("Trip trip-1");
            browser.awaitTrue("document.querySelector('.graph img').naturalWidth > 100");

            assertThat(browser.evaluate("location.pathname").asString()).isEqualTo("/ops/waybill/");
            browser.click("Log out");
            browser.awaitTrue("document.querySelector('[name=password]')");
            assertThat(browser.problems())
                    .as("nothing was missing, and only the session was asked for without a login")
                    .allMatch(problem -> problem.contains("401"));
        } finally {
            database.close();
        }
    }

    private static EmbeddedConsole console(Path users, Waybill application) {
        var settings = new EmbeddedConsoleSettings(
                "/ops/waybill",
                false,
                List.of(),
                users.toString(),
                false,
                Map.of(),
                List.of(),
                "X-Forwarded-For",
                "X-Forwarded-Proto",
                "",
                "");
        return settings.console(
                        List.of(EmbeddedConsole.database("shop", application.store())),
                        EmbeddedConsoleSettings.Authentication.NONE,
                        (setting, value, rule) -> {
                            throw new AssertionError(setting + " " + rule);
                        })
                .orElseThrow();
    }

    private static ConsoleServer serve(EmbeddedConsole console) {
        return ConsoleServer.start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), console::answer);
    }
}

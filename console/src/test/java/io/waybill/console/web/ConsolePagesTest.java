package io.waybill.console.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.console.TripProcess;
import io.waybill.console.http.ConsoleServer;
import io.waybill.console.request.Role;
import io.waybill.console.security.ConsoleUser;
import io.waybill.console.security.PasswordHash;
import io.waybill.inbox.ReceivingOptions;
import io.waybill.message.Message;
import io.waybill.process.state.ProcessStatus;
import io.waybill.runtime.Waybill;
import io.waybill.store.failed.FailedSelection;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The pages of the console in a real browser, beside an application that works on the same database. */
class ConsolePagesTest extends PagesScenario {

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
}

package io.waybill.console.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.console.ConsoleOptions;
import io.waybill.console.TripProcess;
import io.waybill.console.http.ConsoleServer;
import io.waybill.console.request.Identity;
import io.waybill.console.request.Role;
import io.waybill.inbox.ReceivingOptions;
import io.waybill.message.Message;
import io.waybill.process.state.ProcessStatus;
import io.waybill.runtime.Waybill;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** The pages about processes, commands, scheduled messages and correlation in a real browser, beside an application that works. */
class ProcessPagesTest extends PagesScenario {

    private final AtomicBoolean hotelAnswers = new AtomicBoolean();
    private final Queue<String> reminded = new ConcurrentLinkedQueue<>();
    private final Waybill application = Waybill.on(database.dataSource())
            .receiving(ReceivingOptions.DEFAULT.attempts(1))
            .handlers(new TripProcess.Partners(hotelAnswers))
            .processes(new TripProcess())
            .start();

    ProcessPagesTest() {
        super(Role.OPERATOR);
    }

    @Override
    void endApplication() {
        application.close();
    }

    @Test
    void the_compensation_of_a_step_is_skipped_or_was_done_by_hand() {
        for (String verb : List.of("Skip", "Resolve")) {
            UUID id = blockedTrip(application, "trip-" + verb);
            open("processes?id=" + id);
            browser.awaitText("Book is blocked since");
            browser.click(verb);
            browser.type("reason", "the hotel was called");
            browser.click(OPEN_LINE);
            browser.awaitText("waybill process " + verb.toLowerCase(Locale.ROOT) + " --step Book " + id
                    + " --reason 'the hotel was called'");
            browser.awaitTrue(
                    "[...document.querySelectorAll('dialog button')].some(one => one.innerText === 'Copy as CLI command')");
            browser.click(verb);

            browser.awaitText(": done");
            await().atMost(PATIENCE).until(() -> status(application, id) == ProcessStatus.COMPENSATED);
            browser.click("Log");
            browser.awaitText("the hotel was called");
        }
        assertThat(browser.problems()).isEmpty();
    }

    @Test
    void a_process_is_started_paused_resumed_signalled_and_cancelled() {
        hotelAnswers.set(true);
        open("processes");
        browser.click("Start a process");
        browser.type("type", "Trip");
        browser.type("businessKey", "trip-9");
        clearText();
        browser.type("data", "{\"guest\":\"Ann\",\"amount\":12345678901234567890}");
        browser.type("reason", "the guest is on the phone");
        browser.click(OPEN_LINE);
        browser.awaitText(
                "waybill process start --key trip-9 --data '{\"guest\":\"Ann\",\"amount\":12345678901234567890}' Trip");
        browser.click("Start a process");
        browser.awaitText("start Trip trip-9: done");
        browser.awaitTrue("document.querySelector('main h1')?.innerText === 'Trip trip-9'");

        browser.click("Data");
        browser.awaitText("12345678901234567890");
        change("Pause", "wait a moment");
        browser.awaitTrue("document.querySelector('main .state')?.innerText === 'PAUSED'");
        change("Resume", "go on");
        browser.awaitTrue("document.querySelector('main .state')?.innerText === 'RUNNING'");
        browser.click("Signal");
        browser.type("reason", "the guest has paid");
        browser.click(OPEN_LINE);
        browser.awaitText("waybill process signal --name Card");
        browser.click("Signal");
        browser.awaitText("signal Card: done");
        browser.awaitTrue("document.querySelector('main .state')?.innerText === 'COMPENSATED'");

        UUID second = application.processManager().startProcess("Trip", "trip-10", Map.of("guest", "Ben"));
        open("processes?id=" + second);
        browser.click("Cancel process");
        browser.type("reason", "the guest does not travel");
        browser.click(OPEN_LINE);
        browser.awaitText("waybill process cancel " + second);
        browser.click("Cancel process");
        await().atMost(PATIENCE).until(() -> status(application, second) == ProcessStatus.COMPENSATED);
        assertThat(browser.problems()).isEmpty();
    }

    @Test
    void all_processes_that_match_are_retried_as_one_operation() throws IOException {
        List<UUID> trips = List.of(blockedTrip(application, "trip-1"), blockedTrip(application, "trip-2"));
        open("processes");
        browser.awaitText("trip-2");
        assertThat(buttons()).noneMatch(button -> button.endsWith("all that match"));
        browser.evaluate("[...document.querySelectorAll('.tabs a')].find(one => one.innerText === 'failed 2').click()");
        browser.awaitText("Retry all that match");
        pictures("processes-failed");
        hotelAnswers.set(true);
        browser.click("Retry all that match");
        browser.type("reason", "the hotel answers again");
        browser.click(OPEN_LINE);
        browser.awaitText("waybill process retry --status failed --reason 'the hotel answers again'");
        pictures("processes-retry");
        browser.click("Retry all that match");

        browser.awaitText("2 processes asked to retry.");
        browser.awaitText("No process matches.");
        trips.forEach(id -> await().atMost(PATIENCE).until(() -> status(application, id) == ProcessStatus.COMPENSATED));
        browser.click("Audit");
        browser.awaitTrue(
                "document.querySelector('[aria-label=Operations] tbody tr')?.innerText.includes('waybill process retry --status failed')");
        assertThat(browser.evaluate("document.querySelector('[aria-label=Operations] tbody tr').innerText")
                        .asString())
                .contains("DONE", "\t2\t", "ann", "2 processes asked to retry");
        pictures("processes-audit");

        open("processes?status=COMPENSATED&key=trip-1");
        browser.awaitText("trip-1");
        open("processes?status=RUNNING&key=trip-1");
        browser.awaitText("No process matches.");
        assertThat(buttons()).noneMatch(button -> button.endsWith("all that match"));
        assertThat(browser.problems()).isEmpty();
    }

    @Test
    void data_is_shown_before_and_after_each_step_and_the_tree_leads_from_cause_to_effect() {
        UUID id = blockedTrip(application, "trip-1");
        open("processes?view=data&id=" + id);
        browser.awaitText("Now");
        browser.awaitTrue(
                "[...document.querySelectorAll('summary')].some(one => one.innerText.includes('Card') && one.innerText.includes('sets card'))");
        browser.evaluate(
                "[...document.querySelectorAll('summary')].find(one => one.innerText.includes('Card')).click()");
        browser.awaitTrue("!document.querySelector('[aria-label=\"Data before Card\"]').innerText.includes('card')");
        browser.awaitTrue(
                "document.querySelector('[aria-label=\"Data after Card\"]').innerText.includes('\"card\": \"x\"')");
        browser.awaitTrue(
                "document.querySelector('[aria-label=\"Data after Card\"]').innerText.includes('\"pin\": \"***\"')");

        browser.click("Causes and effects");
        browser.awaitTrue("document.querySelector('.tree > ul > li > .node a')?.innerText === 'Trip trip-1'");
        browser.awaitTrue(
                "[...document.querySelectorAll('.tree li li .node')].some(one => /Book\\b/.test(one.innerText) && one.innerText.includes('step Book'))");
        browser.awaitTrue(
                "[...document.querySelectorAll('.tree li li .node')].some(one => one.innerText.includes('compensates Book'))");
        browser.click("Book");
        browser.awaitTrue("document.querySelector('main h1')?.innerText === 'Book'");
        browser.evaluate("document.querySelector('main a[href*=correlation]').click()");
        browser.awaitTrue("document.querySelector('.tree > ul > li > .node a')?.innerText === 'Trip trip-1'");
        assertThat(browser.problems()).isEmpty();
    }

    @Test
    void a_command_is_sent_to_its_handler_and_one_that_nobody_handles_is_warned_of() {
        open("commands");
        send("Book", "request-1", "{\"guest\":\"Ann\"}");
        browser.awaitTrue("document.querySelector('main h1')?.innerText === 'Book'");
        browser.awaitTrue("document.querySelector('main .state')?.innerText === 'COMPLETED'");

        open("commands");
        send("Fly", "request-2", "{}");
        browser.awaitText("No live application or relay serves APP.CMD.FLY.Q");
        browser.awaitTrue("document.querySelector('main h1')?.innerText === 'Fly'");
        assertThat(browser.problems()).isEmpty();

        open("commands");
        send("Book", "request-1", "{\"guest\":\"Ben\"}");
        browser.awaitText("Duplicate idempotency key: request-1");
        assertThat(browser.problems()).as("the refused command").hasSize(1);
    }

    @Test
    void a_scheduled_message_is_published_before_its_time() {
        application.subscribe("reminders", "mailer", String.class, received -> reminded.add(received.payload()));
        schedule("reminders", "order-1");
        schedule("reminders", "order-2");
        open("scheduled");
        browser.awaitText("order-2");
        browser.click("Send now");
        browser.type("reason", "the guest asked for it");
        browser.click(OPEN_LINE);
        browser.awaitText("waybill outbox scheduled publish ");
        browser.click("Send now");
        browser.awaitText("1 scheduled message made due");
        await().atMost(PATIENCE).until(() -> reminded.size() == 1);
        browser.awaitTrue("document.querySelectorAll('[aria-label=\"Scheduled messages\"] tbody tr').length === 1");

        browser.click("Discard");
        browser.type("reason", "nobody waits for it");
        browser.click("Discard");
        browser.awaitText("1 scheduled messages discarded");
        browser.awaitText("No message is scheduled.");
        assertThat(reminded).hasSize(1);
        assertThat(browser.problems()).isEmpty();
    }

    @Test
    void paused_updates_ask_for_nothing_until_they_are_resumed() {
        UUID id = blockedTrip(application, "trip-1");
        open("processes?id=" + id);
        browser.awaitText("Book is blocked since");
        browser.awaitTrue(
                "performance.getEntriesByType('resource').some(one => one.name.includes('live=true') && !one.name.includes('graph'))");
        browser.awaitText("updated ");

        browser.click("Pause updates");
        browser.awaitText("Resume updates");
        browser.evaluate("performance.clearResourceTimings()");
        browser.awaitTrue("performance.getEntriesByType('resource').length <= 1"); // the one that was under way
        browser.evaluate("performance.clearResourceTimings()");
        await().during(Duration.ofSeconds(1)).atMost(Duration.ofSeconds(5)).until(() -> requests() <= 1);
        browser.click("Resume updates");
        browser.awaitTrue("performance.getEntriesByType('resource').length > 1");
        assertThat(browser.problems()).isEmpty();
    }

    @Test
    void who_may_change_nothing_sees_no_button_that_would() {
        UUID id = blockedTrip(application, "trip-1");
        schedule("reminders", "order-1");
        List<ConsoleOptions> without = List.of(
                options.local(new Identity("eve", Role.ADMIN)).readOnly(true),
                options.local(new Identity("vera", Role.VIEWER)));
        for (ConsoleOptions who : without) {
            try (ConsoleServer other = serve(who)) {
                for (String page :
                        List.of("processes", "processes?id=" + id, "commands", "scheduled", "correlation?id=" + id)) {
                    browser.open(address(other, page));
                    browser.awaitTrue("document.querySelector('main td, .tree li')");
                    assertThat(buttons()).as(page).noneMatch(PagesScenario::changes);
                }
                open("audit"); // of a server that goes on
            }
        }
        assertThat(browser.problems()).isEmpty();
    }

    @Test
    void the_pages_are_usable_in_light_dark_and_on_a_narrow_screen() throws IOException {
        UUID id = blockedTrip(application, "trip-1");
        UUID message = schedule("reminders", "order-1");
        schedule("reminders.of.the.whole.company", "order-2");
        store.scheduledMessages().makeDue(List.of(schedule("reminders", "order-3")));
        var accessibility = new Accessibility(browser);
        Map<String, String> pages = Map.of(
                "scheduled", "scheduled",
                "scheduled-one", "scheduled?id=" + message,
                "correlation", "correlation?id=" + id,
                "process-data", "processes?view=data&id=" + id);
        for (var page : pages.entrySet()) {
            open(page.getValue());
            browser.awaitTrue("!document.body.innerText.includes('Loading')");
            browser.evaluate("document.querySelectorAll('main details').forEach(one => { one.open = true; })");
            assertThat(browser.problems()).as(page.getKey()).isEmpty();
            accessibility.check(page.getKey());
        }
        for (var dialog : Map.of("processes", "Start a process", "commands", "Send a command")
                .entrySet()) {
            open("" + dialog.getKey());
            browser.click(dialog.getValue());
            browser.awaitTrue("document.querySelector('dialog[open]')");
            accessibility.check(dialog.getKey() + "-dialog");
        }
    }

    private void send(String type, String key, String payload) {
        browser.click("Send a command");
        browser.type("type", type);
        browser.type("idempotencyKey", key);
        clearText();
        browser.type("payload", payload);
        browser.type("reason", "asked for by phone");
        browser.click(OPEN_LINE);
        browser.awaitText("waybill command send --idempotency-key " + key);
        browser.click("Send a command");
    }

    private static void clearText() {
        browser.evaluate("{ const area = document.querySelector('dialog textarea'); area.value = '';"
                + " area.dispatchEvent(new Event('input', { bubbles: true })); 0 }");
    }

    private void change(String verb, String reason) {
        browser.click(verb);
        browser.type("reason", reason);
        browser.click(OPEN_LINE);
        browser.awaitText("waybill process " + verb.toLowerCase(Locale.ROOT));
        browser.click(verb);
    }

    @Override
    void open(String page) {
        openFast(page);
    }

    private static int requests() {
        return browser.evaluate("performance.getEntriesByType('resource').length")
                .asInt();
    }

    private UUID schedule(String destination, String key) {
        UUID id = UUID.randomUUID();
        store.transactions()
                .inTransaction(transaction -> store.outbox()
                        .append(Message.event("Reminder", "{\"order\":1,\"password\":\"secret\"}")
                                .to(destination)
                                .inOrderOf(key)
                                .header("correlation-id", key)
                                .id(id)
                                .after(Duration.ofHours(1))));
        return id;
    }
}

package io.waybill.console.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.console.FailedOrders;
import io.waybill.console.request.Role;
import io.waybill.inbox.Retry;
import io.waybill.inbox.receive.ErrorSummary;
import io.waybill.message.Envelope;
import io.waybill.message.Message;
import io.waybill.ops.FailedMessages.Target;
import io.waybill.store.admin.OutboxStatus;
import io.waybill.store.admin.Selection;
import io.waybill.store.admin.StoredMessage;
import io.waybill.store.failed.FailedMessage;
import io.waybill.store.failed.FailedSelection;
import io.waybill.store.outbox.ClaimedMessage;
import io.waybill.store.outbox.Lane;
import io.waybill.store.outbox.Lease;
import io.waybill.store.outbox.LeaseStore;
import io.waybill.store.outbox.OnExhausted;
import io.waybill.store.outbox.Settlements;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What people do about failed messages, in a real browser. */
class FailurePagesTest extends PagesScenario {

    private static final Duration LEASE_TIME = Duration.ofMinutes(5);
    private static final int KEYS = 3;

    FailurePagesTest() {
        super(Role.ADMIN);
    }

    @Test
    void a_message_that_failed_again_is_found_by_its_chip_edited_and_retried() throws IOException {
        FailedOrders.put(store, 5);
        retryAndFailAgain();

        open("failures");
        browser.awaitText("1 of these failed again after a retry");
        pictures("failed-again");
        browser.click("1 of these failed again after a retry");
        browser.awaitText("Failed again after a retry");
        browser.awaitTrue("document.querySelectorAll('tbody tr').length === 1");
        browser.evaluate("document.querySelector('tbody th a').click()");
        browser.awaitText("retried by eve");
        assertThat(journey())
                .satisfiesExactly(
                        one -> assertThat(one).contains("attempt failed", "no ink"),
                        two -> assertThat(two).contains("operator", "retried by eve"),
                        three -> assertThat(three).contains("attempt failed", "no ink"),
                        four -> assertThat(four).contains("not tried again until somebody retries it"));
        pictures("attempts");
        assertThat(browser.text()).contains("\"***\"").doesNotContain("secret");
        browser.click("Show what is masked");
        browser.awaitText("\"secret\"");
        browser.click("Edit and retry");
        replace("payload", "{\"number\":7}");
        browser.type("reason", "a typo");
        browser.click(OPEN_LINE);
        String id = browser.evaluate("new URLSearchParams(location.hash.split('?')[1]).get('failed')")
                .asString();
        browser.awaitText("waybill failed edit " + id + " --payload '{\"number\":7}' --reason 'a typo'"
                + " && waybill failed retry --id " + id + " --reason 'a typo'");
        pictures("edit-dialog");
        browser.click("Edit and retry");

        browser.awaitText("Not failed any more");
        assertThat(pending()).extracting(one -> payload(one)).containsExactly("{\"number\":7}");
        browser.click("Audit");
        browser.awaitText("console reveal failed message");
        browser.awaitText("a typo");
        assertThat(browser.problems()).as("the message that is gone").hasSizeLessThanOrEqualTo(1);
    }

    @Test
    void a_failed_message_is_discarded_with_a_reason() {
        FailedOrders.put(store, 1);

        open("failures?failed=" + failed().get(0).id());
        browser.click("Discard");
        browser.type("reason", "nobody needs it");
        browser.click("Discard");

        browser.awaitText("Not failed any more");
        assertThat(failed()).isEmpty();
        assertThat(store.operationLog().latest(1).get(0).reason()).isEqualTo("nobody needs it");
    }

    @Test
    void an_open_dialog_stays_when_somebody_else_is_first_and_says_that_nothing_was_changed() throws IOException {
        FailedOrders.put(store, 5);
        openFast("failures");
        browser.click("Retry all");
        browser.type("reason", "ink has come");
        store.failedMessages().by("eve").retry(FailedSelection.all(), Target.HANDLER, "ink", done -> {});
        await().during(Duration.ofSeconds(1))
                .atMost(PATIENCE)
                .until(() -> browser.evaluate(
                                "document.querySelector('dialog[open] [name=reason]')?.value === 'ink has come'")
                        .asBoolean());
        browser.click("Retry all");
        browser.awaitText("Nothing was changed: 0 failed messages retried. Somebody else may have been first.");
        assertThat(browser.evaluate("document.querySelector('.notice p').className")
                        .asString())
                .isEqualTo("warn");
        browser.awaitText("Nothing has failed");
        pictures("nothing-changed");

        FailedOrders.put(store, 2);
        browser.awaitText("Discard all");
        browser.click("Discard all");
        browser.awaitTrue("document.querySelector('dialog[open]')");
        store.failedMessages().by("eve").discard(FailedSelection.all(), "old", done -> {});
        browser.click("Cancel");
        browser.awaitTrue("!document.querySelector('dialog')");
        browser.awaitText("Nothing has failed");
        assertThat(browser.problems()).isEmpty();
    }

    @Test
    void all_of_a_list_is_changed_only_where_the_change_has_every_filter_of_the_list() {
        refusePublishing();
        FailedOrders.put(store, 1);
        FailedMessage one = failed().get(0);
        String handler = "failures?kind=handler&source=" + one.source() + "&handler=" + one.handler();
        String id = store.admin()
                .list(Selection.failed(), 0, 1)
                .get(0)
                .envelope()
                .id()
                .toString();
        Map<String, Boolean> whole = Map.ofEntries(
                Map.entry("messages?status=FAILED", true),
                Map.entry("messages?status=FAILED&messageKey=&type=Shipment&key=order-1&error=refused", true),
                Map.entry("messages?status=FAILED&messageKey=parcel", false),
                Map.entry("messages?status=FAILED&id=" + id, false),
                Map.entry("messages?status=FAILED,HELD", false),
                Map.entry("failures?kind=publish&status=FAILED&destination=courier", true),
                Map.entry("failures?kind=publish&status=HELD&destination=courier", false),
                Map.entry("failures?kind=publish&status=FAILED&destination=courier&key=order-1", false),
                Map.entry(handler, true),
                Map.entry(handler + "&type=" + one.message().type(), false));
        whole.forEach((page, expected) -> {
            open("inbox");
            browser.evaluate("location.hash = '#/" + page + "'");
            browser.awaitTrue("!document.title.startsWith('Inbox') && document.querySelector('main td')"
                    + " && !document.body.innerText.includes('Loading')");
            assertThat(buttons().stream().anyMatch(button -> button.startsWith("Discard all")))
                    .as(page)
                    .isEqualTo(expected);
        });
        assertThat(browser.problems()).isEmpty();
    }

    @Test
    void a_group_that_could_not_be_published_is_redirected_in_order_and_a_message_alone() throws IOException {
        refusePublishing();

        open("failures");
        browser.click("Redirect all");
        browser.type("destination", "courier.two");
        browser.type("reason", "the courier has closed");
        browser.click(OPEN_LINE);
        browser.awaitText("waybill outbox redirect --to courier.two --status FAILED --destination courier");
        pictures("redirect");
        browser.click("Redirect all");
        browser.awaitText("Nothing has failed");

        List<StoredMessage> moved = store.admin().list(Selection.all().to("courier.two"), 0, 100);
        assertThat(moved).hasSize(2 * KEYS).extracting(StoredMessage::status).containsOnly(OutboxStatus.PENDING);
        open("messages?message=" + moved.get(0).envelope().id());
        browser.awaitText("redirected to courier.two by ann");
        pictures("journey");
        assertThat(browser.problems()).isEmpty();
    }

    @Test
    void a_blocked_key_is_unblocked_and_a_refused_message_edited() {
        refusePublishing();

        open("messages?queue=order-1&destination=courier");
        browser.awaitText("holds 1 message behind it");
        browser.click("Unblock");
        browser.type("reason", "the address is complete");
        browser.click(OPEN_LINE);
        browser.awaitText("waybill outbox unblock courier order-1");
        browser.click("Unblock");
        browser.awaitText("The key moves on");
        assertThat(pending()).hasSize(2);

        StoredMessage refused = store.admin().list(Selection.failed(), 0, 1).get(0);
        open("messages?message=" + refused.envelope().id());
        browser.click("Edit and retry");
        replace("payload", "{\"parcel\":77}");
        browser.type("reason", "the weight was wrong");
        browser.click(OPEN_LINE);
        browser.awaitText("waybill outbox edit " + refused.envelope().id());
        browser.click("Edit and retry");
        browser.awaitText("edited and replayed by ann");
        assertThat(payload(refused)).isEqualTo("{\"parcel\":77}");
        assertThat(browser.problems()).isEmpty();
    }

    @Test
    void an_operation_is_stopped_and_one_whose_process_has_ended_is_finished() throws Exception {
        FailedOrders.put(store, 1_200);
        database.execute(
                "INSERT INTO operation_log (operation_id, started_at, seen_at, operator, database_user, command, reason,"
                        + " request, result) VALUES (RANDOM_UUID(), DATEADD(HOUR, -1, CURRENT_TIMESTAMP),"
                        + " DATEADD(HOUR, -1, CURRENT_TIMESTAMP), 'eve', 'sa', 'waybill failed discard --handler billing', 'old',"
                        + " 'failures/discard' || CHAR(10) || '{\"filter\":{\"handler\":\"billing\"},\"reason\":\"old\"}', '500 so far')");
        try (Connection other = database.dataSource().getConnection();
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute(
                    "SELECT id FROM failed_message WHERE id = (SELECT min(id) + 700 FROM failed_message) FOR UPDATE");
            open("failures");
            browser.click("Retry all");
            browser.type("reason", "ink");
            browser.click("Retry all");
            browser.awaitText("It goes on; the page Audit shows its progress");
            browser.click("Audit");
            browser.awaitText("Its process ended after 500");
            browser.awaitText("RUNNING");
            pictures("operations");
            browser.click("Stop");
            browser.awaitText("Ends after the step that is being done");
        }
        browser.awaitText("CANCELLED");
        assertThat(failed()).hasSizeBetween(100, 700);
        browser.click("Run the rest");
        browser.awaitText("failed messages discarded");
        browser.awaitTrue("!document.body.innerText.includes('INTERRUPTED')");
        browser.awaitText("the rest was started again by ann");
        assertThat(failed()).isEmpty();
        assertThat(browser.problems()).isEmpty();
    }

    private static List<String> journey() {
        return browser.evaluate("[...document.querySelectorAll('.journey li')].map(one => one.innerText)")
                .valueStream()
                .map(JsonNode::asString)
                .toList();
    }

    private static void replace(String field, String text) {
        browser.awaitTrue("document.querySelector('dialog[open] [name=" + field + "]')");
        browser.evaluate("(() => { const one = document.querySelector('dialog[open] [name=" + field + "]');"
                + " one.value = ''; one.dispatchEvent(new Event('input', { bubbles: true })); })()");
        browser.type(field, text);
    }

    private List<FailedMessage> failed() {
        return store.failedStore().list(FailedSelection.all(), 0, 10_000);
    }

    private List<StoredMessage> pending() {
        return store.admin().list(Selection.of(OutboxStatus.PENDING), 0, 100);
    }

    private String payload(StoredMessage message) {
        return store.admin()
                .find(message.envelope().id())
                .orElseThrow()
                .envelope()
                .payload()
                .asText();
    }

    /** The first one, by eve; its handler fails once more. */
    private void retryAndFailAgain() {
        store.failedMessages()
                .by("eve")
                .retry(FailedSelection.of(List.of(failed().get(0).id())), Target.HANDLER, "ink", done -> {});
        UUID id = pending().get(0).envelope().id();
        Envelope row = store.admin().find(id).orElseThrow().envelope();
        Retry retry = Retry.in(row);
        store.transactions().inTransaction(transaction -> {
            store.failedStore()
                    .put(
                            transaction,
                            ErrorSummary.of(retry.original(), "billing", 3, FailedOrders.noInk())
                                    .ofRow(id, retry.retries()));
            return transaction;
        });
        try {
            database.execute("DELETE FROM outbox");
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    /** Two messages of each key: the first is refused for the last time, the second is held. */
    private void refusePublishing() {
        store.transactions().inTransaction(transaction -> {
            IntStream.range(0, 2 * KEYS)
                    .forEach(i -> store.outbox()
                            .append(Message.event("Shipment", "{\"parcel\":" + i + "}")
                                    .to("courier")
                                    .key("parcel")
                                    .inOrderOf("order-" + i % KEYS)));
            return transaction;
        });
        LeaseStore leases = store.leaseStore(LeaseStore.DEFAULT_POOL);
        List<LeaseStore.Wanted> wanted = leases.renew("relay", ">**", List.of(), LEASE_TIME).owners().stream()
                .map(row -> new LeaseStore.Wanted(row, List.of()))
                .toList();
        List<Lease> held = leases.take(wanted, "relay", LEASE_TIME).stream()
                .map(taken -> new Lease(leases.pool(), taken.shard(), taken.token(), false))
                .toList();
        var limits = new LinkedHashMap<Lane, Integer>();
        store.outboxStore().lanes().forEach(lane -> limits.put(lane, 100));
        var settlements = Settlements.none();
        var seen = new ArrayList<String>();
        for (ClaimedMessage message :
                store.outboxStore().claim(limits, Long.MAX_VALUE).messages()) {
            String key = message.envelope().partitionKey();
            if (seen.contains(key)) {
                settlements.held().add(message);
            } else {
                seen.add(key);
                settlements
                        .failures()
                        .add(new Settlements.Failure(
                                message, "The courier refused: address incomplete", OnExhausted.PARK));
            }
        }
        store.outboxStore().settle(held, settlements);
    }
}

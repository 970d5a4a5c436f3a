package io.waybill.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.console.api.Action;
import io.waybill.inbox.Retry;
import io.waybill.inbox.receive.ErrorSummary;
import io.waybill.message.Envelope;
import io.waybill.message.Message;
import io.waybill.store.admin.Selection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What the admin API says of messages that failed, and does with groups of them, on every database. */
abstract class FailureContract extends ConsoleScenario {

    @Test
    void a_message_that_failed_again_after_its_retry_is_shown_apart_with_its_history() {
        FailedOrders.put(store, 3);
        JsonNode group = browser.get(DB + "/failures").get("items").get(0);
        assertThat(group.get("failedAgain").asInt()).isZero();
        String id = browser.get(DB + "/failures/messages")
                .get("items")
                .get(0)
                .get("id")
                .asString();
        browser.post(DB + "/failures/retry", "{'filter':{'ids':['" + id + "']},'reason':'ink'}");
        failAgain();

        assertThat(browser.get(DB + "/failures")
                        .get("items")
                        .valueStream()
                        .mapToInt(one -> one.get("failedAgain").asInt())
                        .sum())
                .isEqualTo(1);
        JsonNode again =
                browser.get(DB + "/failures/messages", "retried", "true").get("items");
        assertThat(again).hasSize(1);
        assertThat(again.get(0).get("retries").asInt()).isEqualTo(1);
        JsonNode shown =
                browser.get(DB + "/failures/messages/" + again.get(0).get("id").asString());
        assertThat(texts(shown))
                .containsExactly(
                        "failed IllegalStateException: no ink",
                        "operator retried by ann",
                        "failed IllegalStateException: no ink");
        assertThat(browser.post(DB + "/failures/discard", "{'filter':{'retried':true},'reason':'give up'}")
                        .get("command")
                        .asString())
                .isEqualTo("waybill failed discard --retried");
        assertThat(browser.get(DB + "/failures/messages").get("items")).hasSize(2);
    }

    @Test
    void a_group_that_could_not_be_published_is_redirected_as_a_whole() throws SQLException {
        store.transactions().inTransaction(transaction -> {
            IntStream.range(0, 6)
                    .forEach(i -> store.outbox()
                            .append(Message.event("Shipment", "{}")
                                    .to("courier")
                                    .inOrderOf("order-" + i)));
            return transaction;
        });
        database.execute("UPDATE outbox SET status = 'FAILED', last_error = 'refused: closed'");

        JsonNode done = browser.post(
                DB + "/messages/redirect",
                "{'filter':{'statuses':['FAILED'],'destination':'courier','error':'refused: closed'},"
                        + "'destination':'courier.two','reason':'it has closed'}");

        assertThat(done.get("changed").asInt()).isEqualTo(6);
        assertThat(done.get("what").asString()).isEqualTo("6 messages redirected to courier.two");
        assertThat(done.get("command").asString())
                .isEqualTo("waybill outbox redirect --to courier.two --status FAILED --destination courier"
                        + " --error 'refused: closed'");
        JsonNode moved =
                browser.get(DB + "/messages", "destination", "courier.two").get("items");
        assertThat(moved)
                .hasSize(6)
                .allMatch(one -> one.get("status").asString().equals("PENDING"));
        JsonNode one = browser.get(DB + "/messages/" + moved.get(0).get("id").asString());
        assertThat(texts(one)).containsExactly("operator redirected to courier.two by ann");
        assertThat(one.get("commands").get("edit").asString()).startsWith("waybill outbox edit ");
        assertThat(browser.get(DB + "/messages", "retried", "true").get("items"))
                .hasSize(6);
        assertThat(browser.answer("POST", DB + "/messages/redirect", "{'filter':{'all':true},'reason':'x'}")
                        .status())
                .as("without a destination")
                .isEqualTo(400);
        assertThat(browser.answer("POST", DB + "/messages/redirect", "{'filter':{},'destination':'x','reason':'x'}")
                        .status())
                .as("without a selection")
                .isEqualTo(400);
    }

    @Test
    void a_change_of_a_group_that_could_not_be_published_changes_no_other_group() throws SQLException {
        store.transactions().inTransaction(transaction -> {
            Stream.of("timeout", "read timeout after 5 s", "null", "empty")
                    .forEach(type -> store.outbox()
                            .append(Message.event(type, "{}").to("courier").inOrderOf(type)));
            return transaction;
        });
        database.execute("UPDATE outbox SET status = 'FAILED', last_error = type WHERE type LIKE '%timeout%'");
        database.execute("UPDATE outbox SET status = 'FAILED', last_error = '' WHERE type = 'empty'");
        database.execute("UPDATE outbox SET status = 'FAILED', last_error = NULL WHERE type = 'null'");

        JsonNode groups = browser.get(DB + "/failures").get("items");
        assertThat(groups.valueStream().map(FailureContract::errorGroup))
                .containsExactlyInAnyOrder("timeout", "read timeout after 5 s", "(no error)");
        for (JsonNode group : groups) {
            JsonNode listed = browser.get(DB + "/messages", "status", "FAILED", "errorGroup", errorGroup(group));
            JsonNode done = browser.post(
                    DB + "/messages/discard",
                    "{'filter':{'statuses':['FAILED'],'destination':'courier','errorGroup':'" + errorGroup(group)
                            + "'},'reason':'nobody waits'}");
            assertThat(listed.get("items")).hasSize(group.get("count").asInt());
            assertThat(done.get("changed").asInt()).isEqualTo(group.get("count").asInt());
            assertThat(done.get("command").asString()).contains(" --error-group " + Action.quoted(errorGroup(group)));
        }
    }

    private static String errorGroup(JsonNode group) {
        return group.get("filter").get("errorGroup").asString();
    }

    @Test
    void an_edit_and_an_unblocked_key_are_audited_as_their_command_lines() throws SQLException {
        store.transactions()
                .inTransaction(transaction -> store.outbox()
                        .append(Message.event("Shipment", "{\"pin\":1}")
                                .to("courier")
                                .inOrderOf("order 1")));
        database.execute("UPDATE outbox SET status = 'FAILED', last_error = 'refused'");
        String id = browser.get(DB + "/messages").get("items").get(0).get("id").asString();

        browser.post(
                DB + "/messages/" + id + "/replay",
                "{'payload':'{\\'pin\\':2}','destination':'courier two','reason':'typo'}");
        browser.post(DB + "/keys/unblock", "{'destination':'courier','key':'order 1','reason':'open again'}");

        JsonNode audit = browser.get(DB + "/audit").get("items");
        assertThat(audit.get(0).get("command").asString()).isEqualTo("waybill outbox unblock courier 'order 1'");
        assertThat(audit.get(1).get("command").asString())
                .isEqualTo("waybill outbox edit " + id + " --destination 'courier two'");
    }

    @Test
    void two_operators_who_retry_the_same_group_retry_each_message_once_and_see_what_they_did() throws Exception {
        FailedOrders.put(store, 1_600);

        List<CompletableFuture<JsonNode>> both = Stream.of("ann", "eve")
                .map(name -> CompletableFuture.supplyAsync(() ->
                        browser(name).post(DB + "/failures/retry", "{'filter':{'handler':'billing'},'reason':'ink'}")))
                .toList();
        long changed = both.stream()
                .mapToLong(one -> one.join().get("changed").asLong())
                .sum();

        assertThat(changed).isEqualTo(1_600);
        assertThat(both)
                .extracting(CompletableFuture::join)
                .allSatisfy(one -> assertThat(one.get("changed").asLong()
                                + one.get("skipped").asLong()
                                + one.get("conflicting").asLong())
                        .isEqualTo(one.get("total").asLong()));
        assertThat(store.admin().count(Selection.all())).isEqualTo(1_600);
        JsonNode audit = browser.get(DB + "/audit").get("items");
        assertThat(audit).hasSize(2);
        assertThat(audit.valueStream()
                        .mapToLong(one -> Long.parseLong(
                                one.get("result").asString().replaceFirst(" failed messages retried.*", "")))
                        .sum())
                .as("what the audit says of both")
                .isEqualTo(1_600);
    }

    private static List<String> texts(JsonNode detail) {
        return detail.get("attempts")
                .valueStream()
                .map(one -> one.get("kind").asString() + " " + one.get("text").asString())
                .toList();
    }

    /** As its handler does with the last attempt of what is on its way. */
    private void failAgain() {
        Envelope row = store.admin().list(Selection.all(), 0, 1).get(0).envelope();
        Envelope whole = store.admin().find(row.id()).orElseThrow().envelope();
        Retry retry = Retry.in(whole);
        store.transactions().inTransaction(transaction -> {
            store.failedStore()
                    .put(
                            transaction,
                            ErrorSummary.of(retry.original(), "billing", 3, new IllegalStateException("no ink"))
                                    .ofRow(row.id(), retry.retries()));
            return transaction;
        });
    }
}

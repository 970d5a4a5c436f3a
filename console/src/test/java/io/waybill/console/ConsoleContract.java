package io.waybill.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.console.request.ConsoleRequest;
import io.waybill.console.request.Identity;
import io.waybill.console.request.Role;
import io.waybill.inbox.receive.ErrorSummary;
import io.waybill.message.Envelope;
import io.waybill.message.Message;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What the admin API promises, on every database. */
abstract class ConsoleContract extends ConsoleScenario {

    @Test
    void failures_are_grouped_by_error_and_a_retried_group_is_gone() {
        IntStream.range(0, 7).forEach(i -> failHandling("billing", "order-" + i, new IllegalStateException("no ink")));
        failHandling("billing", "order-8", new IllegalArgumentException("no paper"));

        JsonNode groups = browser.get(DB + "/failures").get("items");
        assertThat(groups).hasSize(2);
        JsonNode largest = groups.get(0);
        assertThat(largest.get("count").asInt()).isEqualTo(7);
        assertThat(largest.get("error").asString()).isEqualTo("IllegalStateException: no ink");
        assertThat(largest.get("kind").asString()).isEqualTo("handler");
        String group = largest.get("id").asString();

        JsonNode retried = browser.post(DB + "/failures/retry", "{'filter':{'group':'" + group + "'},'reason':'ink'}");
        assertThat(retried.get("changed").asInt()).isEqualTo(7);
        assertThat(retried.get("command").asString()).isEqualTo("waybill failed retry --group " + group);
        JsonNode left = browser.get(DB + "/failures").get("items");
        assertThat(left).hasSize(1);
        assertThat(left.get(0).get("error").asString()).contains("no paper");
        assertThat(browser.get(DB + "/messages").get("items")).hasSize(7);

        JsonNode audit = browser.get(DB + "/audit").get("items").get(0);
        assertThat(audit.get("operator").asString()).isEqualTo("ann");
        assertThat(audit.get("command").asString()).isEqualTo("waybill failed retry --group " + group);
        assertThat(audit.get("reason").asString()).isEqualTo("ink");
        assertThat(audit.get("result").asString()).isEqualTo("7 failed messages retried");
    }

    @Test
    void a_group_is_paged_without_gaps_or_repetitions() {
        IntStream.range(0, 23).forEach(i -> failHandling("billing", "order-" + i, new IllegalStateException("no ink")));
        String group =
                browser.get(DB + "/failures").get("items").get(0).get("id").asString();

        Set<String> seen = new HashSet<>();
        int pages = 0;
        String after = "0";
        do {
            JsonNode page = browser.get(DB + "/failures/messages", "group", group, "after", after, "limit", "10");
            page.get("items")
                    .forEach(item ->
                            assertThat(seen.add(item.get("id").asString())).isTrue());
            after = page.get("next").isNull() ? "" : page.get("next").asString();
            pages++;
        } while (!after.isEmpty());

        assertThat(seen).hasSize(23);
        assertThat(pages).isEqualTo(3);
    }

    @Test
    void a_failed_message_is_shown_masked_edited_and_retried() {
        failHandling("billing", "order-1", new IllegalStateException("<script>alert(1)</script>"));
        String id = browser.get(DB + "/failures/messages")
                .get("items")
                .get(0)
                .get("id")
                .asString();

        JsonNode shown = browser.get(DB + "/failures/messages/" + id);
        assertThat(shown.get("payload").get("text").asString()).isEqualTo("{\"number\":1,\"password\":\"***\"}");
        assertThat(shown.get("headers").get("x-token").asString()).isEqualTo("***");
        assertThat(shown.get("headers").get("origin").asString()).isEqualTo("shop");
        assertThat(shown.get("stack").asString()).contains("ConsoleContract");
        assertThat(shown.get("message").get("error").asString()).isEqualTo("<script>alert(1)</script>");

        JsonNode edited = browser.post(
                DB + "/failures/messages/" + id + "/edit",
                "{'payload':'{\\'number\\':2}','headers':{'origin':'','fixed':'yes'},'retry':true,'reason':'typo'}");
        assertThat(edited.get("changed").asInt()).isEqualTo(1);
        JsonNode sent = browser.get(DB + "/messages").get("items").get(0);
        JsonNode message = browser.get(DB + "/messages/" + sent.get("id").asString());
        assertThat(message.get("payload").get("text").asString()).isEqualTo("{\"number\":2}");
        assertThat(message.get("headers").get("fixed").asString()).isEqualTo("yes");
        assertThat(message.get("headers").has("origin")).isFalse();
    }

    @Test
    void what_is_masked_is_shown_to_an_admin_who_asks_and_that_is_audited() {
        failHandling("billing", "order-1", new IllegalStateException("no ink"));
        String path = DB + "/failures/messages/"
                + browser.get(DB + "/failures/messages")
                        .get("items")
                        .get(0)
                        .get("id")
                        .asString();
        var admin = new Browser(browser.console(), new Identity("eve", Role.ADMIN));

        assertThat(admin.get(path).get("payload").get("text").asString()).contains("***");
        assertThat(admin.get(path, "reveal", "true").get("payload").get("text").asString())
                .contains("\"password\":\"secret\"");
        assertThat(browser.get(DB + "/audit").get("items").get(0).get("command").asString())
                .startsWith("console reveal failed message ");
        assertThat(browser.console()
                        .answer(ConsoleRequest.of("GET", path)
                                .query("reveal", "true")
                                .by(browser.identity()))
                        .status())
                .isEqualTo(403);
    }

    @Test
    void messages_are_found_by_everything_that_names_them() {
        UUID id = UUID.randomUUID();
        store.transactions().inTransaction(transaction -> {
            store.outbox().append(message("a", 1).id(id).key("broker-key").header("correlation-id", "trip-1"));
            store.outbox().append(message("b", 2));
            store.outbox().append(Message.event("Other", "{}").to("elsewhere"));
            return transaction;
        });

        assertThat(ids("id", id.toString().substring(0, 13))).containsExactly(id.toString());
        assertThat(ids("key", "a")).containsExactly(id.toString());
        assertThat(ids("messageKey", "broker-key")).containsExactly(id.toString());
        assertThat(ids("correlation", "trip-1")).containsExactly(id.toString());
        assertThat(ids("destination", "orders")).hasSize(2);
        assertThat(ids("type", "Other")).hasSize(1);
        assertThat(ids("status", "PENDING")).hasSize(3);
        assertThat(ids("status", "FAILED")).isEmpty();
        assertThat(browser.answer("GET", DB + "/messages/" + UUID.randomUUID(), "")
                        .status())
                .isEqualTo(404);
    }

    @Test
    void what_could_not_be_published_is_grouped_and_replayed_edited_or_discarded() throws SQLException {
        store.transactions().inTransaction(transaction -> {
            IntStream.range(0, 4).forEach(i -> store.outbox().append(message("", i)));
            return transaction;
        });
        database.execute("UPDATE outbox SET status = 'FAILED', last_error = 'refused: too long', retry_count = 10");

        JsonNode group = browser.get(DB + "/failures").get("items").get(0);
        assertThat(group.get("kind").asString()).isEqualTo("publish");
        assertThat(group.get("count").asInt()).isEqualTo(4);
        assertThat(group.get("filter").get("destination").asString()).isEqualTo("orders");
        List<String> failed = ids("status", "FAILED", "error", "TOO LONG");
        assertThat(failed).hasSize(4);

        browser.post(
                DB + "/messages/" + failed.get(0) + "/replay",
                "{'payload':'{\\'number\\':9}','destination':'orders.short','reason':'shortened'}");
        JsonNode replayed = browser.get(DB + "/messages/" + failed.get(0));
        assertThat(replayed.get("message").get("status").asString()).isEqualTo("PENDING");
        assertThat(replayed.get("message").get("destination").asString()).isEqualTo("orders.short");
        assertThat(replayed.get("payload").get("text").asString()).isEqualTo("{\"number\":9}");

        assertThat(browser.post(
                                DB + "/messages/discard",
                                "{'filter':{'ids':['" + failed.get(1) + "']},'reason':'nobody wants it'}")
                        .get("changed")
                        .asInt())
                .isEqualTo(1);
        assertThat(browser.post(
                                DB + "/messages/replay",
                                "{'filter':{'statuses':['FAILED'],'destination':'orders'},'reason':'the limit is higher'}")
                        .get("changed")
                        .asInt())
                .isEqualTo(2);
        assertThat(ids("status", "DISCARDED")).containsExactly(failed.get(1));
    }

    @Test
    void a_change_of_nothing_in_particular_or_without_a_reason_is_refused() {
        failHandling("billing", "order-1", new IllegalStateException("no ink"));

        assertThat(browser.answer("POST", DB + "/failures/retry", "{'filter':{},'reason':'x'}")
                        .status())
                .isEqualTo(400);
        assertThat(browser.answer("POST", DB + "/failures/retry", "{'filter':{'gruop':'ab'},'reason':'x'}")
                        .status())
                .as("a filter with a typing error selects nothing")
                .isEqualTo(400);
        assertThat(browser.answer("POST", DB + "/failures/discard", "{'filter':{'all':true},'reason':' '}")
                        .status())
                .isEqualTo(400);
        assertThat(browser.answer("POST", DB + "/messages/discard", "{'filter':{},'reason':'x'}")
                        .status())
                .isEqualTo(400);
        assertThat(browser.answer("POST", DB + "/failures/retry", "not json").status())
                .isEqualTo(400);
        assertThat(browser.get(DB + "/failures").get("items")).hasSize(1);
        assertThat(browser.get(DB + "/audit").get("items")).isEmpty();
    }

    @Test
    void the_overview_says_what_waits_and_what_to_do() {
        store.transactions().inTransaction(transaction -> store.outbox().append(message("a", 1)));
        failHandling("billing", "order-1", new IllegalStateException("no ink"));

        JsonNode overview = browser.get(DB + "/overview");

        assertThat(overview.get("pending").asInt()).isEqualTo(1);
        assertThat(overview.get("failedHandling").asInt()).isEqualTo(1);
        assertThat(overview.get("oldestUnpublished").isNull()).isFalse();
        JsonNode destination = overview.get("destinations").get(0);
        assertThat(destination.get("destination").asString()).isEqualTo("orders");
        assertThat(destination.get("state").asString()).isEqualTo("not served");
        assertThat(overview.get("attention").get(0).get("unusual").asBoolean()).isTrue();
        assertThat(overview.get("samples")).hasSize(1);
    }

    @Test
    void settings_inbox_and_databases_are_shown_without_secrets() {
        assertThat(browser.get("/api/databases").get("items").get(0).get("name").asString())
                .isEqualTo("shop");
        JsonNode settings = browser.get(DB + "/settings");
        assertThat(settings.get("schemaMissing")).isEmpty();
        assertThat(settings.get("maskingRules")).isNotEmpty();
        assertThat(browser.get(DB + "/inbox").get("items")).isEmpty();
        assertThat(browser.answer("GET", "/api/databases/other/overview", "").status())
                .isEqualTo(404);
        assertThat(browser.answer("GET", "/api/nothing", "").status()).isEqualTo(404);
        assertThat(browser.answer("DELETE", DB + "/messages", "").status()).isEqualTo(405);
    }

    private List<String> ids(String... query) {
        List<String> ids = new ArrayList<>();
        browser.get(DB + "/messages", query)
                .get("items")
                .forEach(item -> ids.add(item.get("id").asString()));
        return ids;
    }

    private static Message message(String key, int number) {
        Message message = Message.event("Order", "{\"number\":" + number + ",\"password\":\"secret\"}")
                .to("orders");
        return key.isEmpty() ? message : message.inOrderOf(key);
    }

    private void failHandling(String handler, String key, Exception error) {
        Envelope message = message(key, 1)
                .header("x-token", "secret")
                .header("origin", "shop")
                .seal(UUID::randomUUID);
        store.transactions().inTransaction(transaction -> {
            store.failedStore().put(transaction, ErrorSummary.of(message, handler, 3, error));
            return transaction;
        });
    }
}

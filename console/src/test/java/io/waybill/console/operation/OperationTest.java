package io.waybill.console.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.waybill.console.Browser;
import io.waybill.console.Console;
import io.waybill.console.ConsoleOptions;
import io.waybill.console.FailedOrders;
import io.waybill.console.api.ConsoleDatabase;
import io.waybill.console.request.Identity;
import io.waybill.console.request.Role;
import io.waybill.jdbc.JdbcStore;
import io.waybill.jdbc.ops.OperationLog;
import io.waybill.testkit.services.database.Postgres;
import io.waybill.testkit.services.database.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** A change of many messages that takes long. */
class OperationTest {

    private static final String DB = "/api/databases/shop";
    private static final String RETRY_ALL = "{'filter':{'handler':'billing'},'reason':'ink'}";

    private final TestDatabase database = Postgres.shared().newDatabase();
    private final JdbcStore store = JdbcStore.on(database.dataSource()).initializeSchema();
    private final Browser browser = browser("ann");

    private Browser browser(String name) {
        var console = new Console(ConsoleOptions.of(List.of(ConsoleDatabase.of("shop", "somewhere", store))));
        return new Browser(console, new Identity(name, Role.OPERATOR));
    }

    @AfterEach
    void drop() {
        database.close();
    }

    @Test
    void an_operation_shows_its_progress_is_cancelled_between_steps_and_the_rest_is_done_by_another() throws Exception {
        FailedOrders.put(store, 1_700);
        JsonNode begun;
        try (Connection other = database.dataSource().getConnection();
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute("SELECT id FROM failed_message WHERE id ="
                    + " (SELECT id FROM failed_message ORDER BY id OFFSET 700 LIMIT 1) FOR UPDATE");

            begun = browser.post(DB + "/failures/retry", RETRY_ALL);
            assertThat(begun.get("running").asBoolean()).isTrue();
            assertThat(begun.get("changed").asInt()).isEqualTo(500);
            assertThat(begun.get("total").asInt()).isEqualTo(1_700);
            String path = DB + "/operations/" + begun.get("operation").asString();
            assertThat(browser.get(path).get("state").asString()).isEqualTo("RUNNING");
            JsonNode entry = browser("eve").get(DB + "/audit").get("items").get(0);
            assertThat(entry.get("endedAt").isNull()).isTrue();
            assertThat(entry.get("result").asString())
                    .as("what another process sees of it, also after a kill")
                    .isEqualTo("500 so far");

            browser.post(path + "/cancel", "{}");
            other.rollback();
            await().until(() -> browser.get(path).get("state").asString().equals("CANCELLED"));
            assertThat(browser.get(path).get("done").asInt()).isEqualTo(1_000);
        }
        assertThat(browser.get(DB + "/audit").get("items").get(0).get("result").asString())
                .isEqualTo("Cancelled after 1000");
        assertThat(count("failed_message")).isEqualTo(700);

        assertThat(browser("eve")
                        .post(DB + "/failures/retry", RETRY_ALL)
                        .get("changed")
                        .asInt())
                .isEqualTo(700);
        assertThat(count("outbox")).isEqualTo(1_700);
    }

    @Test
    void of_two_operators_who_retry_the_same_group_the_second_is_told_that_the_other_was_first() throws Exception {
        FailedOrders.put(store, 20);
        List<Browser> both = List.of(browser, browser("eve"));
        List<CompletableFuture<JsonNode>> done;
        try (Connection other = database.dataSource().getConnection();
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute("SELECT id FROM failed_message FOR UPDATE");
            done = both.stream()
                    .map(one -> CompletableFuture.supplyAsync(() -> one.post(DB + "/failures/retry", RETRY_ALL)))
                    .toList();
            both.forEach(one -> await().until(() -> total(one) == 20));
            other.rollback();
        }
        done.forEach(CompletableFuture::join);
        both.forEach(one ->
                await().until(() -> operation(one).get("state").asString().equals("DONE")));

        assertThat(both)
                .extracting(one -> operation(one).get("changed").asInt())
                .containsExactlyInAnyOrder(0, 20);
        assertThat(both)
                .extracting(one -> operation(one).get("conflicting").asInt())
                .containsExactlyInAnyOrder(0, 20);
        assertThat(both)
                .extracting(one -> operation(one).get("result").asString())
                .containsExactlyInAnyOrder(
                        "20 failed messages retried",
                        "0 failed messages retried; 20 were changed by somebody else meanwhile: see the audit");
    }

    private static long total(Browser one) {
        JsonNode items = one.get(DB + "/operations").get("items");
        return items.isEmpty() ? 0 : items.get(0).get("total").asLong(0);
    }

    private static JsonNode operation(Browser one) {
        return one.get(DB + "/operations").get("items").get(0);
    }

    @Test
    void an_interrupted_operation_whose_rest_cannot_be_started_stays_interrupted() throws Exception {
        FailedOrders.put(store, 3);
        UUID refused = interrupted("{}");
        String path = DB + "/operations/" + refused;

        assertThat(browser.answer("POST", path + "/rest", "{}").status()).isEqualTo(400);
        assertThat(operation(browser).get("id").asString()).isEqualTo(refused.toString());
        assertThat(operation(browser).get("state").asString()).isEqualTo("INTERRUPTED");

        UUID interrupted = interrupted("{\"handler\":\"billing\"}");
        JsonNode rest = browser.post(DB + "/operations/" + interrupted + "/rest", "{}");
        assertThat(rest.get("changed").asInt()).isEqualTo(3);
        assertThat(store.operationLog().latest(10))
                .filteredOn(entry -> entry.id().equals(interrupted))
                .singleElement()
                .satisfies(entry ->
                        assertThat(entry.result()).isEqualTo("Interrupted after 7; the rest was started again by ann"));
        var begin = new OperationLog.Begin(UUID.randomUUID(), "eve", "waybill failed retry", "ink", "");
        assertThatThrownBy(() -> store.operationLog().beginRest(begin, interrupted, "started twice"))
                .hasMessageContaining("somebody has started its rest");
        assertThat(store.operationLog().latest(10))
                .noneMatch(entry -> entry.id().equals(begin.id()));
    }

    private UUID interrupted(String filter) throws SQLException {
        UUID id = UUID.randomUUID();
        database.execute(
                "INSERT INTO operation_log (operation_id, started_at, seen_at, operator, database_user, command,"
                        + " reason, request, result) VALUES ('" + id
                        + "', now(), now() - interval '1 minute', 'ann', 'ann',"
                        + " 'waybill failed retry', 'ink', 'failures/retry\n{\"filter\":" + filter
                        + ",\"reason\":\"ink\"}', '7 so far')");
        return id;
    }

    private long count(String table) throws SQLException {
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT count(*) FROM " + table)) {
            rows.next();
            return rows.getLong(1);
        }
    }
}

package io.waybill.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.console.api.ApiRoute;
import io.waybill.console.request.ConsoleRequest;
import io.waybill.console.request.ConsoleResponse;
import io.waybill.inbox.receive.ErrorSummary;
import io.waybill.message.Message;
import io.waybill.runtime.Waybill;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Scheduled messages, submissions, correlation and the cost of every route, on every database. */
abstract class OperatorWorkContract extends ConsoleScenario {

    private static final String START =
            "{'type':'Trip','businessKey':'trip-1','data':{'guest':'Ann'},'reason':'by phone'}";

    private final CountingDataSource counted = new CountingDataSource();

    @Override
    protected DataSource dataSource() {
        return counted.around(database.dataSource());
    }

    @Test
    void scheduled_messages_are_paged_found_published_and_discarded() {
        IntStream.range(0, 12).forEach(i -> schedule("reminders", "order-" + i % 2, Duration.ofMinutes(60 + i)));
        UUID other = schedule("mails", "order-1", Duration.ofHours(9));

        List<String> seen = new ArrayList<>();
        String after = "";
        do {
            JsonNode page = browser.get(DB + "/scheduled", "after", after, "limit", "5");
            page.get("items").forEach(item -> seen.add(item.get("id").asString()));
            after = page.get("next").isNull() ? "" : page.get("next").asString();
        } while (!after.isEmpty());
        assertThat(seen).hasSize(13).doesNotHaveDuplicates().last().isEqualTo(other.toString());
        assertThat(browser.get(DB + "/scheduled", "key", "order-1").get("items"))
                .hasSize(7);
        assertThat(browser.get(DB + "/scheduled", "destination", "mails", "type", "Reminder")
                        .get("items"))
                .hasSize(1);

        JsonNode shown = browser.get(DB + "/scheduled/" + other);
        assertThat(shown.get("payload").get("text").asString()).isEqualTo("{\"password\":\"***\"}");
        JsonNode published = browser.post(DB + "/scheduled/" + other + "/publish", "{'reason':'now'}");
        assertThat(published.get("command").asString()).isEqualTo("waybill outbox scheduled publish " + other);
        assertThat(store.outboxStore().appendScheduled(10)).isEqualTo(1);
        assertThat(browser.answer("POST", DB + "/scheduled/" + other + "/publish", "{'reason':'again'}")
                        .status())
                .isNotEqualTo(404);
        assertThat(browser.get(DB + "/operations")
                        .get("items")
                        .get(0)
                        .get("state")
                        .asString())
                .isEqualTo("FAILED");

        assertThat(browser.answer("POST", DB + "/scheduled/discard", "{'filter':{},'reason':'x'}")
                        .status())
                .isEqualTo(400);
        JsonNode discarded =
                browser.post(DB + "/scheduled/discard", "{'filter':{'key':'order-1'},'reason':'nobody waits for it'}");
        assertThat(discarded.get("changed").asInt()).isEqualTo(6);
        assertThat(discarded.get("command").asString()).isEqualTo("waybill outbox scheduled discard --key order-1");
        assertThat(browser.get(DB + "/messages", "status", "DISCARDED").get("items"))
                .hasSize(6);
        assertThat(browser.get(DB + "/scheduled").get("items")).hasSize(6);
    }

    @Test
    void a_command_is_accepted_once_and_refused_when_its_key_belongs_to_another() {
        try (Waybill application = application()) {
            await().atMost(PATIENCE).until(() -> !store.served().isEmpty());
            String body = "{'type':'Book','idempotencyKey':'request-1','businessKey':'trip-1',"
                    + "'payload':'{}','reason':'asked for by phone'}";
            JsonNode accepted = browser.post(DB + "/commands", body);
            assertThat(accepted.get("queue").asString()).isEqualTo("APP.CMD.BOOK.Q");
            assertThat(accepted.get("warning").asString()).isEmpty();
            assertThat(accepted.get("command").asString())
                    .isEqualTo("waybill command send --idempotency-key request-1 --key trip-1 Book");
            assertThat(browser.post(DB + "/commands", body).get("id")).isEqualTo(accepted.get("id"));
            String id = accepted.get("id").asString();
            await().atMost(PATIENCE)
                    .until(() -> browser.get(DB + "/commands/" + id)
                            .get("command")
                            .get("status")
                            .asString()
                            .equals("COMPLETED"));

            ConsoleResponse conflict = browser.answer("POST", DB + "/commands", body.replace("trip-1", "trip-2"));
            assertThat(conflict.status()).isEqualTo(409);
            assertThat(conflict.body().asText()).contains("Duplicate idempotency key: request-1");
            assertThat(browser.answer("POST", DB + "/commands", body.replace("'{}'", "'{no'"))
                            .status())
                    .isEqualTo(400);
            assertThat(browser.answer("POST", DB + "/commands", body.replace("request-1", ""))
                            .status())
                    .isEqualTo(400);
            assertThat(browser.post(
                                    DB + "/commands",
                                    body.replace("request-1", "r-2").replace("Book", "Fly"))
                            .get("warning")
                            .asString())
                    .contains("No live application or relay serves APP.CMD.FLY.Q");
            assertThat(browser.get(DB + "/audit")
                            .get("items")
                            .get(0)
                            .get("command")
                            .asString())
                    .isEqualTo("waybill command send --idempotency-key r-2 --key trip-1 Fly");
        }
    }

    @Test
    void a_process_is_started_once_by_an_instance_that_has_its_definition() {
        try (Waybill application = application()) {
            JsonNode first = started(START, "done");
            JsonNode again = browser.post(DB + "/processes", START);
            assertThat(again.get("process")).isEqualTo(first.get("process"));
            assertThat(again.get("says").asString()).contains("There was one already");

            JsonNode second = started(START.replace("trip-1", "trip-2"), "done");
            assertThat(second.get("command").asString()).isEqualTo("waybill process start --key trip-2 Trip");
            JsonNode log = browser.get(
                            DB + "/processes/" + second.get("process").asString())
                    .get("log");
            assertThat(log.toString()).contains("ann", "by phone");

            String tooLong = START.replace("trip-1", "trip-3").replace("Ann", "x".repeat(1_100_000));
            JsonNode refused = started(tooLong, "refused");
            assertThat(refused.get("says").asString()).contains("a process keeps at most");
            assertThat(browser.answer("POST", DB + "/processes", START.replace("trip-1", " "))
                            .status())
                    .isEqualTo(400);
            assertThat(browser.answer("POST", DB + "/processes", START.replace("by phone", ""))
                            .status())
                    .isEqualTo(400);
            assertThat(application.processManager().stuck(10)).isEmpty();
        }
    }

    @Test
    void a_correlation_is_a_tree_from_cause_to_effect() {
        try (Waybill application = application()) {
            UUID trip = application.processManager().startProcess("Trip", "trip-1", Map.of("guest", "Ann"));
            await().atMost(PATIENCE)
                    .until(() -> browser.get(DB + "/processes/" + trip)
                            .get("steps")
                            .toString()
                            .contains("Card"));
            UUID first = append("trip-mail", trip.toString(), "");
            UUID effect = append("trip-mail", trip.toString(), first.toString());
            UUID one = append("a", "a/circle?", "");
            UUID two = UUID.randomUUID();

            JsonNode tree =
                    browser.get(DB + "/correlation", "id", trip.toString()).get("items");
            assertThat(node(tree, trip).get("parent").isNull()).isTrue();
            JsonNode command = tree.valueStream()
                    .filter(item -> item.get("kind").asString().equals("command"))
                    .findFirst()
                    .orElseThrow();
            assertThat(command.get("name").asString()).isEqualTo("Book");
            assertThat(command.get("note").asString()).isEqualTo("step Book");
            assertThat(command.get("parent").asString()).isEqualTo(trip.toString());
            assertThat(node(tree, first).get("parent").asString()).isEqualTo(trip.toString());
            assertThat(node(tree, effect).get("parent").asString()).isEqualTo(first.toString());
            assertThat(node(tree, effect).get("depth").asInt()).isEqualTo(2);
            JsonNode byCommand = browser.get(
                            DB + "/correlation", "id", command.get("id").asString())
                    .get("items");
            assertThat(byCommand.get(0).get("id").asString()).isEqualTo(trip.toString());

            append("b", "a/circle?", two.toString());
            appendAs(two, "c", "a/circle?", one.toString());
            assertThat(browser.get(DB + "/correlation", "id", "a/circle?").get("items"))
                    .hasSize(3);
            assertThat(browser.get(DB + "/correlation", "id", "nothing").get("items"))
                    .isEmpty();
        }
    }

    @Test
    void messages_that_cause_each_other_are_shown_once() {
        UUID one = UUID.randomUUID();
        UUID two = UUID.randomUUID();
        appendAs(one, "a", "a/circle?", two.toString());
        appendAs(two, "a", "a/circle?", one.toString());

        JsonNode items = browser.get(DB + "/correlation", "id", "a/circle?").get("items");

        assertThat(items).hasSize(2);
        assertThat(items.get(0).get("parent").isNull()).isTrue();
        assertThat(items.get(1).get("parent")).isEqualTo(items.get(0).get("id"));
    }

    @Test
    void no_route_runs_more_statements_than_it_says() {
        try (Waybill application = application()) {
            UUID trip = application.processManager().startProcess("Trip", "trip-1", Map.of("guest", "Ann"));
            application.processManager().signal(trip, "Card", Map.of("card", "x"));
            await().atMost(PATIENCE)
                    .until(() -> browser.get(DB + "/processes/" + trip)
                            .get("blocked")
                            .asBoolean());
            IntStream.range(0, 30).forEach(i -> append("order-" + i, trip.toString(), ""));
            UUID message = append("order-1", trip.toString(), "");
            UUID scheduled = schedule("reminders", "order-1", Duration.ofHours(1));
            store.transactions().inTransaction(transaction -> {
                var failed = Message.event("Order", "{}").to("orders").seal(UUID::randomUUID);
                store.failedStore()
                        .put(transaction, ErrorSummary.of(failed, "billing", 3, new IllegalStateException("no ink")));
                return transaction;
            });
            String failure = browser.get(DB + "/failures/messages")
                    .get("items")
                    .get(0)
                    .get("id")
                    .asString();
            String command =
                    browser.get(DB + "/commands").get("items").get(0).get("id").asString();

            List<String> tooMany = new ArrayList<>();
            for (ApiRoute route : browser.console().routes()) {
                if (route.method().equals("GET") && route.path().startsWith("/api/databases/{database}")) {
                    String id = route.path().contains("/failures/")
                            ? failure
                            : route.path().contains("/commands/")
                                    ? command
                                    : route.path().contains("/scheduled/")
                                            ? scheduled.toString()
                                            : route.path().contains("/messages/")
                                                    ? message.toString()
                                                    : trip.toString();
                    String path = route.path().replace("{database}", "shop").replace("{id}", id);
                    for (Map<String, String> query : queries(route, id)) {
                        int run = statements(path, query);
                        if (run > route.cost()) {
                            tooMany.add(route.path() + " " + query + " runs " + run + ", and says " + route.cost());
                        }
                    }
                }
            }
            assertThat(tooMany).isEmpty();
        }
    }

    /** Nothing, each parameter by itself, and all of them that go together. */
    private static List<Map<String, String>> queries(ApiRoute route, String id) {
        Map<String, String> values = Map.of(
                "type",
                "Trip",
                "key",
                "trip-1",
                "status",
                "FAILED",
                "destination",
                "orders",
                "correlation",
                "x",
                "messageKey",
                "x",
                "limit",
                "200",
                "error",
                "ink",
                "hours",
                "24",
                "handler",
                "billing");
        var all = new ArrayList<Map<String, String>>();
        all.add(Map.of());
        if (route.path().endsWith("/correlation")) {
            all.add(Map.of("id", id));
        }
        route.parameters().stream()
                .filter(values::containsKey)
                .filter(name -> !name.equals("status") || !route.path().endsWith("/commands"))
                .forEach(name -> all.add(Map.of(name, values.get(name))));
        return all;
    }

    private int statements(String path, Map<String, String> query) {
        ConsoleRequest request = ConsoleRequest.of("GET", path).by(browser.identity());
        for (var parameter : query.entrySet()) {
            request = request.query(parameter.getKey(), parameter.getValue());
        }
        int before = counted.statements.get();
        ConsoleResponse response = browser.console().answer(request);
        assertThat(response.status())
                .as(path + query + response.body().asText())
                .isIn(200, 404);
        return counted.statements.get() - before;
    }

    /** A slow machine may need more than the time that a request is waited for. */
    private JsonNode started(String body, String outcome) {
        return await().atMost(PATIENCE)
                .until(
                        () -> browser.post(DB + "/processes", body),
                        result -> result.get("outcome").asString().equals(outcome));
    }

    /** On one database: it takes the time that a request is waited for. */
    void aStartThatNobodyTakesWaitsForAnInstanceWithTheDefinition() {
        JsonNode waiting = browser.post(DB + "/processes", START);
        assertThat(waiting.get("outcome").asString()).isEqualTo("not taken yet");
        assertThat(waiting.get("says").asString()).contains("No live instance", "definition of Trip");
        try (Waybill application = application()) {
            UUID id = UUID.fromString(waiting.get("process").asString());
            await().atMost(PATIENCE)
                    .until(() -> application.processManager().find(id).isPresent());
        }
    }

    /** On connections of its own: what it runs is not counted. */
    private Waybill application() {
        return Waybill.on(database.dataSource())
                .handlers(new TripProcess.Partners(new AtomicBoolean()))
                .processes(new TripProcess())
                .start();
    }

    private static JsonNode node(JsonNode tree, UUID id) {
        return tree.valueStream()
                .filter(item -> item.get("id").asString().equals(id.toString()))
                .findFirst()
                .orElseThrow(() -> new AssertionError(id + " is not in " + tree));
    }

    private UUID append(String key, String correlation, String cause) {
        return appendAs(UUID.randomUUID(), key, correlation, cause);
    }

    private UUID appendAs(UUID id, String key, String correlation, String cause) {
        Message message = Message.event("Mail", "{}")
                .to("mails")
                .inOrderOf(key)
                .header("correlation-id", correlation)
                .id(id);
        store.transactions()
                .inTransaction(transaction ->
                        store.outbox().append(cause.isEmpty() ? message : message.header("causation-id", cause)));
        return id;
    }

    private UUID schedule(String destination, String key, Duration delay) {
        UUID id = UUID.randomUUID();
        store.transactions()
                .inTransaction(transaction -> store.outbox()
                        .append(Message.event("Reminder", "{\"password\":\"secret\"}")
                                .to(destination)
                                .inOrderOf(key)
                                .id(id)
                                .after(delay)));
        return id;
    }
}

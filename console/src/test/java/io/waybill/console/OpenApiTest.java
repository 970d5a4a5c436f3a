package io.waybill.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.console.api.ApiRoute;
import io.waybill.console.api.ConsoleDatabase;
import io.waybill.console.request.Identity;
import io.waybill.console.request.Role;
import io.waybill.inbox.receive.ErrorSummary;
import io.waybill.jdbc.JdbcStore;
import io.waybill.message.Message;
import io.waybill.testkit.services.H2;
import io.waybill.testkit.services.database.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The documents of the API say what the API does. */
class OpenApiTest {

    private static final Pattern ROW = Pattern.compile("^\\| (`[A-Z]+ /api[^`]*` \\|[^|]*\\|)", Pattern.MULTILINE);

    private final TestDatabase database = H2.newDatabase();
    private final JdbcStore store = JdbcStore.on(database.dataSource()).initializeSchema();
    private final Console console =
            new Console(ConsoleOptions.of(List.of(ConsoleDatabase.of("shop", "somewhere", store))));
    private final Browser browser = new Browser(console, new Identity("ann", Role.OPERATOR));
    private final JsonNode document = browser.get("/api/openapi.json");

    @AfterEach
    void drop() {
        database.close();
    }

    @Test
    void every_route_is_in_the_document_with_its_role() {
        for (ApiRoute route : console.routes()) {
            JsonNode operation = document.get("paths").get(route.path()).get(method(route));
            assertThat(operation.get("x-role").asString())
                    .as(route.path())
                    .isEqualTo(route.role().word());
            assertThat(operation.get("summary").asString()).isNotBlank();
        }
        long operations =
                document.get("paths").valueStream().mapToLong(JsonNode::size).sum();
        assertThat(operations).isEqualTo(console.routes().size());
    }

    @Test
    void the_page_about_the_console_has_each_route_once_with_its_role() throws IOException {
        String page = Files.readString(Path.of("..", "docs", "console.md"));

        List<String> rows =
                ROW.matcher(page).results().map(found -> found.group(1)).toList();

        assertThat(rows)
                .containsExactlyInAnyOrderElementsOf(
                        console.routes().stream().map(OpenApiTest::row).toList());
    }

    private static String row(ApiRoute route) {
        String role = route.role() == Role.ANYONE ? "" : " " + route.role().word();
        return "`" + route.method() + " " + route.path() + "` |" + role + " |";
    }

    @Test
    void every_list_answers_with_the_fields_of_the_document() {
        fill();
        for (ApiRoute route : console.routes()) {
            boolean list = route.method().equals("GET") && !route.path().contains("{id}");
            if (list && !route.path().endsWith("openapi.json")) {
                JsonNode answer = browser.get(route.path().replace("{database}", "shop"));
                check(route.path(), answer, schema(route, "responses", "200"));
            }
        }
        String failed = browser.get("/api/databases/shop/failures/messages")
                .get("items")
                .get(0)
                .get("id")
                .asString();
        check("one failure", browser.get("/api/databases/shop/failures/messages/" + failed), named("FailedDetail"));
        JsonNode done = browser.post(
                "/api/databases/shop/failures/retry", "{'filter':{'ids':['" + failed + "']},'reason':'ink'}");
        check("a change", done, named("Done"));
        check(
                "an operation",
                browser.get("/api/databases/shop/operations/"
                        + done.get("operation").asString()),
                named("OperationView"));
        String message = browser.get("/api/databases/shop/messages")
                .get("items")
                .get(0)
                .get("id")
                .asString();
        check("a message", browser.get("/api/databases/shop/messages/" + message), named("MessageDetail"));
    }

    private void fill() {
        store.transactions().inTransaction(transaction -> {
            Message message = Message.event("Order", "{}").to("orders").inOrderOf("a");
            store.outbox().append(message);
            store.failedStore()
                    .put(
                            transaction,
                            ErrorSummary.of(
                                    message.seal(UUID::randomUUID), "billing", 3, new IllegalStateException("no ink")));
            return transaction;
        });
    }

    private JsonNode schema(ApiRoute route, String... path) {
        JsonNode at = document.get("paths").get(route.path()).get(method(route));
        for (String name : path) {
            at = at.get(name);
        }
        return at.get("content").get("application/json").get("schema");
    }

    private JsonNode named(String name) {
        return document.get("components").get("schemas").get(name);
    }

    private static String method(ApiRoute route) {
        return route.method().toLowerCase(Locale.ROOT);
    }

    /** Checks what our schemas use of JSON Schema. */
    private void check(String at, JsonNode value, JsonNode given) {
        JsonNode schema = given.has("$ref") ? named(given.get("$ref").asString().replaceFirst(".*/", "")) : given;
        if (schema.has("anyOf")) {
            if (!value.isNull()) {
                check(at, value, schema.get("anyOf").get(0));
            }
            return;
        }
        switch (schema.path("type").asString("any")) {
            case "object" -> object(at, value, schema);
            case "array" -> {
                assertThat(value.isArray()).as(at).isTrue();
                value.forEach(element -> check(at + "[]", element, schema.get("items")));
            }
            case "string" -> assertThat(value.isString()).as(at + " " + value).isTrue();
            case "integer" ->
                assertThat(value.isIntegralNumber()).as(at + " " + value).isTrue();
            case "number" -> assertThat(value.isNumber()).as(at + " " + value).isTrue();
            case "boolean" -> assertThat(value.isBoolean()).as(at + " " + value).isTrue();
            default -> assertThat(schema.isEmpty()).as(at).isTrue();
        }
    }

    private void object(String at, JsonNode value, JsonNode schema) {
        assertThat(value.isObject()).as(at).isTrue();
        if (!schema.has("properties")) {
            value.forEachEntry((name, member) -> check(at + "." + name, member, schema.get("additionalProperties")));
            return;
        }
        schema.get("required")
                .forEach(name -> assertThat(value.has(name.asString()))
                        .as(at + "." + name)
                        .isTrue());
        value.forEachEntry((name, member) -> {
            assertThat(schema.get("properties").has(name)).as(at + "." + name).isTrue();
            check(at + "." + name, member, schema.get("properties").get(name));
        });
    }
}

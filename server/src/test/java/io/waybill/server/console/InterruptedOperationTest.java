package io.waybill.server.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.inbox.receive.ErrorSummary;
import io.waybill.jdbc.JdbcStore;
import io.waybill.jdbc.ops.OperationLog;
import io.waybill.message.Message;
import io.waybill.server.Eventually;
import io.waybill.server.WaybillProcess;
import io.waybill.testkit.services.database.Postgres;
import io.waybill.testkit.services.database.TestDatabase;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A change of thousands of messages whose process is killed in the middle. */
class InterruptedOperationTest {

    private static final int MESSAGES = 4_000;
    private static final Pattern ADDRESS = Pattern.compile("the console is at (http://127\\.0\\.0\\.1:\\d+/)");
    private static final Pattern INTERRUPTED = Pattern.compile("\"id\":\"([0-9a-f-]{36})\",\"state\":\"INTERRUPTED\"");
    private static final String SHOP = "api/databases/default/";

    private final TestDatabase database = Postgres.shared().newDatabase();
    private final JdbcStore store = JdbcStore.on(database.dataSource()).initializeSchema();
    private final HttpClient client = HttpClient.newHttpClient();

    @TempDir
    Path directory;

    @SuppressWarnings("NullAway.Init")
    InterruptedOperationTest() {}

    @AfterEach
    void drop() {
        database.close();
    }

    @Test
    void a_retry_that_was_killed_says_how_far_it_was_and_its_rest_retries_each_message_once() throws Exception {
        fail();
        try (WaybillProcess console = start("killed");
                Connection other = database.dataSource().getConnection();
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute("SELECT id FROM failed_message WHERE id ="
                    + " (SELECT id FROM failed_message ORDER BY id OFFSET 2600 LIMIT 1) FOR UPDATE");
            CompletableFuture<HttpResponse<Void>> begun = client.sendAsync(
                    change(
                            address(console),
                            "failures/retry",
                            "{\"filter\":{\"handler\":\"billing\"},\"reason\":\"ink\"}"),
                    BodyHandlers.discarding());
            Eventually.is(() -> assertThat(latest().result()).isEqualTo("2500 so far"));

            console.process().destroyForcibly();
            assertThat(console.process().waitFor(10, TimeUnit.SECONDS)).isTrue();
            assertThat(begun).as("the request for the retry").failsWithin(Duration.ofSeconds(10));
            other.rollback();
        }
        assertThat(count("failed_message")).isEqualTo(MESSAGES - 2_500);
        UUID killed = latest().id();

        try (WaybillProcess console = start("again")) {
            String address = address(console);
            Eventually.is(() -> assertThat(get(address, SHOP + "operations")).contains("INTERRUPTED"));
            String operations = get(address, SHOP + "operations");
            Matcher interrupted = INTERRUPTED.matcher(operations);
            assertThat(interrupted.find()).as(operations).isTrue();
            assertThat(interrupted.group(1)).isEqualTo(killed.toString());
            assertThat(operations)
                    .contains(
                            "\"done\":2500", "Its process ended after 2500", "\"hasRest\":true", "\"reason\":\"ink\"");
            assertThat(get(address, SHOP + "audit")).contains("\"interrupted\":true");

            String rest = client.send(change(address, "operations/" + killed + "/rest", "{}"), BodyHandlers.ofString())
                    .body();

            assertThat(rest).contains("\"changed\":" + (MESSAGES - 2_500), "waybill failed retry --handler billing");
            assertThat(client.send(change(address, "operations/" + killed + "/rest", "{}"), BodyHandlers.ofString())
                            .statusCode())
                    .as("its rest is started once")
                    .isEqualTo(404);
            assertThat(get(address, SHOP + "operations")).doesNotContain("INTERRUPTED");
            assertThat(get(address, SHOP + "audit")).contains("Interrupted after 2500; the rest was started again by ");
        }
        assertThat(count("failed_message")).isZero();
        assertThat(count("(SELECT DISTINCT payload FROM outbox) retried")).isEqualTo(MESSAGES);
        assertThat(count("outbox")).isEqualTo(MESSAGES);
    }

    private WaybillProcess start(String name) throws IOException {
        String url = database.jdbcUrl().substring("jdbc:".length()).replaceFirst("//", "//" + database.user() + "@");
        return WaybillProcess.start(directory, name, List.of("-Xmx128m"), "console", "--db", url, "--listen", "0");
    }

    private static String address(WaybillProcess process) {
        var found = new String[1];
        Eventually.is(() -> {
            Matcher address = ADDRESS.matcher(process.log());
            assertThat(address.find()).as(process.log()).isTrue();
            found[0] = address.group(1);
        });
        return found[0];
    }

    private static HttpRequest change(String address, String path, String body) {
        return HttpRequest.newBuilder(URI.create(address + SHOP + path))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body))
                .build();
    }

    private String get(String address, String path) throws Exception {
        return client.send(HttpRequest.newBuilder(URI.create(address + path)).build(), BodyHandlers.ofString())
                .body();
    }

    private OperationLog.Entry latest() {
        List<OperationLog.Entry> entries = store.operationLog().latest(1);
        assertThat(entries).isNotEmpty();
        return entries.get(0);
    }

    private void fail() {
        store.transactions().inTransaction(transaction -> {
            IntStream.range(0, MESSAGES)
                    .mapToObj(i ->
                            Message.event("Order", "{\"number\":" + i + "}").to("orders"))
                    .forEach(message -> store.failedStore()
                            .put(
                                    transaction,
                                    ErrorSummary.of(
                                            message.seal(UUID::randomUUID),
                                            "billing",
                                            3,
                                            new IllegalStateException("no ink"))));
            return transaction;
        });
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

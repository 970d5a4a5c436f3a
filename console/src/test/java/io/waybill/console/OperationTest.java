package io.waybill.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.console.api.ConsoleDatabase;
import io.waybill.console.request.Identity;
import io.waybill.console.request.Role;
import io.waybill.jdbc.JdbcStore;
import io.waybill.testkit.services.database.Postgres;
import io.waybill.testkit.services.database.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
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

    private long count(String table) throws SQLException {
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT count(*) FROM " + table)) {
            rows.next();
            return rows.getLong(1);
        }
    }
}

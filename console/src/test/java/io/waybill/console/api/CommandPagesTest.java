package io.waybill.console.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Named.named;

import io.waybill.console.Browser;
import io.waybill.console.Console;
import io.waybill.console.ConsoleOptions;
import io.waybill.console.request.Identity;
import io.waybill.console.request.Role;
import io.waybill.jdbc.JdbcStore;
import io.waybill.testkit.services.H2;
import io.waybill.testkit.services.database.MariaDb;
import io.waybill.testkit.services.database.Postgres;
import io.waybill.testkit.services.database.TestDatabase;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

class CommandPagesTest {

    private static final String COMMANDS = "/api/databases/shop/commands";

    static Stream<Named<Supplier<TestDatabase>>> databases() {
        return Stream.of(
                named("H2", H2::newDatabase),
                named("PostgreSQL", () -> Postgres.shared().newDatabase()),
                named("MariaDB", () -> MariaDb.shared().newDatabase()));
    }

    @ParameterizedTest
    @MethodSource("databases")
    void commands_with_the_same_time_are_paged_without_gaps_or_repetitions(Supplier<TestDatabase> open)
            throws SQLException {
        try (TestDatabase database = open.get()) {
            var store = JdbcStore.on(database.dataSource()).initializeSchema();
            var console = new Console(ConsoleOptions.of(List.of(ConsoleDatabase.of("shop", "somewhere", store))));
            var browser = new Browser(console, new Identity("ann", Role.OPERATOR));
            IntStream.range(0, 12)
                    .forEach(i -> browser.post(
                            COMMANDS,
                            "{'type':'Book','idempotencyKey':'request-" + i
                                    + "','businessKey':'trip','queue':'APP.CMD.BOOK.Q','payload':'{}','reason':'x'}"));
            database.execute("UPDATE command SET created_at = CURRENT_TIMESTAMP");

            List<String> seen = new ArrayList<>();
            String before = "";
            do {
                JsonNode page = browser.get(COMMANDS, "hours", "48", "before", before, "limit", "5");
                page.get("items")
                        .forEach(item -> seen.add(item.get("idempotencyKey").asString()));
                before = page.get("next").isNull() ? "" : page.get("next").asString();
            } while (!before.isEmpty());

            assertThat(seen).hasSize(12).doesNotHaveDuplicates();
        }
    }
}

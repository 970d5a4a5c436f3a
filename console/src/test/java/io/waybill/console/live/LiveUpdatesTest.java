package io.waybill.console.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.console.Console;
import io.waybill.console.ConsoleOptions;
import io.waybill.console.CountingDataSource;
import io.waybill.console.api.ConsoleDatabase;
import io.waybill.console.request.ConsoleRequest;
import io.waybill.console.request.ConsoleResponse;
import io.waybill.console.request.Identity;
import io.waybill.console.request.Role;
import io.waybill.jdbc.JdbcStore;
import io.waybill.message.Message;
import io.waybill.testkit.ManualClock;
import io.waybill.testkit.services.H2;
import io.waybill.testkit.services.database.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What pages repeat by themselves is shared: a database has the same few statements to run, however many browsers are open. */
class LiveUpdatesTest {

    private static final String DB = "/api/databases/shop";
    private static final int POLL_SECONDS = 5;

    private final CountingDataSource counted = new CountingDataSource();
    private final TestDatabase database = H2.newDatabase();
    private final JdbcStore store =
            JdbcStore.on(counted.around(database.dataSource())).initializeSchema();
    private final ManualClock clock = ManualClock.now();
    private final Console console =
            new Console(ConsoleOptions.of(List.of(ConsoleDatabase.of("shop", "somewhere", store)))
                    .clock(clock));

    @AfterEach
    void drop() {
        database.close();
    }

    @Test
    void twenty_browsers_on_different_pages_cost_two_statements_a_second() {
        List<String> pages = new ArrayList<>(List.of(
                "/overview",
                "/failures",
                "/messages",
                "/processes",
                "/processes/counts",
                "/commands",
                "/inbox",
                "/relays",
                "/audit",
                "/operations",
                "/scheduled",
                "/correlation?id=trip-1",
                "/processes/" + UUID.randomUUID()));
        IntStream.range(0, 7).forEach(i -> pages.add("/messages?key=order-" + i));
        assertThat(pages).hasSize(20);
        pages.forEach(page -> console.answer(live(page)));
        int opened = counted.statements.get();
        pages.forEach(page -> console.answer(live(page)));
        assertThat(counted.statements.get())
                .as("what was just read is not read again")
                .isEqualTo(opened);

        int seconds = 600;
        for (int second = 0; second < seconds; second++) {
            clock.advance(Duration.ofSeconds(1));
            for (int browser = 0; browser < 20; browser++) {
                if ((second + browser) % POLL_SECONDS == 0) {
                    assertThat(console.answer(live(pages.get(browser))).status())
                            .isIn(200, 404);
                }
            }
        }

        int statements = counted.statements.get() - opened;
        assertThat(statements).isLessThanOrEqualTo(2 * seconds).isGreaterThan(seconds / 10);
    }

    @Test
    void a_hundred_browsers_on_one_page_cost_as_much_as_one() throws Exception {
        console.answer(request("/audit", Role.VIEWER));
        clock.advance(Duration.ofMinutes(1));
        int before = counted.statements.get();
        ExecutorService browsers = Executors.newFixedThreadPool(16);
        try {
            var begin = new CountDownLatch(1);
            List<Callable<ConsoleResponse>> asked = IntStream.range(0, 100)
                    .mapToObj(i -> (Callable<ConsoleResponse>) () -> {
                        begin.await();
                        return console.answer(live("/audit"));
                    })
                    .toList();
            List<Future<ConsoleResponse>> answers =
                    asked.stream().map(browsers::submit).toList();
            begin.countDown();
            for (Future<ConsoleResponse> answer : answers) {
                assertThat(answer.get().status()).isEqualTo(200);
            }
        } finally {
            browsers.shutdownNow();
        }

        assertThat(counted.statements.get() - before).isEqualTo(1);
    }

    @Test
    void a_response_says_how_old_it_is_and_what_somebody_asks_for_is_new() {
        ConsoleResponse first = console.answer(live("/audit"));
        clock.advance(Duration.ofMillis(1_500));
        ConsoleResponse shared = console.answer(live("/audit"));
        int before = counted.statements.get();
        ConsoleResponse asked = console.answer(request("/audit", Role.VIEWER));

        assertThat(first.headers()).containsEntry("Age", "0");
        assertThat(shared.headers()).containsEntry("Age", "1");
        assertThat(asked.headers()).containsEntry("Age", "0");
        assertThat(counted.statements.get()).isEqualTo(before + 1);
        clock.advance(Duration.ofSeconds(3));
        assertThat(console.answer(live("/audit")).headers()).containsEntry("Age", "0");
    }

    @Test
    void after_a_change_by_anybody_nobody_sees_what_was_before() {
        UUID id = UUID.randomUUID();
        store.transactions()
                .inTransaction(transaction -> store.outbox()
                        .append(Message.event("Reminder", "{}")
                                .to("mails")
                                .id(id)
                                .after(Duration.ofHours(1))));
        assertThat(console.answer(live("/scheduled")).body().asText()).contains(id.toString());

        ConsoleResponse changed = console.answer(ConsoleRequest.of("POST", DB + "/scheduled/discard")
                .by(new Identity("ann", Role.OPERATOR))
                .body("{\"filter\":{\"destination\":\"mails\"},\"reason\":\"a test\"}"));

        assertThat(changed.status()).isEqualTo(200);
        assertThat(console.answer(live("/scheduled")).body().asText()).doesNotContain(id.toString());
    }

    @Test
    void a_viewer_of_hundreds_of_pages_keeps_nobody_else_from_new_ones() {
        console.answer(live("/audit"));
        for (int second = 0; second < 200; second++) {
            clock.advance(Duration.ofSeconds(1));
            for (int page = 0; page < 10; page++) {
                console.answer(live("/messages?key=order-" + (second * 10 + page) % 280));
            }
            if (second % POLL_SECONDS == 0) {
                String age = console.answer(live("/audit")).headers().get("Age");
                assertThat(Integer.parseInt(age)).as("after %s s", second).isLessThanOrEqualTo(120 + POLL_SECONDS);
            }
        }
    }

    @Test
    void what_is_asked_for_once_is_not_kept_and_parameters_that_mean_nothing_make_no_page() {
        console.answer(request("/audit", Role.VIEWER));
        int asked = counted.statements.get();
        console.answer(live("/audit"));
        assertThat(counted.statements.get()).isEqualTo(asked + 1);

        for (int i = 0; i < 10; i++) {
            assertThat(console.answer(live("/audit?nonce=" + i)).status()).isEqualTo(200);
        }

        assertThat(counted.statements.get()).isEqualTo(asked + 1);
    }

    @Test
    void what_depends_on_the_role_is_shared_within_the_role() {
        console.answer(live("/settings"));
        int before = counted.statements.get();
        console.answer(request("/settings?live=true", Role.ADMIN));

        assertThat(counted.statements.get()).isGreaterThan(before);
        assertThat(console.answer(request("/messages/" + UUID.randomUUID() + "?live=true&reveal=true", Role.VIEWER))
                        .status())
                .isIn(403, 404);
    }

    private static ConsoleRequest live(String page) {
        return request(page, Role.VIEWER).query("live", "true");
    }

    private static ConsoleRequest request(String page, Role role) {
        String[] parts = page.split("\\?", 2);
        ConsoleRequest request = ConsoleRequest.of("GET", DB + parts[0]).by(new Identity(role.word(), role));
        if (parts.length > 1) {
            for (String parameter : parts[1].split("&", -1)) {
                String[] pair = parameter.split("=", 2);
                request = request.query(pair[0], pair[1]);
            }
        }
        return request;
    }
}

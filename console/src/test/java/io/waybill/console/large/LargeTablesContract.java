package io.waybill.console.large;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.console.Console;
import io.waybill.console.ConsoleOptions;
import io.waybill.console.api.ApiRoute;
import io.waybill.console.api.ConsoleDatabase;
import io.waybill.console.request.ConsoleRequest;
import io.waybill.console.request.ConsoleResponse;
import io.waybill.console.request.Identity;
import io.waybill.console.request.Role;
import io.waybill.jdbc.JdbcStore;
import io.waybill.jdbc.plan.BigTables;
import io.waybill.testkit.services.database.TestDatabase;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Every page is quick with a million messages, 100,000 failed messages and 200,000 processes. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class LargeTablesContract {

    private static final int SCALE = Integer.getInteger("waybill.console.scale", 1);
    private static final int WARM_UP = 5;
    private static final int REQUESTS = 40;
    private static final Duration MOST = Duration.ofMillis(300);
    private static final String DB = "/api/databases/shop";
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final TestDatabase database;
    private final Console console;

    LargeTablesContract(TestDatabase database) {
        this.database = database;
        JdbcStore store = JdbcStore.on(database.dataSource()).initializeSchema();
        this.console = new Console(ConsoleOptions.of(List.of(ConsoleDatabase.of("shop", "somewhere", store)))
                .clock(new SteppingClock()));
    }

    /** A request of a page. */
    private record Page(String path, Map<String, String> query) {
        private static Page of(String path, String... query) {
            return new Page(
                    path,
                    IntStream.range(0, query.length / 2)
                            .boxed()
                            .collect(Collectors.toMap(i -> query[2 * i], i -> query[2 * i + 1])));
        }
    }

    @BeforeAll
    void fill() throws SQLException {
        BigTables.fill(
                database.dataSource(), JdbcStore.on(database.dataSource()).dialect(), SCALE);
    }

    @AfterAll
    void drop() {
        database.close();
    }

    @Test
    void every_page_is_quick() {
        List<Page> pages = pages();
        assertThat(missing(pages))
                .as("routes that no page here asks for: add one")
                .isEmpty();

        var slow = new TreeMap<String, Duration>();
        for (Page page : pages) {
            Duration time = percentile95(page);
            if (time.compareTo(MOST) > 0) {
                slow.put(page.toString(), time);
            }
        }
        assertThat(slow).as("pages whose 95th percentile is above " + MOST).isEmpty();
    }

    private List<Page> pages() {
        String message = first(Page.of(DB + "/messages"), "id");
        String key = first(Page.of(DB + "/messages", "status", "HELD"), "key");
        String failed = first(Page.of(DB + "/failures/messages"), "id");
        String group = first(Page.of(DB + "/failures/messages"), "group");
        String process = first(Page.of(DB + "/processes", "status", "RUNNING"), "id");
        String command = first(Page.of(DB + "/commands"), "id");
        String scheduled = first(Page.of(DB + "/scheduled"), "id");
        var pages = new ArrayList<>(List.of(
                Page.of(DB + "/overview"),
                Page.of(DB + "/settings"),
                Page.of(DB + "/audit"),
                Page.of(DB + "/relays"),
                Page.of(DB + "/routes"),
                Page.of(DB + "/scheduled"),
                Page.of(DB + "/scheduled", "destination", "destination-1"),
                Page.of(DB + "/scheduled", "type", "Nothing"),
                Page.of(DB + "/scheduled/" + scheduled),
                Page.of(DB + "/correlation", "id", process),
                Page.of(DB + "/correlation", "id", command),
                Page.of(DB + "/processes/counts"),
                Page.of(DB + "/operations"),
                Page.of(DB + "/inbox"),
                Page.of(DB + "/failures"),
                Page.of(DB + "/failures/messages", "group", group),
                Page.of(DB + "/failures/messages", "key", "key-1"),
                Page.of(DB + "/failures/messages", "after", String.valueOf(9_000 * SCALE)),
                Page.of(DB + "/failures/messages/" + failed),
                Page.of(DB + "/messages"),
                Page.of(DB + "/messages", "after", String.valueOf(50_000 * SCALE)),
                Page.of(DB + "/messages", "status", "FAILED"),
                Page.of(DB + "/messages", "status", "PENDING"),
                Page.of(DB + "/messages", "status", "HELD", "key", key),
                Page.of(DB + "/messages", "key", key),
                Page.of(DB + "/messages", "destination", "destination-1"),
                Page.of(DB + "/messages", "correlation", "nowhere"),
                Page.of(DB + "/messages", "olderThanSeconds", "86400"),
                Page.of(DB + "/messages", "id", message.substring(0, 8)),
                Page.of(DB + "/messages", "type", "Nothing"),
                Page.of(DB + "/messages/" + message),
                Page.of(DB + "/processes"),
                Page.of(DB + "/processes", "status", "FAILED"),
                Page.of(DB + "/processes", "type", "Work", "status", "RUNNING"),
                Page.of(DB + "/processes", "key", "big-1000"),
                Page.of(DB + "/processes/" + process),
                Page.of(DB + "/processes/" + process + "/graph.svg"),
                Page.of(DB + "/commands"),
                Page.of(DB + "/commands", "type", "BookSeat", "status", "PENDING"),
                Page.of(DB + "/commands/" + command)));
        return pages;
    }

    /** The page for one operation is answered from memory. */
    private List<String> missing(List<Page> pages) {
        var missing = new TreeSet<String>();
        for (ApiRoute route : console.routes()) {
            boolean isPage = route.method().equals("GET")
                    && route.path().startsWith("/api/databases/{database}/")
                    && !route.path().endsWith("/operations/{id}");
            String pattern = route.path().replace("{database}", "shop").replaceAll("\\{\\w+}", "[^/]+");
            if (isPage && pages.stream().noneMatch(page -> page.path().matches(pattern))) {
                missing.add(route.path());
            }
        }
        return List.copyOf(missing);
    }

    private String first(Page page, String field) {
        JsonNode items = JSON.readTree(answer(page).body().asText()).get("items");
        assertThat(items).as(page.toString()).isNotEmpty();
        return items.get(0).get(field).asString();
    }

    private Duration percentile95(Page page) {
        IntStream.range(0, WARM_UP).forEach(i -> answer(page));
        List<Duration> times = IntStream.range(0, REQUESTS)
                .mapToObj(i -> {
                    long begin = System.nanoTime();
                    answer(page);
                    return Duration.ofNanos(System.nanoTime() - begin);
                })
                .sorted()
                .toList();
        return times.get(REQUESTS * 95 / 100 - 1);
    }

    private ConsoleResponse answer(Page page) {
        ConsoleRequest request = ConsoleRequest.of("GET", page.path()).by(new Identity("ann", Role.ADMIN));
        for (var parameter : page.query().entrySet()) {
            request = request.query(parameter.getKey(), parameter.getValue());
        }
        ConsoleResponse response = console.answer(request);
        assertThat(response.status()).as(page + ": " + response.body()).isEqualTo(200);
        return response;
    }

    /** Ten seconds later at every look, so that nothing is answered from memory. */
    private static final class SteppingClock extends Clock {

        private final AtomicLong seconds = new AtomicLong();

        @Override
        public ZoneOffset getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(java.time.ZoneId zone) {
            return this;
        }

        @Override
        public Instant instant() {
            return Instant.ofEpochSecond(1_800_000_000L + seconds.addAndGet(10));
        }
    }
}

package io.waybill.console.destination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.console.Browser;
import io.waybill.console.Console;
import io.waybill.console.ConsoleOptions;
import io.waybill.console.api.ConsoleDatabase;
import io.waybill.console.request.ConsoleResponse;
import io.waybill.console.request.Identity;
import io.waybill.console.request.Role;
import io.waybill.jdbc.JdbcStore;
import io.waybill.message.Message;
import io.waybill.observe.RelayListener;
import io.waybill.relay.route.RelayOptions;
import io.waybill.runtime.Waybill;
import io.waybill.testkit.ManualClock;
import io.waybill.testkit.memory.MemoryBroker;
import io.waybill.testkit.services.database.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What the admin API says of destinations, and how it pauses them, on every database. */
abstract class DestinationContract {

    private static final String DB = "/api/databases/shop";
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final RelayOptions QUICK =
            RelayOptions.DEFAULT.withSweepInterval(Duration.ofMillis(100)).withLeaseTime(Duration.ofSeconds(3));

    private final MemoryBroker broker = new MemoryBroker();
    private final AtomicInteger handled = new AtomicInteger();
    private final Set<String> paused = ConcurrentHashMap.newKeySet();
    private final ManualClock clock = ManualClock.now();
    private TestDatabase database;
    private Waybill application;
    private Browser browser;

    @SuppressWarnings("NullAway.Init")
    DestinationContract() {}

    abstract TestDatabase open();

    @BeforeEach
    void start() {
        database = open();
        application = Waybill.on(database.dataSource())
                .retention(Duration.ZERO)
                .relay(QUICK)
                .route("orders.*", broker)
                .listener(new RelayListener() {
                    @Override
                    public void paused(String destination, String reason, boolean misconfigured) {
                        paused.add(destination);
                    }
                })
                .start();
        application.subscribe("payments", "bank", String.class, received -> handled.incrementAndGet());
        var console = new Console(
                ConsoleOptions.of(List.of(ConsoleDatabase.of("shop", "somewhere", JdbcStore.on(database.dataSource()))))
                        .clock(clock));
        browser = new Browser(console, new Identity("ann", Role.OPERATOR));
    }

    @AfterEach
    void stop() {
        application.close();
        database.close();
    }

    @Test
    void what_relays_publish_is_a_rate_although_nothing_waits_or_is_kept() {
        assertThat(overview().get("destinations")).isEmpty();
        await().atMost(PATIENCE).until(() -> !overview().get("outPerSecond").isNull());

        append("orders.placed", 40);
        append("payments", 20);

        JsonNode orders = await().atMost(PATIENCE)
                .until(
                        () -> destination("orders.placed"),
                        found -> found.filter(DestinationContract::hasRate).isPresent())
                .orElseThrow();
        assertThat(orders.get("state").asString()).isEqualTo("ok");
        assertThat(orders.get("pending").asInt()).isZero();
        assertThat(orders.get("refusedShare").asDouble()).isZero();
        await().atMost(PATIENCE).until(() -> handled.get() == 20);
        await().atMost(PATIENCE).until(() -> destination("payments").isPresent());
        JsonNode overview = overview();
        assertThat(overview.get("inPerSecond").asDouble()).isNotNegative();
        assertThat(overview.get("samples")
                        .valueStream()
                        .mapToDouble(sample -> sample.get("outPerSecond").asDouble())
                        .max()
                        .orElse(0))
                .isPositive();
        assertThat(overview.get("samples")
                        .valueStream()
                        .mapToDouble(sample -> sample.get("inPerSecond").asDouble()))
                .allMatch(rate -> rate >= 0);
        await().atMost(PATIENCE).until(() -> overview().get("outPerSecond").asDouble() == 0);
    }

    private static boolean hasRate(JsonNode destination) {
        return destination.get("publishedPerSecond").asDouble() > 0;
    }

    @Test
    void a_destination_is_paused_and_resumed_with_a_reason_that_is_audited() {
        JsonNode done =
                browser.post(DB + "/destinations/pause", "{'destination':'orders.placed','reason':'stock-taking'}");
        await().atMost(PATIENCE).until(() -> paused.contains("orders.placed"));
        append("orders.placed", 3);
        append("orders.cancelled", 1);
        await().atMost(PATIENCE).until(() -> broker.accepted().size() == 1);

        assertThat(done.get("what").asString()).isEqualTo("orders.placed is paused");
        assertThat(done.get("command").asString()).isEqualTo("waybill outbox pause orders.placed");
        JsonNode shown = destination("orders.placed").orElseThrow();
        assertThat(shown.get("state").asString()).isEqualTo("paused");
        assertThat(shown.get("pending").asInt()).isEqualTo(3);
        assertThat(shown.get("paused").get("operator").asString()).isEqualTo("ann");
        assertThat(shown.get("paused").get("reason").asString()).isEqualTo("stock-taking");
        assertThat(shown.get("paused").get("since").isNull()).isFalse();
        assertThat(overview().get("attention").toString())
                .contains("paused by ann: stock-taking", "it is resumed: waybill outbox resume orders.placed");
        JsonNode routes = browser.get(DB + "/routes");
        assertThat(routes.get("paused").get(0).get("destination").asString()).isEqualTo("orders.placed");
        assertThat(routes.get("relays").get(0).get("routes").toString())
                .contains("{\"destinations\":\"orders.*\",\"target\":\"broker\"}")
                .contains("{\"destinations\":\"payments\",\"target\":\"handler\"}");

        assertRefused("pause", "{'destination':'orders.placed','reason':'again'}", 409, "by ann: stock-taking");
        assertRefused("resume", "{'destination':'payments','reason':'why not'}", 409, "Paused are: orders.placed");
        assertRefused("pause", "{'destination':'payments'}", 400, "reason");
        assertRefused("pause", "{'reason':'all of them'}", 400, "destination");

        browser.post(DB + "/destinations/resume", "{'destination':'orders.placed','reason':'counted'}");
        await().atMost(PATIENCE).until(() -> broker.accepted().size() == 4);
        JsonNode audit = browser.get(DB + "/audit").get("items").get(0);
        assertThat(audit.get("command").asString()).isEqualTo("waybill outbox resume orders.placed");
        assertThat(audit.get("reason").asString()).isEqualTo("counted");
        assertThat(audit.get("operator").asString()).isEqualTo("ann");
        assertThat(browser.get(DB + "/routes").get("paused")).isEmpty();
    }

    private void assertRefused(String verb, String body, int status, String because) {
        ConsoleResponse refused = browser.answer("POST", DB + "/destinations/" + verb, body);
        assertThat(refused.status()).as(refused.body().asText()).isEqualTo(status);
        assertThat(refused.body().asText()).contains(because);
    }

    /** It is looked up at most every five seconds. */
    private JsonNode overview() {
        clock.advance(Duration.ofSeconds(6));
        return browser.get(DB + "/overview");
    }

    private Optional<JsonNode> destination(String name) {
        return overview()
                .get("destinations")
                .valueStream()
                .filter(one -> one.get("destination").asString().equals(name))
                .findFirst();
    }

    private void append(String destination, int count) {
        application.transactions().inTransaction(transaction -> {
            IntStream.range(0, count)
                    .forEach(i -> application
                            .outbox()
                            .append(Message.event("Thing", "{\"number\":" + i + "}")
                                    .to(destination)));
            return transaction;
        });
    }
}

package io.waybill.console.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.console.request.Role;
import io.waybill.message.Message;
import io.waybill.observe.RelayListener;
import io.waybill.relay.route.RelayOptions;
import io.waybill.runtime.Waybill;
import io.waybill.testkit.memory.MemoryBroker;
import io.waybill.transport.Outcome;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Destinations in a real browser: how fast they are, and how one of them is paused. */
class DestinationPagesTest extends PagesScenario {

    private final MemoryBroker broker = new MemoryBroker();
    private final Set<String> paused = ConcurrentHashMap.newKeySet();
    private final Waybill application = Waybill.on(database.dataSource())
            .retention(Duration.ZERO)
            .relay(RelayOptions.DEFAULT
                    .withSweepInterval(Duration.ofMillis(100))
                    .withLeaseTime(Duration.ofSeconds(3)))
            .route("orders", broker)
            .route("invoices", broker)
            .listener(new RelayListener() {
                @Override
                public void paused(String destination, String reason, boolean misconfigured) {
                    paused.add(destination);
                }
            })
            .start();

    DestinationPagesTest() {
        super(Role.OPERATOR);
    }

    @Override
    void endApplication() {
        application.close();
    }

    @Test
    void a_paused_destination_says_who_paused_it_and_keeps_its_messages_until_it_is_resumed() throws IOException {
        open("overview");
        broker.answers(message -> message.payload().asText().contains("\"number\":7}")
                ? new Outcome.Refused("no such item")
                : new Outcome.Accepted());
        append("orders", 30);
        append("invoices", 20);
        browser.awaitTrue(row("orders") + ".includes('/s')");
        assertThat(browser.text()).contains("published or handled", "appended, about");

        clickIn("orders", "Pause");
        browser.awaitText("Pause orders");
        browser.type("reason", "the shelf is <full>");
        browser.awaitTrue("document.querySelector('dialog[open]').innerText.includes('Copy as CLI command')");
        browser.click(OPEN_LINE);
        browser.awaitText("waybill outbox pause orders --reason 'the shelf is <full>'");
        browser.click("Pause");
        browser.awaitText("orders is paused");
        browser.awaitTrue(row("orders") + ".includes('by ann for')");
        assertThat(browser.evaluate(row("orders")).asString()).contains("paused", "the shelf is <full>");

        await().atMost(PATIENCE).until(() -> paused.contains("orders"));
        int before = broker.accepted().size();
        append("orders", 5);
        append("invoices", 5);
        await().atMost(PATIENCE).until(() -> broker.accepted().size() == before + 5);
        browser.awaitTrue(row("orders") + ".includes('\\t5\\t')");
        pictures("destinations");

        broker.recovers();
        clickIn("orders", "Resume");
        browser.type("reason", "it has room again");
        browser.click("Resume");
        browser.awaitText("orders is resumed");
        await().atMost(PATIENCE).until(() -> broker.accepted().size() >= before + 10);
        browser.awaitTrue("!" + row("orders") + ".includes('paused')");
        assertThat(browser.problems()).isEmpty();
    }

    /** What the row of a destination says, with a tab between cells. */
    private static String row(String destination) {
        return "([...document.querySelectorAll('[aria-label=Destinations] tbody tr')]"
                + ".find(one => one.querySelector('th').innerText === '" + destination
                + "') || { innerText: '' }).innerText";
    }

    private void clickIn(String destination, String button) {
        browser.evaluate("[...document.querySelectorAll('[aria-label=Destinations] tbody tr')]"
                + ".find(one => one.querySelector('th').innerText === '" + destination + "')"
                + ".querySelectorAll('button').forEach(one => one.innerText === '" + button + "' && one.click())");
    }

    private void append(String destination, int count) {
        application.transactions().inTransaction(transaction -> {
            IntStream.range(0, count)
                    .forEach(i -> application
                            .outbox()
                            .append(Message.event("Thing", "{\"number\":" + i + "}")
                                    .to(destination)
                                    .inOrderOf("key-" + i)));
            return transaction;
        });
    }
}

package io.waybill.telemetry;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.waybill.message.Category;
import io.waybill.message.Envelope;
import io.waybill.message.Payload;
import io.waybill.ops.FailedMessages;
import io.waybill.ops.OutboxOperations;
import io.waybill.process.ProcessListener.StepOutcome;
import io.waybill.process.state.ProcessStatus;
import io.waybill.process.store.ProcessStore.Active;
import io.waybill.testkit.ManualClock;
import io.waybill.testkit.memory.MemoryStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** docs/monitoring.md lists the meters of an application, with their tags. */
final class DocumentedMetersTest {

    private final ManualClock clock = ManualClock.now();
    private final MemoryStore store = new MemoryStore(clock.time());
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    @Test
    void the_page_lists_exactly_the_meters_and_tags_that_there_are() throws IOException {
        var meters = new WaybillMeters(clock, Tags.empty());
        meters.bindTo(registry);
        meters.watch(
                new OutboxOperations(store.admin()),
                new FailedMessages(store.failed(), store, store),
                List::of,
                () -> List.of(new Active("Purchase", ProcessStatus.RUNNING, 1)));
        store.inTransaction(transaction -> store.outbox()
                .append(io.waybill.message.Message.event("Some", "{}").to("orders")));
        var command = new Envelope(
                UUID.randomUUID(), Category.COMMAND, "Reserve", "orders", "", "", Payload.text("{}"), Map.of());
        meters.published(List.of(command), Duration.ZERO);
        meters.retried(command, 1, "no", Duration.ZERO);
        meters.handling(command).end("");
        meters.handled("mails", List.of(command));
        meters.duplicate("mails", List.of(command));
        meters.failed("mails", command, 1, new IllegalStateException());
        meters.started("Purchase");
        meters.stepEnded("Purchase", "Reserve", StepOutcome.COMPLETED);
        meters.ended("Purchase", ProcessStatus.SUCCEEDED);
        registry.get("waybill.outbox.backlog").gauge().value();

        Map<String, Set<String>> registered = new TreeMap<>();
        for (Meter meter : registry.getMeters()) {
            registered.put(
                    meter.getId().getName(),
                    meter.getId().getTags().stream().map(Tag::getKey).collect(toSet()));
        }
        // A registry that has no histograms keeps their buckets as gauges.
        registered.keySet().removeIf(name -> name.endsWith(".histogram"));

        assertThat(registered).isEqualTo(documented());
    }

    private static Map<String, Set<String>> documented() throws IOException {
        Map<String, Set<String>> meters = new TreeMap<>();
        for (String line : Files.readAllLines(Path.of("..", "docs", "monitoring.md"))) {
            String[] cells = line.split("\\|", -1);
            if (line.startsWith("| `waybill.")
                    && Arrays.asList(cells[3].strip().split(", ", -1)).contains("app")) {
                meters.put(names(cells[1]).iterator().next(), names(cells[2]));
            }
        }
        return meters;
    }

    private static Set<String> names(String cell) {
        return Pattern.compile("`([a-z.]+)`")
                .matcher(cell)
                .results()
                .map(name -> name.group(1))
                .collect(toSet());
    }
}

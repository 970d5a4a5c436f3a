package io.waybill.console.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.console.ConsoleScenario;
import io.waybill.console.TripProcess;
import io.waybill.message.PayloadCodec;
import io.waybill.process.state.ProcessStatus;
import io.waybill.runtime.Waybill;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What the admin API says of processes, and how it operates them, on every database. */
abstract class ProcessConsoleContract extends ConsoleScenario {

    @Test
    void all_blocked_processes_are_retried_together_and_those_that_are_not_blocked_are_left_alone() {
        var hotelAnswers = new AtomicBoolean();
        try (var application = Waybill.on(database.dataSource())
                .handlers(new TripProcess.Partners(hotelAnswers))
                .processes(new TripProcess())
                .start()) {
            List<UUID> blocked = IntStream.range(0, 120)
                    .mapToObj(
                            i -> application.processManager().startProcess("Trip", "trip-" + i, Map.of("guest", "Ann")))
                    .toList();
            blocked.forEach(id -> application.processManager().signal(id, "Card", Map.of("card", "x")));
            UUID waiting = application.processManager().startProcess("Trip", "trip-x", Map.of("guest", "Ann"));
            awaitAll(application, blocked, ProcessStatus.FAILED);

            hotelAnswers.set(true);
            assertThat(browser.answer("POST", DB + "/processes/retry", "{'filter':{},'reason':'open again'}")
                            .status())
                    .isEqualTo(400);
            JsonNode done = browser.post(
                    DB + "/processes/retry",
                    "{'filter':{'statuses':['failed','running'],'type':'Trip'},'reason':'open again'}");
            String operation = DB + "/operations/" + done.get("operation").asString();
            await().atMost(PATIENCE)
                    .until(() -> browser.get(operation).get("state").asString().equals("DONE"));

            assertThat(browser.get(operation).get("done").asInt()).isEqualTo(120);
            assertThat(browser.get(operation).get("refused").asInt()).isEqualTo(1);
            assertThat(done.get("command").asString())
                    .isEqualTo("waybill process retry --status running,failed --type Trip");
            awaitAll(application, blocked, ProcessStatus.COMPENSATED);
            assertThat(status(application, waiting)).isEqualTo(ProcessStatus.RUNNING);
        }
    }

    @Test
    void a_blocked_process_is_explained_and_retried_until_it_is_compensated() {
        var hotelAnswers = new AtomicBoolean();
        try (Waybill application = Waybill.on(database.dataSource())
                .handlers(new TripProcess.Partners(hotelAnswers))
                .processes(new TripProcess())
                .start()) {
            UUID id =
                    application.processManager().startProcess("Trip", "trip-1", Map.of("guest", "Ann", "pin", "1234"));
            String path = DB + "/processes/" + id;
            awaitStep(path, "Card", "RUNNING");
            assertThat(browser.post(
                                    path + "/signal",
                                    "{'signal':'Card','data':{'card':'x','pin':'9876'},'reason':'the guest called'}")
                            .get("outcome")
                            .asString())
                    .isEqualTo("done");
            awaitStatus(id, ProcessStatus.FAILED);

            JsonNode blocked = browser.get(path);
            assertThat(blocked.get("blocked").asBoolean()).isTrue();
            assertThat(blocked.get("explanation").asString())
                    .contains("Book is blocked since", "The hotel does not answer");
            assertThat(blocked.get("data").get("pin").asString()).isEqualTo("***");
            assertThat(blocked.toString()).as("steps and log too").doesNotContain("1234", "9876");
            assertThat(blocked.get("steps").get(0).get("actions").toString()).contains("retry", "skip", "resolve");
            assertThat(blocked.get("log").toString()).contains("The card was refused");
            assertThat(browser.answer("GET", path + "/graph.svg", "").body().asText())
                    .startsWith("<svg");
            assertThat(browser.get(DB + "/processes", "status", "FAILED")
                            .get("items")
                            .get(0)
                            .get("key")
                            .asString())
                    .isEqualTo("trip-1");
            assertThat(browser.get(DB + "/processes", "key", "trip-1").get("items"))
                    .hasSize(1);
            assertThat(browser.get(DB + "/commands", "status", "COMPLETED").get("items"))
                    .isNotEmpty();

            hotelAnswers.set(true);
            JsonNode retried = browser.post(path + "/retry", "{'reason':'the hotel answers again'}");
            assertThat(retried.get("outcome").asString()).isEqualTo("done");
            assertThat(retried.get("command").asString()).isEqualTo("waybill process retry --step Book " + id);
            awaitStatus(id, ProcessStatus.COMPENSATED);
            assertThat(browser.answer("POST", path + "/retry", "{'reason':'again'}")
                            .status())
                    .isEqualTo(409);
            assertThat(browser.get(DB + "/relays").get("relays")).hasSize(1);
            await().atMost(PATIENCE)
                    .until(() -> browser.get(DB + "/relays")
                            .get("leases")
                            .get(0)
                            .get("valid")
                            .asBoolean());
        }
    }

    @Test
    void processes_are_paged_from_the_latest_to_the_first() {
        try (Waybill application = Waybill.on(database.dataSource())
                .handlers(new TripProcess.Partners(new AtomicBoolean()))
                .processes(new TripProcess())
                .start()) {
            IntStream.range(0, 12)
                    .forEach(i ->
                            application.processManager().startProcess("Trip", "trip-" + i, Map.of("guest", "Ann")));
            List<String> keys = new ArrayList<>();
            String after = "";
            do {
                JsonNode page = browser.get(DB + "/processes", "type", "Trip", "after", after, "limit", "5");
                page.get("items").forEach(item -> keys.add(item.get("key").asString()));
                after = page.get("next").isNull() ? "" : page.get("next").asString();
            } while (!after.isEmpty());

            assertThat(keys)
                    .hasSize(12)
                    .doesNotHaveDuplicates()
                    .startsWith("trip-11")
                    .endsWith("trip-0");
        }
    }

    private static void awaitAll(Waybill application, List<UUID> processes, ProcessStatus status) {
        await().atMost(PATIENCE).until(() -> processes.stream().allMatch(id -> status(application, id) == status));
    }

    private static ProcessStatus status(Waybill application, UUID id) {
        return application.processManager().find(id).orElseThrow().status();
    }

    private void awaitStep(String path, String step, String status) {
        await().atMost(PATIENCE)
                .until(() -> browser.get(path)
                        .get("steps")
                        .valueStream()
                        .anyMatch(one -> one.get("step").asString().equals(step)
                                && one.get("status").asString().equals(status)));
    }

    private void awaitStatus(UUID id, ProcessStatus status) {
        await().atMost(PATIENCE)
                .until(() -> store.processStore(PayloadCodec.found())
                                .findById(id)
                                .orElseThrow()
                                .status()
                        == status);
    }
}

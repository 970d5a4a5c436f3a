package io.waybill.runtime.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.jdbc.PlainWay;
import io.waybill.message.PayloadCodec;
import io.waybill.process.ProcessManager;
import io.waybill.process.ProcessRequests;
import io.waybill.process.message.ProcessRequest;
import io.waybill.process.message.ProcessRequest.Verb;
import io.waybill.process.state.ProcessStatus;
import io.waybill.process.store.ProcessQuery;
import io.waybill.process.store.StuckProcess;
import io.waybill.relay.route.RelayOptions;
import io.waybill.runtime.Waybill;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Processes whose steps run in this process, on a real database: every step one commit, the rows of the application with it. */
abstract class ProcessesEndToEnd extends PurchaseScenario {

    @Test
    void a_process_runs_to_its_end() {
        UUID id = waybill.processManager().startProcess("Purchase", "order-1", data("book"));

        awaitStatus(id, ProcessStatus.SUCCEEDED);

        assertThat(ledger()).containsExactlyInAnyOrder("reserve book -2", "charge card-1 -2", "ship book 0");
        assertThat(instance(id).data()).containsEntry("reserved", true);
        await().untilAsserted(() -> assertThat(heard).containsExactly("Purchase started", "Purchase SUCCEEDED"));
    }

    @Test
    void a_step_that_fails_undoes_what_was_done() {
        UUID id = waybill.processManager().startProcess("Purchase", "order-1", data("broken-vase"));

        awaitStatus(id, ProcessStatus.COMPENSATED);

        assertThat(ledger())
                .containsExactly(
                        "reserve broken-vase -2", "charge card-1 -2", "refund card-1 2", "release broken-vase 2");
    }

    @Test
    void many_processes_end_and_what_was_undone_balances() {
        List<UUID> ids = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            ids.add(waybill.processManager()
                    .startProcess("Purchase", "order-" + i, data(i % 3 == 0 ? "broken-" + i : "book-" + i)));
        }

        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(ids)
                        .allMatch(id -> List.of(ProcessStatus.SUCCEEDED, ProcessStatus.COMPENSATED)
                                .contains(instance(id).status())));

        assertThat(ledger().stream().filter(line -> line.contains("broken")).toList())
                .as("reserved and released")
                .hasSize(40);
    }

    @Test
    void processes_that_run_are_not_taken_for_stuck() {
        List<UUID> ids = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            ids.add(waybill.processManager()
                    .startProcess("Purchase", "order-" + i, data((i % 3 == 0 ? "broken-" : "book-") + i)));
        }

        List<StuckProcess> stuck = new ArrayList<>();
        await().atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(1))
                .untilAsserted(() -> {
                    stuck.addAll(waybill.processManager().stuck(10));
                    assertThat(ids).allMatch(id -> instance(id).status().isFinished());
                });

        assertThat(stuck).isEmpty();
    }

    /** It owns half of the shards, and has no handler. */
    @Test
    void processes_end_while_a_node_without_their_handlers_runs_on_the_same_database() {
        try (Waybill orchestrator = Waybill.on(pool)
                .processes(new Purchase(), new Hurry())
                .relay(RelayOptions.DEFAULT.withHandlers(2))
                .start()) {
            List<UUID> ids = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                ids.add(orchestrator.processManager().startProcess("Purchase", "order-" + i, data("book-" + i)));
            }

            await().atMost(Duration.ofSeconds(20))
                    .untilAsserted(
                            () -> assertThat(ids).allMatch(id -> instance(id).status() == ProcessStatus.SUCCEEDED));
        }
        assertThat(ledger()).hasSize(120);
    }

    /** One has the definitions and no handler, the other one the handlers and no definition: neither can do anything alone. */
    @Test
    void processes_end_on_a_node_without_handlers_and_a_node_without_definitions() {
        run(Waybill.on(pool).handlers(new Shop()).relay(RelayOptions.DEFAULT.withHandlers(2)));
        try (Waybill orchestrator = Waybill.on(pool)
                .processes(new Purchase())
                .relay(RelayOptions.DEFAULT.withHandlers(2))
                .start()) {
            List<UUID> ids = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                ids.add(orchestrator
                        .processManager()
                        .startProcess("Purchase", "order-" + i, data((i % 4 == 0 ? "broken-" : "book-") + i)));
            }

            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(() ->
                            assertThat(ids).allMatch(id -> instance(id).status().isFinished()));
            assertThat(ids)
                    .filteredOn(id -> instance(id).status() == ProcessStatus.SUCCEEDED)
                    .hasSize(30);
            assertThat(orchestrator.processManager().stuck(10)).isEmpty();
        }
        assertThat(ledger())
                .as("30 times reserved, charged and shipped; 10 times reserved, charged, refunded, released")
                .hasSize(130);
        assertThat(count("SELECT count(*) FROM failed_message")).isZero();
    }

    /** A process, its sub-process and operators tell each other something while a node without definitions owns half of the shards. */
    @Test
    void sub_processes_and_operators_reach_the_node_that_has_the_definition() {
        run(Waybill.on(pool).handlers(new Shop()).relay(RelayOptions.DEFAULT.withHandlers(2)));
        try (Waybill orchestrator = Waybill.on(pool)
                .processes(new Purchase(), new Approved())
                .relay(RelayOptions.DEFAULT.withHandlers(2))
                .start()) {
            PayloadCodec codec = PayloadCodec.found();
            var operators = new ProcessRequests(
                    waybill.store().processStore(codec), waybill.outbox(), waybill.transactions(), codec);
            List<UUID> ids = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                UUID id = orchestrator
                        .processManager()
                        .startProcess("Approved", "order-" + i, data((i % 4 == 0 ? "broken-" : "book-") + i));
                operators.ask(
                        id,
                        new ProcessRequest(UUID.randomUUID(), Verb.SIGNAL, "Approval", Map.of(), "test", "fine", ""));
                ids.add(id);
            }

            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(() ->
                            assertThat(ids).allMatch(id -> instance(id).status().isFinished()));
            assertThat(ids)
                    .filteredOn(id -> instance(id).status() == ProcessStatus.SUCCEEDED)
                    .hasSize(15);
            assertThat(orchestrator.processManager().stuck(10)).isEmpty();
        }
    }

    @Test
    void a_step_that_answers_with_ten_megabytes_is_undone_and_the_reason_said() {
        UUID id = waybill.processManager()
                .startProcess("Purchase", "order-1", Map.of("item", "book", "amount", 2, "card", "long-1"));

        awaitStatus(id, ProcessStatus.COMPENSATED);

        assertThat(ledger())
                .containsExactly("reserve book -2", "charge long-1 -2", "refund long-1 2", "release book 2");
        assertThat(waybill.processManager().explain(id)).contains("a process keeps at most 1048576");
        assertThat(count("SELECT max(length(event_data)) FROM process_log")).isLessThan(10_000);
    }

    @Test
    void a_step_that_is_given_up_while_it_is_still_at_work_is_refused_at_its_end() {
        assertIsRefusedAtItsEnd(waybill.processManager());
    }

    @Test
    void it_is_refused_as_well_by_a_node_that_did_not_start_its_process() {
        try (Waybill other = Waybill.on(pool)
                .processes(new Purchase(), new Hurry())
                .relays(0)
                .build()) {
            assertIsRefusedAtItsEnd(other.processManager());
        }
    }

    private void assertIsRefusedAtItsEnd(ProcessManager starter) {
        UUID id = starter.startProcess("Hurry", "order-1", data("slow-piano"));
        awaitStatus(id, ProcessStatus.FAILED);
        assertThat(slowIsOver.getCount()).as("the handler is still at work").isEqualTo(1);

        slow.countDown();
        awaitEnd(slowIsOver);
        UUID next = waybill.processManager().startProcess("Hurry", "order-2", data("book"));
        awaitStatus(next, ProcessStatus.SUCCEEDED);
        waybill.stop();

        assertThat(ledger()).as("neither done nor undone").containsExactly("reserve book -2", "ship book 0");
        assertThat(instance(id).status()).isEqualTo(ProcessStatus.FAILED);
        assertThat(count("SELECT count(*) FROM command WHERE status IN ('PENDING', 'PROCESSING')"))
                .isZero();
    }

    @Test
    void a_step_without_a_compensation_takes_no_effect_after_its_process_is_compensated() {
        UUID id = waybill.processManager().startProcess("Impatient", "order-1", data("slow-piano"));
        awaitStatus(id, ProcessStatus.COMPENSATED);
        assertThat(slowIsOver.getCount()).as("the handler is still at work").isEqualTo(1);

        slow.countDown();
        awaitEnd(slowIsOver);
        UUID next = waybill.processManager().startProcess("Impatient", "order-2", data("book"));
        awaitStatus(next, ProcessStatus.SUCCEEDED);
        waybill.stop();

        assertThat(ledger())
                .containsExactlyInAnyOrder(
                        "charge card-1 -2", "refund card-1 2", "charge card-1 -2", "reserve book -2");
        assertThat(instance(id).status()).isEqualTo(ProcessStatus.COMPENSATED);
    }

    @Test
    void a_step_whose_handler_is_deployed_too_late_takes_no_effect() {
        waybill.close();
        UUID id;
        try (Waybill alone = Waybill.on(pool).processes(new Hurry()).relays(0).build()) {
            id = alone.processManager().startProcess("Hurry", "order-1", data("book"));
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> alone.processManager().runDue(10) > 0);
            assertThat(instance(id).status()).isEqualTo(ProcessStatus.FAILED);
        }
        run(application(RelayOptions.DEFAULT.withHandlers(4)));
        await().atMost(Duration.ofSeconds(30))
                .until(() -> count("SELECT count(*) FROM outbox WHERE status = 'PENDING'") == 0);

        assertThat(ledger()).isEmpty();
    }

    @Test
    void what_another_node_has_changed_meanwhile_is_not_written_over() {
        try (Waybill other = Waybill.on(pool)
                .processes(new Purchase(), new Hurry())
                .relays(0)
                .build()) {
            meanwhile.set(() -> {
                UUID id = other.processManager().search(ProcessQuery.ANY).get(0).processId();
                other.processManager().pause(id, "let me see");
                other.processManager().resume(id, "seen");
            });
            UUID id = waybill.processManager().startProcess("Purchase", "order-1", data("book"));

            awaitStatus(id, ProcessStatus.SUCCEEDED);

            assertThat(charges)
                    .as("decided on an old state, undone, decided again; unless the state is always read")
                    .hasValue(PlainWay.isOn() ? 1 : 2);
            assertThat(ledger()).containsExactlyInAnyOrder("reserve book -2", "charge card-1 -2", "ship book 0");
            assertThat(waybill.store().processStore(PayloadCodec.found()).findByProcessId(id).stream()
                            .map(event -> event.getClass().getSimpleName()))
                    .contains("ProcessPaused", "ProcessResumed");
        }
    }
}

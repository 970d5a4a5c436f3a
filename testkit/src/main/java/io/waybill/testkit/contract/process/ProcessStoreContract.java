package io.waybill.testkit.contract.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.WaybillException;
import io.waybill.command.CommandReply;
import io.waybill.command.ReplyListener.Receipt;
import io.waybill.message.PayloadCodec;
import io.waybill.observe.OutboxListener;
import io.waybill.process.definition.ProcessDefinition;
import io.waybill.process.engine.ProcessEngine;
import io.waybill.process.message.Decision;
import io.waybill.process.message.ProcessInput;
import io.waybill.process.message.StepCommand;
import io.waybill.process.state.LoggedEvent;
import io.waybill.process.state.ProcessState;
import io.waybill.process.state.ProcessStatus;
import io.waybill.process.store.ProcessQuery;
import io.waybill.process.store.ProcessStore;
import io.waybill.store.IdRange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What every store of processes keeps: that of this kit, and those of the databases. */
public abstract class ProcessStoreContract extends ProcessScenario {

    private static final int RACES = Integer.getInteger("waybill.process.races", 150);

    private final ExecutorService threads = Executors.newFixedThreadPool(8);

    @AfterEach
    void stopThreads() {
        threads.shutdownNow();
    }

    @Test
    void a_process_its_steps_and_its_log_are_kept_as_they_are() {
        UUID id = manager.startProcess(SHOP, "order-1", DATA);
        checkReplay(id);
        commands.replyToAll(manager, "");
        assertThat(fixture.store().findById(id)).hasValueSatisfying(found -> {
            assertThat(found.status()).isEqualTo(ProcessStatus.SUCCEEDED);
            assertThat(found.data())
                    .containsAllEntriesOf(DATA)
                    .containsEntry("Left", 1)
                    .containsEntry("Pack", 1);
            assertThat(found.currentStep()).isEqualTo("End");
        });
        checkReplay(id);

        UUID compensated = manager.startProcess(SHOP, "order-2", DATA);
        manager.pause(compensated, "a moment");
        checkReplay(compensated);
        manager.resume(compensated, "go");
        commands.replyToAll(manager, "End");
        assertThat(status(compensated)).isEqualTo(ProcessStatus.COMPENSATED);
        checkReplay(compensated);
    }

    private void checkReplay(UUID id) {
        ProcessState stored = fixture.store().read(id).orElseThrow();
        List<LoggedEvent> log = fixture.store().history(id);
        ProcessState replayed = ProcessState.replayed(id, log);
        assertThat(replayed.header()).isEqualTo(stored.header());
        assertThat(List.copyOf(replayed.executions())).isEqualTo(List.copyOf(stored.executions()));
        assertThat(fixture.store().findByProcessId(id))
                .isEqualTo(log.stream().map(LoggedEvent::event).toList());
    }

    @Test
    void the_trace_of_the_start_is_kept_for_what_begins_outside_of_it() {
        var thread = new CurrentTrace();
        manager = manager(thread, new Shop(1, "Pack"));
        thread.headers = CurrentTrace.of('a', '1');
        UUID id = manager.startProcess(SHOP, "order-1", DATA);
        thread.headers = CurrentTrace.of('a', '2');
        answer(commands.sent.remove());
        assertThat(commands.traces)
                .as("the thread is within the trace, and nearer")
                .containsExactly(Map.of(), Map.of());

        thread.headers = CurrentTrace.of('b', '3');
        commands.replyUpTo(manager(thread, new Shop(1, "Pack")), "Pack");

        assertThat(commands.traces)
                .as("who replies has a trace of his own")
                .last()
                .isEqualTo(CurrentTrace.of('a', '1'));
        checkReplay(id);
    }

    /** The context of the trace on this thread. */
    private static final class CurrentTrace implements OutboxListener {
        private Map<String, String> headers = Map.of();

        static Map<String, String> of(char trace, char span) {
            return Map.of(
                    "traceparent",
                    "00-" + String.valueOf(trace).repeat(32) + "-"
                            + String.valueOf(span).repeat(16) + "-01",
                    "tracestate",
                    "vendor=1");
        }

        @Override
        public Map<String, String> context() {
            return headers;
        }
    }

    @Test
    void unfinished_processes_are_counted_by_type_and_status_no_further_than_asked() {
        assertThat(fixture.store().active(10)).isEmpty();
        manager.startProcess(SHOP, "order-1", DATA);
        commands.replyToAll(manager, "");
        for (int i = 2; i <= 4; i++) {
            manager.startProcess(SHOP, "order-" + i, DATA);
        }
        manager.pause(manager.startProcess(SHOP, "order-5", DATA), "a moment");

        assertThat(fixture.store().active(10))
                .containsExactlyInAnyOrder(
                        new ProcessStore.Active(SHOP, ProcessStatus.RUNNING, 3),
                        new ProcessStore.Active(SHOP, ProcessStatus.PAUSED, 1));
        assertThat(fixture.store().active(2))
                .containsExactlyInAnyOrder(
                        new ProcessStore.Active(SHOP, ProcessStatus.RUNNING, 2),
                        new ProcessStore.Active(SHOP, ProcessStatus.PAUSED, 1));
    }

    @Test
    void a_process_that_is_rolled_back_was_never_started() {
        assertThatThrownBy(() -> fixture.transactions().inTransaction(transaction -> {
                    manager.startProcess(SHOP, "order-1", DATA);
                    throw new IllegalStateException("the order is refused");
                }))
                .hasMessageContaining("the order is refused");
        assertThat(fixture.store().search(ProcessQuery.ANY)).isEmpty();
        assertThat(commands.sent).isEmpty();
    }

    @Test
    void many_starts_about_the_same_thing_are_one_and_keys_differ_by_every_character() throws Exception {
        Set<UUID> ids = new HashSet<>();
        Callable<UUID> start = () -> manager.startProcess(SHOP, "order-1", DATA);
        for (Future<UUID> started : threads.invokeAll(Collections.nCopies(16, start))) {
            ids.add(started.get());
        }
        assertThat(ids).hasSize(1);
        assertThat(commands.sent).hasSize(1);
        ids.add(manager.startProcess(SHOP, "Order-1", DATA));
        ids.add(manager.startProcess(SHOP, "order-1 ", DATA));
        assertThat(ids).hasSize(3);
    }

    @Test
    void many_processes_start_together_and_those_that_exist_are_found() {
        UUID existing = manager.startProcess(SHOP, "order-70", DATA);
        Map<String, Map<String, Object>> starts = new HashMap<>();
        for (int i = 0; i < 120; i++) {
            starts.put("order-" + i, DATA);
        }

        Map<String, UUID> ids = manager.startAll(SHOP, starts);

        assertThat(ids).hasSize(120).containsEntry("order-70", existing);
        assertThat(new HashSet<>(ids.values())).hasSize(120);
        assertThat(commands.sent).hasSize(120);
        assertThat(ids)
                .allSatisfy((key, id) -> assertThat(
                                fixture.store().findById(id).orElseThrow().businessKey())
                        .isEqualTo(key));
        checkReplay(ids.getOrDefault("order-119", existing));
        assertThat(manager.startAll(SHOP, starts)).isEqualTo(ids);
        assertThat(manager.startAll(SHOP, Map.of())).isEmpty();
        assertThat(commands.sent).hasSize(120);
    }

    @Test
    void of_processes_that_start_together_none_starts_when_one_cannot() {
        assertThatThrownBy(() -> manager.startAll(SHOP, Map.of("order-1", DATA, " ", DATA)))
                .hasMessageContaining("business key");
        assertThat(fixture.store().search(ProcessQuery.ANY)).isEmpty();
        assertThat(commands.sent).isEmpty();
    }

    @Test
    void callers_that_start_the_same_processes_together_start_each_once() throws Exception {
        List<Callable<Map<String, UUID>>> callers = new ArrayList<>();
        for (int caller = 0; caller < 8; caller++) {
            Map<String, Map<String, Object>> starts = new LinkedHashMap<>();
            for (int i = 0; i < 20; i++) {
                starts.put("order-" + (i * 7 + caller) % 20, DATA);
            }
            callers.add(() -> manager.startAll(SHOP, starts));
        }
        Set<Map<String, UUID>> found = new HashSet<>();
        for (Future<Map<String, UUID>> started : threads.invokeAll(callers)) {
            found.add(started.get());
        }
        assertThat(found).hasSize(1);
        assertThat(commands.sent).hasSize(20);
    }

    @Test
    void branches_that_answer_at_the_same_moment_meet_once() throws Exception {
        for (int round = 0; round < RACES; round++) {
            UUID id = manager.startProcess(SHOP, "race-" + round, Map.of());
            answer(commands.sent.remove());
            StepCommand left = commands.sent.remove();
            StepCommand right = commands.sent.remove();
            var barrier = new CyclicBarrier(2);
            List<Callable<Boolean>> both = List.of(atOnce(barrier, left), atOnce(barrier, right));
            for (Future<Boolean> done : threads.invokeAll(both)) {
                assertThat(done.get()).isTrue();
            }
            assertThat(commands.sent).as("round " + round).hasSize(1);
            assertThat(commands.sent.remove().step()).isEqualTo("Pack");
            assertThat(status(id)).isEqualTo(ProcessStatus.RUNNING);
        }
    }

    /** In the transaction of a handler that has read something before: where reads are repeatable it sees the past from then on. */
    private Callable<Boolean> atOnce(CyclicBarrier barrier, StepCommand command) {
        return () -> fixture.transactions().inTransaction(transaction -> {
            fixture.store().find(transaction, SHOP, "anything");
            await(barrier);
            return manager.onReply(command.attempt(), QueuedCommands.answer(command, "")) == Receipt.TAKEN;
        });
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (InterruptedException | BrokenBarrierException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void what_is_due_is_found_and_what_is_paused_is_left_alone() {
        UUID id = manager.startProcess(SHOP, "order-1", DATA);
        answer(commands.sent.remove());
        assertThat(fixture.store().due(List.of(new ProcessStore.Version(SHOP, 1)), 10))
                .isEmpty();
        fixture.clock().advance(Duration.ofMinutes(6));
        assertThat(fixture.store().due(List.of(new ProcessStore.Version(SHOP, 1)), 10))
                .containsExactly(id);
        manager.pause(id, "a moment");
        assertThat(fixture.store().due(List.of(new ProcessStore.Version(SHOP, 1)), 10))
                .isEmpty();
        manager.resume(id, "go");
        assertThat(status(id)).isEqualTo(ProcessStatus.COMPENSATING);
        assertThat(manager.runDue(10)).isZero();

        UUID other = manager.startProcess(SHOP, "order-2", DATA);
        fixture.clock().advance(Duration.ofDays(31));
        assertThat(manager.runDue(10)).isEqualTo(1);
        assertThat(status(other)).isEqualTo(ProcessStatus.COMPENSATING);
    }

    @Test
    void processes_are_found_by_what_is_known_about_them() {
        UUID first = manager.startProcess(SHOP, "order-1", DATA);
        commands.replyToAll(manager, "");
        fixture.clock().advance(Duration.ofHours(1));
        UUID second = manager.startProcess(SHOP, "order-2", DATA);

        assertThat(found(ProcessQuery.ANY)).containsExactly(first, second);
        assertThat(found(ProcessQuery.ANY.atMost(1))).containsExactly(first);
        assertThat(found(ProcessQuery.ANY.ofType(SHOP).about("order-2"))).containsExactly(second);
        assertThat(found(ProcessQuery.ANY.ofType("Other"))).isEmpty();
        assertThat(found(ProcessQuery.ANY.in(ProcessStatus.SUCCEEDED, ProcessStatus.FAILED)))
                .containsExactly(first);
        assertThat(found(ProcessQuery.ANY.at("Begin"))).containsExactly(second);
        assertThat(found(ProcessQuery.ANY.in(
                        IdRange.ofPrefix(second.toString().substring(0, 35)).orElseThrow())))
                .contains(second)
                .allMatch(id -> id.toString().startsWith(second.toString().substring(0, 35)));
        assertThat(found(ProcessQuery.ANY.in(IdRange.ofPrefix("ffffffff").orElseThrow())))
                .isEmpty();
        assertThat(found(ProcessQuery.ANY.untouchedSince(
                        fixture.clock().instant().minus(Duration.ofMinutes(30)))))
                .containsExactly(first);
        assertThat(manager.explain(second)).contains("Begin waits for its reply");
    }

    private List<UUID> found(ProcessQuery query) {
        return manager.search(query).stream()
                .map(process -> process.processId())
                .toList();
    }

    @Test
    void what_was_decided_on_an_old_state_is_not_written() {
        UUID id = manager.startProcess(SHOP, "order-1", DATA);
        ProcessState old = fixture.store().read(id).orElseThrow();
        manager.pause(id, "a moment");
        Decision stale = ProcessEngine.of(PayloadCodec.found())
                .decide(
                        ProcessDefinition.of(new Shop(1, "Pack")),
                        old,
                        new ProcessInput.Pause("too late"),
                        fixture.clock().instant(),
                        command -> CommandReply.timedOut(command, id, "nobody knows"));
        assertThatThrownBy(() -> fixture.transactions().inTransaction(transaction -> {
                    fixture.store().save(transaction, stale);
                    return id;
                }))
                .isInstanceOf(WaybillException.class)
                .hasMessageContaining("was changed by another transaction");
        checkReplay(id);
    }
}

package io.waybill.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.WaybillException;
import io.waybill.command.DomainCommand;
import io.waybill.command.ReplyListener.Receipt;
import io.waybill.message.PayloadCodec;
import io.waybill.process.Decision;
import io.waybill.process.LoggedEvent;
import io.waybill.process.ProcessConfiguration;
import io.waybill.process.ProcessDefinition;
import io.waybill.process.ProcessDefinitions;
import io.waybill.process.ProcessEngine;
import io.waybill.process.ProcessEvent;
import io.waybill.process.ProcessGraph;
import io.waybill.process.ProcessInput;
import io.waybill.process.ProcessManager;
import io.waybill.process.ProcessManagerParts;
import io.waybill.process.ProcessQuery;
import io.waybill.process.ProcessState;
import io.waybill.process.ProcessStatus;
import io.waybill.process.StepCommand;
import io.waybill.process.VersionReport;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every store of processes keeps: that of this kit, and those of the databases. */
public abstract class ProcessStoreContract {

    private static final int RACES = Integer.getInteger("waybill.process.races", 150);
    private static final String SHOP = "Shop";
    private static final Map<String, Object> DATA =
            Map.of("amount", new BigDecimal("10.50"), "name", "Zoë \u0000 'x'", "lines", List.of(1, Map.of("a", true)));

    /** Does something. */
    record WorkCommand() implements DomainCommand {}

    /** Undoes it. */
    record UndoCommand() implements DomainCommand {}

    /** Ends it. */
    record EndCommand() implements DomainCommand {}

    private final QueuedCommands commands = new QueuedCommands();
    private final ExecutorService threads = Executors.newFixedThreadPool(8);
    private ProcessFixture fixture;
    private ProcessManager manager;

    @SuppressWarnings("NullAway.Init")
    protected ProcessStoreContract() {}

    /** A fresh, empty store. */
    protected abstract ProcessFixture open();

    @BeforeEach
    void start() {
        fixture = open();
        manager = manager(new Shop(1, "Pack"));
    }

    @AfterEach
    void stop() {
        threads.shutdownNow();
        fixture.close();
    }

    private record Shop(int version, String last) implements ProcessConfiguration {

        @Override
        public String getProcessType() {
            return SHOP;
        }

        @Override
        public int getVersion() {
            return version;
        }

        @Override
        public Optional<Duration> getTimeout() {
            return Optional.of(Duration.ofDays(30));
        }

        @Override
        public ProcessGraph defineProcess() {
            return process()
                    .startWith(WorkCommand.class)
                    .named("Begin")
                    .withCompensation(UndoCommand.class)
                    .thenParallel()
                    .branch(WorkCommand.class)
                    .named("Left")
                    .withCompensation(UndoCommand.class)
                    .branch(WorkCommand.class)
                    .named("Right")
                    .withTimeout(Duration.ofMinutes(5))
                    .withCompensation(UndoCommand.class)
                    .joinAt(WorkCommand.class)
                    .named(last)
                    .then(EndCommand.class)
                    .end();
        }
    }

    private ProcessManager manager(ProcessConfiguration... processes) {
        return new ProcessManager(ProcessManagerParts.of(
                ProcessDefinitions.of(processes),
                fixture.store(),
                commands,
                fixture.transactions(),
                PayloadCodec.found(),
                fixture.clock().time()));
    }

    @Test
    void a_process_its_steps_and_its_log_are_kept_as_they_are() {
        UUID id = manager.startProcess(SHOP, "order-1", DATA);
        checkReplay(id);
        commands.answerAll(manager, "");
        assertThat(fixture.store().findById(id)).hasValueSatisfying(found -> {
            assertThat(found.status()).isEqualTo(ProcessStatus.SUCCEEDED);
            assertThat(found.data())
                    .containsAllEntriesOf(DATA)
                    .containsEntry("Left", 1)
                    .containsEntry("Pack", 1);
            assertThat(found.currentStep()).isEqualTo("End");
        });
        checkReplay(id);

        UUID undone = manager.startProcess(SHOP, "order-2", DATA);
        manager.pause(undone, "a moment");
        checkReplay(undone);
        manager.resume(undone, "go");
        commands.answerAll(manager, "End");
        assertThat(status(undone)).isEqualTo(ProcessStatus.COMPENSATED);
        checkReplay(undone);
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

    private void answer(StepCommand command) {
        manager.onReply(command.attempt(), QueuedCommands.answer(command, ""));
    }

    @Test
    void what_is_due_is_found_and_what_is_paused_is_left_alone() {
        UUID id = manager.startProcess(SHOP, "order-1", DATA);
        answer(commands.sent.remove());
        assertThat(fixture.store().due(10)).isEmpty();
        fixture.clock().advance(Duration.ofMinutes(6));
        assertThat(fixture.store().due(10)).containsExactly(id);
        manager.pause(id, "a moment");
        assertThat(fixture.store().due(10)).isEmpty();
        manager.resume(id, "go");
        assertThat(status(id)).isEqualTo(ProcessStatus.COMPENSATING);
        assertThat(manager.runDue(10)).isZero();

        UUID other = manager.startProcess(SHOP, "order-2", DATA);
        fixture.clock().advance(Duration.ofDays(31));
        assertThat(manager.runDue(10)).isEqualTo(1);
        assertThat(status(other)).isEqualTo(ProcessStatus.COMPENSATING);
    }

    @Test
    void a_process_that_a_node_cannot_move_does_not_keep_others_waiting() {
        UUID old = manager.startProcess(SHOP, "old", DATA);
        ProcessManager onlyNew = manager(new Shop(2, "Wrap"));
        UUID young = onlyNew.startProcess(SHOP, "young", DATA);
        fixture.clock().advance(Duration.ofDays(31));
        assertThat(onlyNew.runDue(1) + onlyNew.runDue(1)).isEqualTo(1);
        assertThat(status(young)).isEqualTo(ProcessStatus.COMPENSATING);
        assertThat(status(old)).isEqualTo(ProcessStatus.RUNNING);
        assertThat(manager.runDue(10)).isEqualTo(1);
    }

    @Test
    void processes_are_found_by_what_is_known_about_them() {
        UUID first = manager.startProcess(SHOP, "order-1", DATA);
        commands.answerAll(manager, "");
        fixture.clock().advance(Duration.ofHours(1));
        UUID second = manager.startProcess(SHOP, "order-2", DATA);

        assertThat(found(ProcessQuery.ANY)).containsExactly(first, second);
        assertThat(found(ProcessQuery.ANY.atMost(1))).containsExactly(first);
        assertThat(found(ProcessQuery.ANY.ofType(SHOP).about("order-2"))).containsExactly(second);
        assertThat(found(ProcessQuery.ANY.ofType("Other"))).isEmpty();
        assertThat(found(ProcessQuery.ANY.in(ProcessStatus.SUCCEEDED, ProcessStatus.FAILED)))
                .containsExactly(first);
        assertThat(found(ProcessQuery.ANY.at("Begin"))).containsExactly(second);
        assertThat(found(ProcessQuery.ANY.untouchedSince(
                        fixture.clock().instant().minus(Duration.ofMinutes(30)))))
                .containsExactly(first);
        assertThat(manager.explain(second)).contains("Begin waits for its answer");
    }

    private List<UUID> found(ProcessQuery query) {
        return manager.search(query).stream()
                .map(process -> process.processId())
                .toList();
    }

    @Test
    void a_process_that_waits_for_nothing_is_found_and_there_is_none() {
        UUID id = manager.startProcess(SHOP, "order-1", DATA);
        answer(commands.sent.remove());
        assertThat(manager.stuck(10)).isEmpty();

        UUID broken = new UUID(7, 7);
        List<LoggedEvent> log = new ArrayList<>(fixture.store().history(id).subList(0, 3));
        var started = (ProcessEvent.ProcessStarted) log.get(0).event();
        log.set(
                0,
                new LoggedEvent(
                        1,
                        log.get(0).at(),
                        new ProcessEvent.ProcessStarted(
                                started.processType(), 1, "broken", started.data(), null, null)));
        var decision = new Decision(Optional.empty(), ProcessState.replayed(broken, log), log, List.of(), List.of());
        fixture.transactions().inTransaction(transaction -> fixture.store().insert(transaction, decision));
        assertThat(manager.stuck(10)).containsExactly(broken);
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
                        fixture.clock().instant());
        assertThatThrownBy(() -> fixture.transactions().inTransaction(transaction -> {
                    fixture.store().save(transaction, stale);
                    return id;
                }))
                .isInstanceOf(WaybillException.class)
                .hasMessageContaining("was changed by somebody else");
        checkReplay(id);
    }

    @Test
    void versions_live_side_by_side_and_what_the_code_cannot_continue_is_held_and_named() {
        UUID old = manager.startProcess(SHOP, "old", DATA);
        ProcessManager both = manager(new Shop(1, "Pack"), new Shop(2, "Wrap"));
        UUID young = both.startProcess(SHOP, "young", DATA);
        assertThat(both.checkVersions())
                .extracting(VersionReport::version, VersionReport::verdict)
                .containsExactlyInAnyOrder(
                        Tuple.tuple(1, VersionReport.Verdict.COMPATIBLE),
                        Tuple.tuple(2, VersionReport.Verdict.COMPATIBLE));

        ProcessManager onlyNew = manager(new Shop(2, "Wrap"));
        assertThat(onlyNew.checkVersions()).anySatisfy(report -> {
            assertThat(report.verdict()).isEqualTo(VersionReport.Verdict.MISSING);
            assertThat(report.advice()).contains("knows Shop in the versions [2]");
        });
        StepCommand first = commands.sent.remove();
        assertThat(onlyNew.onReply(1, QueuedCommands.answer(first, ""))).isEqualTo(Receipt.ELSEWHERE);
        assertThat(both.onReply(1, QueuedCommands.answer(first, ""))).isEqualTo(Receipt.TAKEN);
        commands.answerAll(both, "");
        assertThat(fixture.store().findById(old).orElseThrow().data()).containsKey("Pack");
        assertThat(fixture.store().findById(young).orElseThrow().data()).containsKey("Wrap");
    }

    @Test
    void a_step_that_was_renamed_needs_a_mapping() {
        manager.startProcess(SHOP, "order-1", DATA);
        answer(commands.sent.remove());
        answer(commands.sent.remove());
        answer(commands.sent.remove());
        StepCommand pack = commands.sent.remove();
        assertThat(pack.step()).isEqualTo("Pack");

        ProcessManager renamed = manager(new Shop(1, "Wrap"));
        assertThat(renamed.checkVersions()).singleElement().satisfies(report -> {
            assertThat(report.verdict()).isEqualTo(VersionReport.Verdict.NEEDS_MAPPING);
            assertThat(report.unknownSteps()).containsExactly("Pack");
        });
        assertThat(renamed.onReply(1, QueuedCommands.answer(pack, ""))).isEqualTo(Receipt.ELSEWHERE);

        ProcessManager mapped = manager(new Mapped(new Shop(1, "Wrap")));
        assertThat(mapped.checkVersions())
                .extracting(VersionReport::verdict)
                .containsExactly(VersionReport.Verdict.COMPATIBLE);
        assertThat(mapped.onReply(1, QueuedCommands.answer(pack, ""))).isEqualTo(Receipt.TAKEN);
        assertThat(commands.sent.remove().step()).isEqualTo("End");
    }

    private record Mapped(Shop shop) implements ProcessConfiguration {
        @Override
        public String getProcessType() {
            return SHOP;
        }

        @Override
        public ProcessGraph defineProcess() {
            return shop.defineProcess();
        }

        @Override
        public Map<String, String> getRenamedSteps() {
            return Map.of("Pack", "Wrap");
        }
    }

    @Test
    void finished_processes_are_removed_when_they_are_old() {
        UUID finished = manager.startProcess(SHOP, "order-1", DATA);
        commands.answerAll(manager, "");
        UUID running = manager.startProcess(SHOP, "order-2", DATA);
        assertThat(manager.removeFinished(Duration.ofDays(7), 10)).isZero();
        fixture.clock().advance(Duration.ofDays(8));
        assertThat(manager.removeFinished(Duration.ofDays(7), 10)).isEqualTo(1);
        assertThat(fixture.store().findById(finished)).isEmpty();
        assertThat(fixture.store().history(finished)).isEmpty();
        assertThat(status(running)).isEqualTo(ProcessStatus.RUNNING);
    }

    private record Mall() implements ProcessConfiguration {
        @Override
        public String getProcessType() {
            return "Mall";
        }

        @Override
        public ProcessGraph defineProcess() {
            return process()
                    .startWith(WorkCommand.class)
                    .named("Open")
                    .thenProcess(SHOP)
                    .then(EndCommand.class)
                    .named("Close")
                    .end();
        }
    }

    @Test
    void a_sub_process_is_kept_as_long_as_its_parent_which_may_still_undo_it() {
        ProcessManager both = manager(new Shop(1, "Pack"), new Mall());
        UUID parent = both.startProcess("Mall", "mall-1", DATA);
        StepCommand close = commands.answerUpTo(both, "Close");
        fixture.clock().advance(Duration.ofDays(8));
        assertThat(fixture.store().countFinished(Duration.ofDays(7))).isZero();
        assertThat(both.removeFinished(Duration.ofDays(7), 10)).isZero();

        both.onReply(1, QueuedCommands.answer(close, ""));
        assertThat(status(parent)).isEqualTo(ProcessStatus.SUCCEEDED);
        fixture.clock().advance(Duration.ofDays(8));
        assertThat(fixture.store().countFinished(Duration.ofDays(7))).isEqualTo(1);
        assertThat(both.removeFinished(Duration.ofDays(7), 10)).as("the parent").isEqualTo(1);
        assertThat(both.removeFinished(Duration.ofDays(7), 10)).as("the child").isEqualTo(1);
        assertThat(fixture.store().search(ProcessQuery.ANY)).isEmpty();
    }

    private ProcessStatus status(UUID id) {
        return fixture.store().findById(id).orElseThrow().status();
    }
}

package io.waybill.jdbc.plan;

import io.waybill.command.CommandReply;
import io.waybill.command.DomainCommand;
import io.waybill.jdbc.JdbcStore;
import io.waybill.jdbc.process.StepsByHand;
import io.waybill.message.PayloadCodec;
import io.waybill.process.ProcessManager;
import io.waybill.process.definition.ProcessConfiguration;
import io.waybill.process.graph.ProcessGraph;
import io.waybill.process.message.Decision;
import io.waybill.process.message.StepCommand;
import io.waybill.process.state.ProcessState;
import io.waybill.process.state.ProcessStatus;
import io.waybill.process.store.ProcessQuery;
import io.waybill.process.store.ProcessStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Does everything once that the product does with the tables of processes. */
final class EveryProcessOperation {

    record WorkCommand() implements DomainCommand {}

    private static final class Work implements ProcessConfiguration {
        @Override
        public String getProcessType() {
            return "Work";
        }

        @Override
        public ProcessGraph defineProcess() {
            return process()
                    .startWith(WorkCommand.class)
                    .thenParallel()
                    .branch(WorkCommand.class)
                    .named("Left")
                    .branch(WorkCommand.class)
                    .named("Right")
                    .joinAt(WorkCommand.class)
                    .named("More")
                    .end();
        }
    }

    private final StepsByHand steps = new StepsByHand();

    private EveryProcessOperation() {}

    static void on(JdbcStore jdbc) {
        new EveryProcessOperation().run(jdbc);
    }

    private void run(JdbcStore jdbc) {
        ProcessStore store = jdbc.processStore(PayloadCodec.found());
        ProcessManager manager = steps.manager(jdbc, new Work());
        UUID id = manager.startProcess("Work", "work-1", Map.of());
        startAgain(jdbc, store, id);
        while (!steps.sent().isEmpty()) {
            StepCommand command = steps.sent().remove();
            manager.onReply(1, CommandReply.completed(command.commandId(), id, Map.of("done", true)));
        }
        manyAtOnce(jdbc, manager);
        store.findById(id);
        store.read(id);
        store.history(id);
        store.due(List.of(new ProcessStore.Version("Shop", 1), new ProcessStore.Version("Shop", 2)), 10);
        manager.stuck(10);
        manager.checkVersions();
        manager.search(ProcessQuery.ANY
                .ofType("Work")
                .about("work-1")
                .in(ProcessStatus.RUNNING)
                .at("More")
                .untouchedSince(Instant.EPOCH));
        store.countFinished(Duration.ofHours(165));
        manager.removeFinished(Duration.ofDays(6), 10);
    }

    /** Some of them learn something and others do not. */
    private void manyAtOnce(JdbcStore jdbc, ProcessManager manager) {
        for (int i = 0; i < 14; i++) {
            manager.startProcess("Work", "many-" + i, Map.of());
        }
        List<StepCommand> commands = List.copyOf(steps.sent());
        steps.sent().clear();
        jdbc.transactions().inTransaction(transaction -> {
            jdbc.outboxStore().finish(transaction, () -> {
                for (int i = 0; i < commands.size(); i++) {
                    Map<String, Object> data = i % 2 == 0 ? Map.of() : Map.of("done", true);
                    StepCommand command = commands.get(i);
                    manager.onReply(1, CommandReply.completed(command.commandId(), command.processId(), data));
                }
            });
            return commands;
        });
    }

    /** As a concurrent start would, which did not find the process before. */
    private static void startAgain(JdbcStore jdbc, ProcessStore store, UUID id) {
        var log = store.history(id);
        var again = ProcessState.replayed(new UUID(1, 1), log);
        var decision = new Decision(Optional.empty(), again, log, List.of(), List.of(), List.of());
        jdbc.transactions().inTransaction(transaction -> store.insert(transaction, List.of(decision), none -> {}));
    }
}

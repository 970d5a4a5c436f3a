package io.waybill.runtime.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.command.CommandNaming;
import io.waybill.command.CommandReply;
import io.waybill.command.CommandRetries;
import io.waybill.command.DomainCommand;
import io.waybill.command.execution.CommandOverException;
import io.waybill.command.execution.CommandRuntime;
import io.waybill.command.handler.AutoCommandHandlerRegistry;
import io.waybill.command.store.CommandStatus;
import io.waybill.jdbc.JdbcStore;
import io.waybill.jdbc.schema.JdbcStoreOptions;
import io.waybill.message.PayloadCodec;
import io.waybill.outbox.Outbox;
import io.waybill.outbox.OutboxOptions;
import io.waybill.process.BusCommandSender;
import io.waybill.process.ProcessManager;
import io.waybill.process.ProcessManagerParts;
import io.waybill.process.definition.ProcessConfiguration;
import io.waybill.process.definition.ProcessDefinitions;
import io.waybill.process.graph.ProcessGraph;
import io.waybill.process.state.ProcessState;
import io.waybill.process.state.StepExecution;
import io.waybill.process.state.StepStatus;
import io.waybill.testkit.ManualClock;
import io.waybill.testkit.services.database.TestDatabase;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A handler commits at the moment at which its step is given up: one of them wins, and both agree who. */
abstract class GivingUpRaces {

    private static final int ROUNDS = Integer.getInteger("waybill.process.races", 60);

    /** Takes its time. */
    public record SlowCommand() implements DomainCommand {}

    private static final class Race implements ProcessConfiguration {
        @Override
        public String getProcessType() {
            return "Race";
        }

        @Override
        public ProcessGraph defineProcess() {
            return process()
                    .startWith(SlowCommand.class)
                    .withTimeout(Duration.ofMinutes(1))
                    .end();
        }
    }

    abstract TestDatabase newDatabase();

    @Test
    void a_command_is_completed_or_given_up_and_its_process_knows_which() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try (TestDatabase database = newDatabase()) {
            var clock = ManualClock.now();
            JdbcStore store = JdbcStore.on(database.dataSource(), JdbcStoreOptions.DEFAULT, clock.time())
                    .initializeSchema(io.waybill.jdbc.schema.InitializeSchema.ALWAYS);
            var codec = PayloadCodec.found();
            var outbox = Outbox.in(store.outboxStore(), store.transactions(), OutboxOptions.DEFAULT);
            var commandRuntime = new CommandRuntime(
                    AutoCommandHandlerRegistry.of(),
                    store.commandStore(),
                    outbox,
                    store.transactions(),
                    CommandNaming.DEFAULT,
                    CommandRetries.DEFAULT,
                    codec,
                    clock.time());
            var manager = new ProcessManager(ProcessManagerParts.of(
                    ProcessDefinitions.of(new Race()),
                    store.processStore(codec),
                    new BusCommandSender(commandRuntime, outbox, codec),
                    store.transactions(),
                    codec,
                    clock.time()));
            int completed = 0;
            for (int round = 0; round < ROUNDS; round++) {
                UUID id = manager.startProcess("Race", "race-" + round, Map.of());
                UUID command = Objects.requireNonNull(step(store, id).commandId());
                clock.advance(Duration.ofMinutes(2));
                var barrier = new CyclicBarrier(2);
                Future<Boolean> handler = threads.submit(() -> {
                    barrier.await();
                    return isCompleted(store, manager, id, command);
                });
                Future<Integer> timer = threads.submit(() -> {
                    barrier.await();
                    return manager.runDue(10);
                });
                boolean won = handler.get(20, TimeUnit.SECONDS);
                timer.get(20, TimeUnit.SECONDS);
                manager.runDue(10);
                completed += won ? 1 : 0;
                assertThat(step(store, id).status())
                        .as("round " + round + ", the handler " + (won ? "won" : "lost"))
                        .isEqualTo(won ? StepStatus.COMPLETED : StepStatus.FAILED);
                assertThat(store.commandStore().find(command).orElseThrow().status())
                        .isEqualTo(won ? CommandStatus.COMPLETED : CommandStatus.FAILED);
            }
            assertThat(completed).isBetween(0, ROUNDS);
            commandRuntime.close();
        } finally {
            threads.shutdownNow();
        }
    }

    /** In the order of a handler's commit: first the command, then its process. */
    private static boolean isCompleted(JdbcStore store, ProcessManager manager, UUID process, UUID command) {
        try {
            store.transactions().inTransaction(transaction -> {
                store.commandStore().complete(transaction, command, 1, "{\"status\":\"COMPLETED\",\"data\":{}}");
                return manager.onReply(1, CommandReply.completed(command, process, Map.of()));
            });
            return true;
        } catch (CommandOverException e) {
            return false;
        }
    }

    private static StepExecution step(JdbcStore store, UUID id) {
        ProcessState state = store.processStore(PayloadCodec.found()).read(id).orElseThrow();
        return state.executions().iterator().next();
    }
}

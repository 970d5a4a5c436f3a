package io.waybill.testkit.contract.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.command.DomainCommand;
import io.waybill.message.PayloadCodec;
import io.waybill.observe.OutboxListener;
import io.waybill.process.ProcessManager;
import io.waybill.process.ProcessManagerParts;
import io.waybill.process.definition.ProcessConfiguration;
import io.waybill.process.definition.ProcessDefinitions;
import io.waybill.process.graph.ProcessGraph;
import io.waybill.process.message.StepCommand;
import io.waybill.process.state.ProcessStatus;
import io.waybill.testkit.process.MemoryProcessStore;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** What the contracts of stores of processes have in common: a process, and commands that the test answers. */
abstract class ProcessScenario {

    static final String SHOP = "Shop";
    static final Map<String, Object> DATA =
            Map.of("amount", new BigDecimal("10.50"), "name", "Zoë \u0000 'x'", "lines", List.of(1, Map.of("a", true)));

    /** Does something. */
    record WorkCommand() implements DomainCommand {}

    /** Compensates it. */
    record UndoCommand() implements DomainCommand {}

    /** Ends it. */
    record EndCommand() implements DomainCommand {}

    final QueuedCommands commands = new QueuedCommands();
    ProcessFixture fixture;
    ProcessManager manager;

    @SuppressWarnings("NullAway.Init")
    ProcessScenario() {}

    /** A fresh, empty store. */
    protected abstract ProcessFixture open();

    @BeforeEach
    void start() {
        fixture = open();
        commands.tables = fixture.commands();
        if (fixture.store() instanceof MemoryProcessStore memory) {
            memory.watch(commands::isOnTheWay);
        }
        manager = manager(new Shop(1, "Pack"));
    }

    @AfterEach
    void stop() {
        try {
            assertThat(manager.stuck(10)).isEmpty();
        } finally {
            fixture.close();
        }
    }

    /** Two branches that meet, each with its compensation. */
    record Shop(int version, String last) implements ProcessConfiguration {

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

    ProcessManager manager(ProcessConfiguration... processes) {
        return manager(OutboxListener.NONE, processes);
    }

    ProcessManager manager(OutboxListener traces, ProcessConfiguration... processes) {
        return new ProcessManager(ProcessManagerParts.of(
                        ProcessDefinitions.of(processes),
                        fixture.store(),
                        commands,
                        fixture.transactions(),
                        PayloadCodec.found(),
                        fixture.clock().time())
                .withTraces(traces));
    }

    void answer(StepCommand command) {
        manager.onReply(command.attempt(), QueuedCommands.answer(command, ""));
    }

    ProcessStatus status(UUID id) {
        return fixture.store().findById(id).orElseThrow().status();
    }
}

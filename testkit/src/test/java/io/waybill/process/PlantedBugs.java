package io.waybill.process;

import io.waybill.message.PayloadCodec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Engines with the mistakes that others have made. */
public final class PlantedBugs {

    private PlantedBugs() {}

    public static UnaryOperator<ProcessEngine> undoesInForwardOrder() {
        return engine -> new PureEngine(new CommandBuilder(PayloadCodec.found(), false), (choice, data) -> true) {
            @Override
            Undoing undoing(Run run) {
                return new Undoing(run) {
                    @Override
                    List<StepExecution> order(List<StepExecution> steps) {
                        return steps;
                    }
                };
            }
        };
    }

    /** Two answers at the same moment are decided on the same state: what the first one changed in its branch is lost. */
    public static UnaryOperator<ProcessEngine> losesAConcurrentBranch() {
        return engine -> new Wrapped(engine) {
            private final Map<UUID, ProcessState> seen = new HashMap<>();

            @Override
            ProcessState read(ProcessState state, ProcessInput input, Instant now) {
                ProcessState stale = seen.put(state.processId(), state);
                boolean join = input instanceof ProcessInput.Reply
                        && state.executions().stream()
                                .anyMatch(
                                        step -> step.kind() == StepKind.BRANCH && step.status() == StepStatus.COMPLETED)
                        && state.executions().stream()
                                .anyMatch(step -> step.kind() == StepKind.FORK && step.status() == StepStatus.RUNNING);
                return join && stale != null ? forgetting(state) : state;
            }

            private ProcessState forgetting(ProcessState state) {
                var copy = state.copy();
                copy.executions().stream()
                        .filter(step -> step.kind() == StepKind.BRANCH && step.status() == StepStatus.COMPLETED)
                        .toList()
                        .forEach(branch -> {
                            StepExecution last = copy.in(branch.number())
                                    .get(copy.in(branch.number()).size() - 1);
                            copy.put(branch.retried(StepStatus.RUNNING, 1, null, branch.since()));
                            copy.put(last.retried(StepStatus.RUNNING, 1, null, last.since()));
                        });
                return copy;
            }
        };
    }

    public static UnaryOperator<ProcessEngine> retriesUnderANewId() {
        return engine -> new Wrapped(engine) {
            @Override
            Decision decided(Decision decision) {
                var commands = new ArrayList<StepCommand>();
                decision.commands()
                        .forEach(command -> commands.add(
                                command.attempt() == 1 || command.undoes() != null
                                        ? command
                                        : new StepCommand(
                                                command.processId(),
                                                command.step(),
                                                command.type(),
                                                new UUID(
                                                        command.attempt(),
                                                        command.commandId().getLeastSignificantBits()),
                                                command.attempt(),
                                                command.payload(),
                                                command.idempotencyKey(),
                                                command.partitionKey(),
                                                command.businessKey(),
                                                command.deadline(),
                                                null)));
                return new Decision(
                        decision.before(), decision.after(), decision.events(), commands, decision.messages());
            }
        };
    }

    public static UnaryOperator<ProcessEngine> handlesRepliesTwice() {
        return engine -> new Wrapped(engine) {
            @Override
            ProcessState read(ProcessState state, ProcessInput input, Instant now) {
                return input instanceof ProcessInput.Reply reply
                        ? reopened(
                                state,
                                state.findByCommand(reply.reply().commandId()).orElse(null))
                        : state;
            }
        };
    }

    public static UnaryOperator<ProcessEngine> firesTimersAfterCompletion() {
        return engine -> new Wrapped(engine) {
            @Override
            ProcessState read(ProcessState state, ProcessInput input, Instant now) {
                return input instanceof ProcessInput.Due
                        ? reopened(state, state.execution(1).dueAt(now))
                        : state;
            }
        };
    }

    private static ProcessState reopened(ProcessState state, @Nullable StepExecution step) {
        if (step == null || step.status() != StepStatus.COMPLETED || state.status() != ProcessStatus.RUNNING) {
            return state;
        }
        var copy = state.copy();
        copy.put(step.retried(StepStatus.RUNNING, step.attempt(), step.dueAt(), step.since()));
        return copy;
    }

    private abstract static class Wrapped implements ProcessEngine {

        private final ProcessEngine engine;

        Wrapped(ProcessEngine engine) {
            this.engine = engine;
        }

        ProcessState read(ProcessState state, ProcessInput unusedInput, Instant unusedNow) {
            return state;
        }

        Decision decided(Decision decision) {
            return decision;
        }

        @Override
        public Decision start(
                ProcessDefinition definition,
                UUID processId,
                String businessKey,
                Map<String, Object> data,
                @Nullable ProcessParent parent,
                Instant now) {
            return decided(engine.start(definition, processId, businessKey, data, parent, now));
        }

        @Override
        public Decision decide(ProcessDefinition definition, ProcessState state, ProcessInput input, Instant now) {
            Decision made = decided(engine.decide(definition, read(state, input, now), input, now));
            return new Decision(Optional.of(state), made.after(), made.events(), made.commands(), made.messages());
        }
    }
}

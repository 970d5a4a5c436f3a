package io.waybill.process.engine;

import io.waybill.command.CommandReply;
import io.waybill.message.PayloadCodec;
import io.waybill.process.definition.ProcessDefinition;
import io.waybill.process.message.Decision;
import io.waybill.process.message.ProcessInput;
import io.waybill.process.message.ProcessMessage;
import io.waybill.process.message.StepCommand;
import io.waybill.process.state.ProcessParent;
import io.waybill.process.state.ProcessState;
import io.waybill.process.state.ProcessStatus;
import io.waybill.process.state.StepExecution;
import io.waybill.process.state.StepKind;
import io.waybill.process.state.StepStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Engines with the mistakes that others have made. */
public final class PlantedBugs {

    private PlantedBugs() {}

    public static UnaryOperator<ProcessEngine> undoesInForwardOrder() {
        return compensating(run -> new Compensator(run) {
            @Override
            List<StepExecution> order(List<StepExecution> steps) {
                return steps;
            }
        });
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
                                command.attempt() == 1 || command.purpose() != StepCommand.Purpose.STEP
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
                                                command.purpose(),
                                                null)));
                return with(decision, commands, decision.messages());
            }
        };
    }

    /** A step is given up, and its handler may go on. */
    public static UnaryOperator<ProcessEngine> givesUpWithoutEnding() {
        return engine -> new Wrapped(engine) {
            @Override
            Decision decided(Decision decision) {
                return new Decision(
                        decision.before(),
                        decision.after(),
                        decision.events(),
                        decision.commands(),
                        decision.messages(),
                        List.of());
            }
        };
    }

    /** A compensation asks whether its step was done where the compensation is handled, which is another database. */
    public static UnaryOperator<ProcessEngine> asksTheWrongDatabase() {
        return engine -> new Wrapped(engine) {
            @Override
            Decision decided(Decision decision) {
                var commands = decision.commands().stream()
                        .map(command -> command.purpose() == StepCommand.Purpose.COMPENSATION
                                ? refusing(command, decision.after().findByCommand(command.commandId()))
                                : command)
                        .toList();
                return with(decision, commands, decision.messages());
            }

            private StepCommand refusing(StepCommand command, Optional<StepExecution> step) {
                return new StepCommand(
                        command.processId(),
                        command.step(),
                        command.type(),
                        command.commandId(),
                        command.attempt(),
                        "{}",
                        command.idempotencyKey(),
                        command.partitionKey(),
                        command.businessKey(),
                        command.deadline(),
                        StepCommand.Purpose.REFUSAL,
                        step.map(StepExecution::commandId).orElse(null));
            }
        };
    }

    /** A step in doubt is never asked for: its compensation cannot be built without its reply. */
    public static UnaryOperator<ProcessEngine> asksNobody() {
        return engine -> new Wrapped(engine) {
            @Override
            Decision decided(Decision decision) {
                return with(
                        decision,
                        decision.commands().stream()
                                .filter(command -> command.purpose() != StepCommand.Purpose.REFUSAL)
                                .toList(),
                        decision.messages());
            }
        };
    }

    /** A blocked element takes the room of another one. */
    public static UnaryOperator<ProcessEngine> blockedElementsTakeRoom() {
        return compensating(run -> new Compensator(run) {
            @Override
            boolean isBlocked(StepExecution branch) {
                return false;
            }
        });
    }

    /** A sub-process replies with all its data: those that it was started with revert what another branch has replied. */
    public static UnaryOperator<ProcessEngine> childrenReplyWithTheirStartData() {
        return engine -> new Wrapped(engine) {
            @Override
            Decision decided(Decision decision) {
                return with(
                        decision,
                        decision.commands(),
                        decision.messages().stream()
                                .map(message -> message instanceof ProcessMessage.ChildReplied answered
                                                && answered.reply() instanceof CommandReply.Completed done
                                        ? withEverything(answered, done, decision.after())
                                        : message)
                                .toList());
            }

            private ProcessMessage withEverything(
                    ProcessMessage.ChildReplied answered, CommandReply.Completed done, ProcessState child) {
                return new ProcessMessage.ChildReplied(
                        answered.processId(),
                        CommandReply.completed(done.commandId(), done.correlationId(), child.mainData()));
            }
        };
    }

    /** A sub-process that was cancelled says nothing, as if it were still blocked. */
    public static UnaryOperator<ProcessEngine> cancelledChildrenSayNothing() {
        return engine -> new Wrapped(engine) {
            @Override
            Decision decided(Decision decision) {
                return decision.after().status() == ProcessStatus.CANCELLED
                        ? with(
                                decision,
                                decision.commands(),
                                decision.messages().stream()
                                        .filter(message -> !(message instanceof ProcessMessage.ChildReplied))
                                        .toList())
                        : decision;
            }
        };
    }

    /** Who is cancelled leaves its sub-processes alone. */
    public static UnaryOperator<ProcessEngine> cancelledParentsLeaveTheirChildren() {
        return engine -> new Wrapped(engine) {
            @Override
            Decision decided(Decision decision) {
                return with(
                        decision,
                        decision.commands(),
                        decision.messages().stream()
                                .filter(message -> !(message instanceof ProcessMessage.CancelChild))
                                .toList());
            }
        };
    }

    /** A process begins by the clock of its node, which is a minute behind that of the database. */
    public static UnaryOperator<ProcessEngine> startsByASlowClock() {
        return engine -> new Wrapped(engine) {
            @Override
            Instant startTime(Instant now) {
                return now.minusSeconds(60);
            }
        };
    }

    /** Two signals are two signals, whatever their keys. */
    public static UnaryOperator<ProcessEngine> ignoresKeysOfSignals() {
        return engine -> new Wrapped(engine) {
            @Override
            ProcessInput heard(ProcessInput input) {
                return input instanceof ProcessInput.Signal signal
                        ? new ProcessInput.Signal(signal.name(), "", signal.data())
                        : input;
            }
        };
    }

    /** What an operator holds is retried all the same. */
    public static UnaryOperator<ProcessEngine> retriesWhatIsPaused() {
        return engine -> new Wrapped(engine) {
            private boolean resumed;

            @Override
            ProcessState read(ProcessState state, ProcessInput input, Instant now) {
                resumed = input instanceof ProcessInput.RetryNow && state.status() == ProcessStatus.PAUSED;
                if (!resumed) {
                    return state;
                }
                ProcessState copy = state.copy();
                copy.resume();
                return copy;
            }

            @Override
            Decision decided(Decision decision) {
                if (resumed) {
                    decision.after().pause();
                    resumed = false;
                }
                return decision;
            }
        };
    }

    private static UnaryOperator<ProcessEngine> compensating(Function<DecisionContext, Compensator> compensator) {
        return engine -> new PureEngine(new CommandBuilder(PayloadCodec.found(), false), (choice, data) -> true) {
            @Override
            Compensator compensator(DecisionContext run) {
                return compensator.apply(run);
            }
        };
    }

    private static Decision with(Decision decision, List<StepCommand> commands, List<ProcessMessage> messages) {
        return new Decision(
                decision.before(), decision.after(), decision.events(), commands, messages, decision.ended());
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

        ProcessInput heard(ProcessInput input) {
            return input;
        }

        Instant startTime(Instant now) {
            return now;
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
                Map<String, String> trace,
                Instant now) {
            return decided(engine.start(definition, processId, businessKey, data, parent, trace, startTime(now)));
        }

        @Override
        public Decision decide(
                ProcessDefinition definition,
                ProcessState state,
                ProcessInput input,
                Instant now,
                Function<UUID, CommandReply> known) {
            Decision made = decided(engine.decide(definition, read(state, input, now), heard(input), now, known));
            return new Decision(
                    Optional.of(state), made.after(), made.events(), made.commands(), made.messages(), made.ended());
        }
    }
}

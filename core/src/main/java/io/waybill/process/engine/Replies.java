package io.waybill.process.engine;

import io.waybill.command.CommandReply;
import io.waybill.command.CommandReply.Completed;
import io.waybill.command.CommandReply.Retry;
import io.waybill.command.execution.Refusal;
import io.waybill.process.definition.ProcessDefinition;
import io.waybill.process.graph.Step;
import io.waybill.process.state.CompensationEvent.CompensationStepCompleted;
import io.waybill.process.state.CompensationEvent.CompensationStepFailed;
import io.waybill.process.state.ProcessState;
import io.waybill.process.state.ProcessStatus;
import io.waybill.process.state.StepEvent.StepCompleted;
import io.waybill.process.state.StepEvent.StepFailed;
import io.waybill.process.state.StepEvent.StepRefused;
import io.waybill.process.state.StepExecution;
import io.waybill.process.state.StepKind;
import io.waybill.process.state.StepStatus;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Notes the reply of a command. Late and repeated replies are recognised, and change nothing. */
final class Replies {

    private final DecisionContext run;
    private final ProcessState state;

    Replies(DecisionContext run) {
        this.run = run;
        this.state = run.state;
    }

    void note(int attempt, CommandReply reply) {
        String kind = reply.fold(done -> "Completed", failed -> "Failed", late -> "TimedOut");
        @Nullable
        StepExecution execution = state.findByCommand(reply.commandId()).orElse(null);
        if (execution == null) {
            run.ignore("", kind, "No step of the process sent the command " + reply.commandId() + ".");
        } else if (reply.commandId().equals(execution.commandId())) {
            forward(execution, attempt, reply, kind);
        } else if (reply.commandId().equals(run.refusalId(execution.number()))) {
            refusal(execution, attempt, reply, kind);
        } else {
            noteCompensation(execution, attempt, reply, kind);
        }
    }

    private void forward(StepExecution step, int attempt, CommandReply reply, String kind) {
        if (isAwaited(step) && reply instanceof Completed done) {
            run.emit(new StepCompleted(step.number(), step.step(), done.data()));
        } else if (step.status() == StepStatus.RUNNING && attempt >= step.attempt()) {
            failed(step, reply);
        } else {
            run.ignore(step.step(), kind, late(step, attempt));
        }
    }

    /** Whether it makes a difference that the step is done. */
    private boolean isAwaited(StepExecution step) {
        boolean over = state.status().isFinished() && !state.isBlocked();
        return !over
                && switch (step.status()) {
                    case RUNNING, WAITING, IN_DOUBT, REFUSING -> true;
                    case COMPENSATION_BLOCKED -> step.inDoubt() && step.kind() == StepKind.COMMAND;
                    default -> false;
                };
    }

    private void failed(StepExecution step, CommandReply reply) {
        if (reply instanceof CommandReply.Failed failure) {
            failed(step, failure.error(), failure.retry(), false);
        } else if (reply instanceof CommandReply.TimedOut late) {
            failed(step, late.error(), Retry.BY_RULE, true);
        }
    }

    /** An attempt is over without success: another one follows, or that was the last. */
    void failed(StepExecution step, String error, Retry said, boolean inDoubt) {
        @Nullable Duration pause = null;
        String why = error;
        boolean isRunning = state.status() == ProcessStatus.RUNNING || state.pausedFrom() == ProcessStatus.RUNNING;
        if (isRunning && step.kind() == StepKind.COMMAND) {
            try {
                pause = run.definition
                        .pause(run.definition.at(step.step()).step, step.attempt(), error, said)
                        .orElse(null);
            } catch (RuntimeException e) {
                why = error + " (and the rules for trying again failed: " + e + ")";
            }
        }
        run.emit(new StepFailed(step.number(), step.step(), step.attempt(), why, run.after(pause), inDoubt));
    }

    /** The reply of the worker that has the command: was it done? That reply may be larger than what a process stores. */
    private void refusal(StepExecution step, int attempt, CommandReply reply, String kind) {
        if (!isAwaited(step)) {
            run.ignore(step.step(), kind, late(step, attempt));
        } else if (reply instanceof CommandReply.Failed failure) {
            run.emit(new CompensationStepFailed(
                    step.number(), step.step(), "refusal", step.attempt(), failure.error(), null));
        } else {
            Optional<Map<String, Object>> done =
                    reply instanceof Completed completed ? Refusal.read(completed.data()) : Optional.of(Map.of());
            run.emit(
                    done.isPresent()
                            ? new StepCompleted(step.number(), step.step(), done.get())
                            : new StepRefused(step.number(), step.step()));
        }
    }

    private void noteCompensation(StepExecution step, int attempt, CommandReply reply, String kind) {
        boolean awaited = step.status() == StepStatus.COMPENSATING
                || step.status() == StepStatus.COMPENSATION_WAITING
                || step.status() == StepStatus.COMPENSATION_BLOCKED;
        if (awaited && reply instanceof Completed) {
            run.emit(new CompensationStepCompleted(step.number(), step.step(), compensation(step)));
        } else if (step.status() == StepStatus.COMPENSATING
                && (attempt >= step.attempt() || step.kind() == StepKind.CHILD)) {
            if (reply instanceof CommandReply.Failed failure) {
                compensationFailed(step, failure.error(), failure.retry());
            } else if (reply instanceof CommandReply.TimedOut timedOut) {
                compensationFailed(step, timedOut.error(), Retry.BY_RULE);
            }
        } else {
            run.ignore(step.step(), kind, late(step, attempt));
        }
    }

    /** No reply came in time: another attempt follows, or that was the last. */
    void noReply(StepExecution step, String error, Retry said) {
        CommandReply known = step.kind() == StepKind.COMMAND
                ? run.giveUp(Objects.requireNonNull(step.commandId()), step.attempt(), error)
                : CommandReply.timedOut(Objects.requireNonNull(step.commandId()), state.processId(), error);
        if (known instanceof Completed done) {
            run.emit(new StepCompleted(step.number(), step.step(), done.data()));
        } else {
            failed(step, error, said, known instanceof CommandReply.TimedOut);
        }
    }

    /**
     * The process ends, and does not wait for this command: false when a handler elsewhere may still do it. What was done meanwhile is noted.
     */
    boolean isGivenUp(StepExecution step, String why) {
        boolean forward = step.status() == StepStatus.RUNNING || step.status() == StepStatus.WAITING;
        if (step.status() == StepStatus.REFUSING) {
            return false;
        }
        UUID command = Objects.requireNonNull(forward ? step.commandId() : step.compensationCommandId());
        CommandReply known = run.giveUp(command, step.attempt(), why);
        if (known instanceof Completed done) {
            run.emit(
                    forward
                            ? new StepCompleted(step.number(), step.step(), done.data())
                            : new CompensationStepCompleted(step.number(), step.step(), compensation(step)));
        }
        return !(known instanceof CommandReply.TimedOut) || (step.status() == StepStatus.WAITING && !step.inDoubt());
    }

    /** The same of its compensation. */
    void noReplyToCompensation(StepExecution step, String error) {
        CommandReply known = run.giveUp(Objects.requireNonNull(step.compensationCommandId()), step.attempt(), error);
        if (known instanceof Completed) {
            run.emit(new CompensationStepCompleted(step.number(), step.step(), compensation(step)));
        } else {
            compensationFailed(step, error, Retry.BY_RULE);
        }
    }

    void compensationFailed(StepExecution step, String error, Retry said) {
        Step.@Nullable CompensatingSend compensation =
                run.definition.at(step.step()).step.compensation();
        @Nullable
        Duration pause = compensation == null
                ? null
                : ProcessDefinition.pause(compensation, step.attempt(), said).orElse(null);
        run.emit(new CompensationStepFailed(
                step.number(), step.step(), compensation(step), step.attempt(), error, run.after(pause)));
    }

    private String compensation(StepExecution step) {
        Step.@Nullable CompensatingSend compensation =
                run.definition.at(step.step()).step.compensation();
        return compensation == null ? step.step() : compensation.send().type();
    }

    private static String late(StepExecution step, int attempt) {
        return attempt < step.attempt() && step.status().isOpen()
                ? "It replies to attempt " + attempt + ", but attempt " + step.attempt() + " is on the way."
                : "The step is already " + step.status() + ".";
    }
}

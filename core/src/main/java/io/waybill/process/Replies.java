package io.waybill.process;

import io.waybill.command.CommandReply;
import io.waybill.command.CommandReply.Completed;
import io.waybill.command.CommandReply.Retry;
import io.waybill.process.StepEvent.StepAnsweredLate;
import io.waybill.process.StepEvent.StepCompleted;
import io.waybill.process.StepEvent.StepFailed;
import io.waybill.process.UndoEvent.CompensationStepCompleted;
import io.waybill.process.UndoEvent.CompensationStepFailed;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Notes what a command answered. Late and repeated answers are recognised, and change nothing. */
final class Replies {

    private final Run run;
    private final ProcessState state;

    Replies(Run run) {
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
        } else {
            undo(execution, attempt, reply, kind);
        }
    }

    private void forward(StepExecution step, int attempt, CommandReply reply, String kind) {
        boolean awaited = step.status() == StepStatus.RUNNING || step.status() == StepStatus.WAITING;
        if (awaited && reply instanceof Completed done) {
            run.emit(new StepCompleted(step.number(), step.step(), done.data()));
        } else if (step.status() == StepStatus.RUNNING && attempt >= step.attempt()) {
            failed(step, reply);
        } else if (step.inDoubt() && reply instanceof Completed done && step.status() != StepStatus.COMPLETED) {
            run.emit(new StepAnsweredLate(step.number(), step.step(), done.data()));
        } else {
            run.ignore(step.step(), kind, late(step, attempt));
        }
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
        boolean goesOn = state.status() == ProcessStatus.RUNNING || state.pausedFrom() == ProcessStatus.RUNNING;
        if (goesOn && step.kind() == StepKind.COMMAND) {
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

    private void undo(StepExecution step, int attempt, CommandReply reply, String kind) {
        boolean awaited = step.status() == StepStatus.UNDOING
                || step.status() == StepStatus.UNDO_WAITING
                || step.status() == StepStatus.UNDO_BLOCKED;
        if (awaited && reply instanceof Completed) {
            run.emit(new CompensationStepCompleted(step.number(), step.step(), compensation(step)));
        } else if (step.status() == StepStatus.UNDOING && attempt >= step.attempt()) {
            if (reply instanceof CommandReply.Failed failure) {
                undoFailed(step, failure.error(), failure.retry());
            } else if (reply instanceof CommandReply.TimedOut timedOut) {
                undoFailed(step, timedOut.error(), Retry.BY_RULE);
            }
        } else {
            run.ignore(step.step(), kind, late(step, attempt));
        }
    }

    void undoFailed(StepExecution step, String error, Retry said) {
        Step.@Nullable Undo undo = run.definition.at(step.step()).step.undo();
        @Nullable
        Duration pause = undo == null
                ? null
                : ProcessDefinition.pause(undo, step.attempt(), said).orElse(null);
        run.emit(new CompensationStepFailed(
                step.number(), step.step(), compensation(step), step.attempt(), error, run.after(pause)));
    }

    private String compensation(StepExecution step) {
        Step.@Nullable Undo undo = run.definition.at(step.step()).step.undo();
        return undo == null ? step.step() : undo.send().type();
    }

    private static String late(StepExecution step, int attempt) {
        return attempt < step.attempt() && step.status().isOpen()
                ? "It answers attempt " + attempt + ", but attempt " + step.attempt() + " is on the way."
                : "The step is already " + step.status() + ".";
    }
}

package io.waybill.process;

import io.waybill.WaybillException;
import io.waybill.process.ProcessEvent.CompensationStarted;
import io.waybill.process.ProcessEvent.ProcessCancelled;
import io.waybill.process.ProcessEvent.ProcessPaused;
import io.waybill.process.ProcessEvent.ProcessResumed;
import io.waybill.process.ProcessEvent.UndoRequested;
import io.waybill.process.ProcessRequest.Verb;
import io.waybill.process.StepEvent.RetryRequested;
import io.waybill.process.UndoEvent.CompensationSkipped;
import java.util.function.Predicate;

/** Notes what an operator wants, or refuses it with what is possible instead. */
final class Operators {

    private final Run run;
    private final ProcessState state;

    Operators(Run run) {
        this.run = run;
        this.state = run.state;
    }

    void note(ProcessInput input) {
        if (input instanceof ProcessInput.Pause pause) {
            check(!state.status().isFinished() && state.status() != ProcessStatus.PAUSED, "paused");
            run.emit(new ProcessPaused(pause.reason()));
        } else if (input instanceof ProcessInput.Resume resume) {
            check(state.status() == ProcessStatus.PAUSED, "resumed");
            run.emit(new ProcessResumed(resume.reason()));
            new Timers(run).note();
        } else if (input instanceof ProcessInput.Cancel cancel) {
            cancel(cancel);
        } else if (input instanceof ProcessInput.RetryNow retry) {
            retryNow(retry);
        } else if (input instanceof ProcessInput.Skip skip) {
            StepExecution step = find(skip.step(), Verb.SKIP::fits, "has a compensation that failed");
            run.emit(new CompensationSkipped(step.number(), step.step(), skip.resolved(), skip.reason()));
        } else if (input instanceof ProcessInput.Undo undo) {
            undo(undo);
        }
    }

    private void cancel(ProcessInput.Cancel cancel) {
        boolean running = state.status() == ProcessStatus.RUNNING
                || state.status() == ProcessStatus.NEW
                || state.pausedFrom() == ProcessStatus.RUNNING;
        boolean blocked = state.isBlocked() && !cancel.compensate();
        check(running || blocked || (!state.status().isFinished() && !cancel.compensate()), "cancelled");
        run.emit(
                cancel.compensate()
                        ? new CompensationStarted("Cancelled: " + cancel.reason())
                        : new ProcessCancelled(cancel.reason()));
    }

    private void retryNow(ProcessInput.RetryNow retry) {
        StepExecution step = find(retry.step(), Verb.RETRY::fits, "waits to be tried again, or is blocked");
        run.emit(new RetryRequested(step.number(), step.step(), retry.reason()));
        if (step.status() == StepStatus.UNDO_BLOCKED) {
            new Undoing(run).retry(step);
        } else {
            new Timers(run).due(step);
        }
    }

    private void undo(ProcessInput.Undo undo) {
        run.emit(new UndoRequested(undo.parent()));
        if (state.status() == ProcessStatus.SUCCEEDED || !state.status().isFinished()) {
            if (state.status() != ProcessStatus.COMPENSATING) {
                run.emit(new CompensationStarted("The process that this is a step of is being undone"));
            }
        } else if (!state.isBlocked()) {
            run.messages.add(
                    new ProcessMessage.ChildAnswered(undo.parent().processId(), Children.answer(state, undo.parent())));
        }
    }

    private StepExecution find(String step, Predicate<StepExecution> fits, String what) {
        return state.executions().stream()
                .filter(found -> found.label().equals(step) || found.step().equals(step))
                .filter(fits)
                .findFirst()
                .orElseThrow(() -> new WaybillException("No step '" + step + "' of process " + state.processId() + " "
                        + what + ". Its steps are " + overview() + "."));
    }

    private String overview() {
        return state.executions().stream()
                .filter(step -> step.kind() != StepKind.BRANCH && step.kind() != StepKind.FORK)
                .map(step -> step.label() + " " + step.status())
                .toList()
                .toString();
    }

    private void check(boolean possible, String what) {
        if (!possible) {
            throw new WaybillException(
                    "Process " + state.processId() + " cannot be " + what + ": it is " + state.status() + ".");
        }
    }
}

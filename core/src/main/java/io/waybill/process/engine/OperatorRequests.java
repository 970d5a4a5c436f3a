package io.waybill.process.engine;

import io.waybill.WaybillException;
import io.waybill.process.message.ProcessInput;
import io.waybill.process.message.ProcessMessage;
import io.waybill.process.message.ProcessRequest.Verb;
import io.waybill.process.state.CompensationEvent.CompensationSkipped;
import io.waybill.process.state.ProcessEvent.CompensationRequested;
import io.waybill.process.state.ProcessEvent.CompensationStarted;
import io.waybill.process.state.ProcessEvent.ProcessCancelled;
import io.waybill.process.state.ProcessEvent.ProcessPaused;
import io.waybill.process.state.ProcessEvent.ProcessResumed;
import io.waybill.process.state.ProcessParent;
import io.waybill.process.state.ProcessState;
import io.waybill.process.state.ProcessStatus;
import io.waybill.process.state.StepEvent.RetryRequested;
import io.waybill.process.state.StepExecution;
import io.waybill.process.state.StepKind;
import io.waybill.process.state.StepStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Predicate;

/** Notes what an operator wants, or refuses it with what is possible instead. */
final class OperatorRequests {

    private static final String COMPENSATED_WITH_PARENT = "The process that this is a step of is being compensated";

    private final DecisionContext run;
    private final ProcessState state;

    OperatorRequests(DecisionContext run) {
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
            if (isToBeCompensated()) {
                run.emit(new CompensationStarted(COMPENSATED_WITH_PARENT));
            }
            new Timers(run).note();
        } else if (input instanceof ProcessInput.Cancel cancel) {
            cancel(cancel);
        } else if (input instanceof ProcessInput.RetryNow retry) {
            retryNow(retry);
        } else if (input instanceof ProcessInput.Skip skip) {
            StepExecution step = find(skip.step(), Verb.SKIP::fits, "has a compensation that failed");
            run.emit(new CompensationSkipped(step.number(), step.step(), skip.resolved(), skip.reason()));
        } else if (input instanceof ProcessInput.ParentCancelled cancelled) {
            if (!state.status().isFinished() || state.isBlocked()) {
                end("Its parent was cancelled: " + cancelled.reason());
            }
        } else if (input instanceof ProcessInput.Compensate request) {
            compensate(request);
        }
    }

    private void cancel(ProcessInput.Cancel cancel) {
        boolean running = state.status() == ProcessStatus.RUNNING
                || state.status() == ProcessStatus.NEW
                || state.pausedFrom() == ProcessStatus.RUNNING;
        boolean blocked = state.isBlocked() && !cancel.compensate();
        check(running || blocked || (!state.status().isFinished() && !cancel.compensate()), "cancelled");
        if (cancel.compensate()) {
            run.emit(new CompensationStarted("Cancelled: " + cancel.reason()));
        } else {
            end(cancel.reason());
        }
    }

    /** Nothing that is on the way takes effect any more on this database; what is elsewhere is named. */
    private void end(String reason) {
        var inDoubt = new ArrayList<String>();
        for (StepExecution step : List.copyOf(state.executions())) {
            if (step.kind() == StepKind.COMMAND
                    && step.status().isOpen()
                    && !new Replies(run).isGivenUp(step, reason)) {
                inDoubt.add(step.label());
            } else if (step.kind() == StepKind.CHILD && mayAdvance(step)) {
                UUID child = Objects.requireNonNull(step.commandId());
                run.messages.add(new ProcessMessage.CancelChild(child, run.childType(step), reason));
            }
        }
        run.emit(new ProcessCancelled(reason, List.copyOf(inDoubt)));
    }

    private static boolean mayAdvance(StepExecution child) {
        return child.status().isOpen()
                || child.status() == StepStatus.IN_DOUBT
                || child.status() == StepStatus.COMPENSATION_BLOCKED;
    }

    private void retryNow(ProcessInput.RetryNow retry) {
        check(state.status() != ProcessStatus.PAUSED, "retried before it is resumed");
        StepExecution step = find(retry.step(), Verb.RETRY::fits, "waits to be tried again, or is blocked");
        run.emit(new RetryRequested(step.number(), step.step(), retry.reason()));
        if (step.status() == StepStatus.COMPENSATION_BLOCKED || step.status() == StepStatus.REFUSING) {
            new Compensator(run).retry(step);
        } else {
            new Timers(run).due(step);
        }
    }

    private void compensate(ProcessInput.Compensate request) {
        run.emit(new CompensationRequested(request.parent()));
        if (state.status() == ProcessStatus.SUCCEEDED || !state.status().isFinished()) {
            if (isToBeCompensated()) {
                run.emit(new CompensationStarted(COMPENSATED_WITH_PARENT));
            }
        } else if (!state.isBlocked()) {
            run.messages.add(ChildReplies.message(state, request.parent()));
        }
    }

    /** Its parent wants it compensated, and nothing has been begun yet: what an operator holds waits until it is resumed. */
    private boolean isToBeCompensated() {
        ProcessParent parent = state.parent();
        return parent != null
                && parent.compensationCommandId() != null
                && state.status() != ProcessStatus.COMPENSATING
                && state.status() != ProcessStatus.PAUSED;
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

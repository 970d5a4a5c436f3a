package io.waybill.process.engine;

import io.waybill.process.graph.ProcessData;
import io.waybill.process.graph.Step;
import io.waybill.process.message.ProcessMessage;
import io.waybill.process.state.CompensationEvent.CompensationStepFailed;
import io.waybill.process.state.CompensationEvent.CompensationStepStarted;
import io.waybill.process.state.ProcessEvent.ProcessCompensated;
import io.waybill.process.state.ProcessEvent.ProcessFailed;
import io.waybill.process.state.ProcessParent;
import io.waybill.process.state.ProcessState;
import io.waybill.process.state.StateView;
import io.waybill.process.state.StepEvent.StepRefusalSent;
import io.waybill.process.state.StepExecution;
import io.waybill.process.state.StepKind;
import io.waybill.process.state.StepStatus;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Compensates what was executed: within a branch in reverse order of completion, one after the other; branches that ran at once, at
 * once. A step that is still on the way is waited for: its reply decides whether there is something to compensate. Of a step in doubt, the
 * worker that has its command is asked first, and refuses it if it was not done.
 */
class Compensator {

    private final DecisionContext run;
    private final ProcessState state;

    Compensator(DecisionContext run) {
        this.run = run;
        this.state = run.state;
    }

    void advance() {
        if (compensate(0)) {
            finish();
        } else if (state.isBlocked() && state.executions().stream().noneMatch(Compensator::isMoving)) {
            run.emit(new ProcessFailed("The compensation is blocked at " + blocked() + "."));
        }
    }

    /** The order in which the steps of one branch are compensated. */
    List<StepExecution> order(List<StepExecution> steps) {
        var reversed = new ArrayList<>(steps);
        Collections.reverse(reversed);
        return reversed;
    }

    /** Tries the compensation once more. */
    void retry(StepExecution step) {
        start(step, step.attempt() + 1);
    }

    /** Begins what can be begun in this branch; true when there is nothing left in it. */
    private boolean compensate(int scope) {
        for (StepExecution step : order(state.in(scope))) {
            if (step.kind().hasBranches()) {
                if (!compensateBranches(step)) {
                    return false;
                }
            } else if (!isOver(step)) {
                if (isReady(step)) {
                    start(step, 1);
                }
                return false;
            }
        }
        return true;
    }

    private boolean compensateBranches(StepExecution fork) {
        boolean over = true;
        int room = fork.kind() == StepKind.FOR_EACH
                ? ((Step.ForEach) run.definition.at(fork.step()).step.action()).atMost()
                : Integer.MAX_VALUE;
        for (StepExecution branch : state.in(fork.number())) {
            if (room > 0 && !compensate(branch.number())) {
                over = false;
                room -= isBlocked(branch) ? 0 : 1;
            }
        }
        return over;
    }

    /** Whether nothing moves in this branch until an operator decides: then it keeps no other one waiting. */
    boolean isBlocked(StepExecution branch) {
        return state.in(branch.number()).stream().anyMatch(step -> step.status() == StepStatus.COMPENSATION_BLOCKED)
                && state.in(branch.number()).stream().noneMatch(Compensator::isMoving);
    }

    private boolean isOver(StepExecution step) {
        if (step.status().isCompensationOver()) {
            return true;
        }
        return step.status() == StepStatus.COMPLETED && step.kind() != StepKind.CHILD && compensationOf(step) == null;
    }

    private boolean isReady(StepExecution step) {
        return step.status() == StepStatus.COMPLETED
                || step.status() == StepStatus.IN_DOUBT
                || (step.kind() == StepKind.CHILD && step.status() == StepStatus.RUNNING);
    }

    private void start(StepExecution step, int attempt) {
        UUID id = run.compensationCommandId(step.number());
        if (step.kind() == StepKind.CHILD) {
            UUID child = Objects.requireNonNull(step.commandId());
            run.emit(new CompensationStepStarted(step.number(), step.step(), step.step(), id, attempt, null));
            run.messages.add(new ProcessMessage.CompensateChild(
                    child, run.childType(step), new ProcessParent(state.processId(), child, id)));
            return;
        }
        if (step.inDoubt()) {
            refuse(step, attempt);
            return;
        }
        Step.CompensatingSend compensation = Objects.requireNonNull(compensationOf(step));
        String name = compensation.send().type();
        run.emit(new CompensationStepStarted(
                step.number(), step.step(), name, id, attempt, run.after(compensation.timeout())));
        ProcessData data = new StateView(state).dataSeenBy(step).with(step.reply());
        run.send(state.execution(step.number()), compensation.send(), data, true)
                .ifPresent(error ->
                        run.emit(new CompensationStepFailed(step.number(), step.step(), name, attempt, error, null)));
    }

    /** Before a step in doubt is compensated or skipped, the worker that has its command says whether it was done. */
    private void refuse(StepExecution step, int attempt) {
        Step.Action action = run.definition.at(step.step()).step.action();
        run.emit(new StepRefusalSent(step.number(), step.step(), run.refusalId(step.number()), attempt));
        run.refuse(
                state.execution(step.number()),
                action instanceof Step.ForEach forEach ? forEach.each() : (Step.Send) action);
        run.end(Objects.requireNonNull(step.commandId()), step.attempt(), "It was abandoned: " + step.error());
    }

    private void finish() {
        boolean compensatedSomething = state.executions().stream()
                .anyMatch(step ->
                        step.status() == StepStatus.COMPENSATED || step.status() == StepStatus.COMPENSATION_SKIPPED);
        run.emit(
                compensatedSomething
                        ? new ProcessCompensated("Everything that can be compensated is compensated")
                        : new ProcessFailed(state.reason() + " (there was nothing to compensate)"));
    }

    private Step.@Nullable CompensatingSend compensationOf(StepExecution step) {
        return run.definition.at(step.step()).step.compensation();
    }

    private String blocked() {
        return String.join(
                ", ",
                state.executions().stream()
                        .filter(step -> step.status() == StepStatus.COMPENSATION_BLOCKED)
                        .map(StepExecution::label)
                        .toList());
    }

    private static boolean isMoving(StepExecution step) {
        return step.status().isOpen()
                && !step.kind().hasBranches()
                && step.kind() != StepKind.BRANCH
                && step.kind() != StepKind.STORED_SIGNAL;
    }
}

package io.waybill.process;

import io.waybill.process.ProcessEvent.CompensationStarted;
import io.waybill.process.ProcessEvent.ProcessCompleted;
import io.waybill.process.StepEvent.StepCompleted;
import io.waybill.process.StepEvent.StepStarted;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Begins what comes next: in the process itself, and in every branch that is open. */
final class Forward {

    private final Run run;
    private final ProcessState state;
    private final Starting starting;
    private final Joining joining;

    Forward(Run run) {
        this.run = run;
        this.state = run.state;
        this.starting = new Starting(run);
        this.joining = new Joining(run);
    }

    void goOn() {
        boolean changed = true;
        while (changed && !isOver()) {
            changed = advance(0);
            for (StepExecution open : openStructures()) {
                if (isOver()) {
                    return;
                }
                changed |= open.kind() == StepKind.BRANCH ? advance(open.number()) : joining.goOn(open);
            }
        }
    }

    /** A failure ends the way forward, wherever it is. */
    private boolean isOver() {
        if (state.status() != ProcessStatus.NEW && state.status() != ProcessStatus.RUNNING) {
            return true;
        }
        for (StepExecution step : state.executions()) {
            if (step.status() == StepStatus.FAILED || step.status() == StepStatus.IN_DOUBT) {
                run.emit(new CompensationStarted(step.label() + ": " + step.error()));
                return true;
            }
        }
        return false;
    }

    private List<StepExecution> openStructures() {
        var open = new ArrayList<StepExecution>();
        for (StepExecution step : state.executions()) {
            if (step.status() == StepStatus.RUNNING
                    && (step.kind() == StepKind.BRANCH || step.kind().hasBranches())) {
                open.add(step);
            }
        }
        return open;
    }

    private boolean advance(int scope) {
        List<StepExecution> steps = state.in(scope);
        @Nullable StepExecution last = steps.isEmpty() ? null : steps.get(steps.size() - 1);
        if (last != null && last.status() != StepStatus.COMPLETED) {
            return false;
        }
        if (scope != 0 && isElement(scope)) {
            return joining.advanceElement(state.execution(scope), last);
        }
        enter(last == null ? first(scope) : after(last), scope);
        return true;
    }

    private boolean isElement(int scope) {
        return state.execution(state.execution(scope).parent()).kind() == StepKind.FOR_EACH;
    }

    private Node first(int scope) {
        if (scope == 0) {
            return run.definition.graph().first();
        }
        StepExecution branch = state.execution(scope);
        return run.definition.graph().fork(branch.step()).branches.get(branch.position());
    }

    private Node after(StepExecution last) {
        return last.kind() == StepKind.FORK
                ? run.definition.graph().fork(last.step()).next
                : run.definition.at(last.step()).next;
    }

    private void enter(Node target, int scope) {
        Node node = target;
        while (node instanceof Node.Choice choice) {
            try {
                node = run.choose(choice, state.dataIn(scope)) ? choice.whenTrue : choice.whenFalse;
            } catch (RuntimeException e) {
                run.emit(new CompensationStarted("The condition '" + choice.name + "' could not be decided: " + e));
                return;
            }
        }
        if (node instanceof Node.AtStep at) {
            starting.start(at.step, scope);
        } else if (node instanceof Node.Fork fork) {
            fork(fork, scope);
        } else if (node == Node.Stop.BRANCH_END) {
            run.emit(new StepCompleted(scope, state.execution(scope).step(), Map.of()));
        } else {
            run.emit(new ProcessCompleted("All steps completed successfully"));
        }
    }

    private void fork(Node.Fork fork, int scope) {
        int number = state.nextNumber();
        @Nullable UUID none = null;
        run.emit(new StepStarted(number, scope, StepKind.FORK, fork.name, 0, none, null, Map.of()));
        for (int i = 0; i < fork.branches.size(); i++) {
            run.emit(new StepStarted(state.nextNumber(), number, StepKind.BRANCH, fork.name, i, none, null, Map.of()));
        }
    }
}

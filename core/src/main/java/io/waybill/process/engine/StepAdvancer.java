package io.waybill.process.engine;

import io.waybill.process.graph.GraphNode;
import io.waybill.process.state.ProcessEvent.CompensationStarted;
import io.waybill.process.state.ProcessEvent.ProcessCompleted;
import io.waybill.process.state.ProcessState;
import io.waybill.process.state.ProcessStatus;
import io.waybill.process.state.StepEvent.StepCompleted;
import io.waybill.process.state.StepEvent.StepStarted;
import io.waybill.process.state.StepExecution;
import io.waybill.process.state.StepKind;
import io.waybill.process.state.StepStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Begins what comes next: in the process itself, and in every branch that is open. */
final class StepAdvancer {

    private final DecisionContext run;
    private final ProcessState state;
    private final StepStarter starter;
    private final BranchJoiner joiner;

    StepAdvancer(DecisionContext run) {
        this.run = run;
        this.state = run.state;
        this.starter = new StepStarter(run);
        this.joiner = new BranchJoiner(run);
    }

    void advance() {
        boolean changed = true;
        while (changed && !isOver()) {
            changed = advance(0);
            for (StepExecution open : openStructures()) {
                if (isOver()) {
                    return;
                }
                changed |= open.kind() == StepKind.BRANCH ? advance(open.number()) : joiner.advance(open);
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
            return joiner.advanceElement(state.execution(scope), last);
        }
        enter(last == null ? first(scope) : after(last), scope);
        return true;
    }

    private boolean isElement(int scope) {
        return state.execution(state.execution(scope).parent()).kind() == StepKind.FOR_EACH;
    }

    private GraphNode first(int scope) {
        if (scope == 0) {
            return run.definition.graph().first();
        }
        StepExecution branch = state.execution(scope);
        return run.definition.graph().fork(branch.step()).branches.get(branch.position());
    }

    private GraphNode after(StepExecution last) {
        return last.kind() == StepKind.FORK
                ? run.definition.graph().fork(last.step()).next
                : run.definition.at(last.step()).next;
    }

    private void enter(GraphNode target, int scope) {
        GraphNode node = target;
        while (node instanceof GraphNode.Choice choice) {
            try {
                node = run.choose(choice, state.dataIn(scope)) ? choice.whenTrue : choice.whenFalse;
            } catch (RuntimeException e) {
                run.emit(new CompensationStarted("The condition '" + choice.name + "' could not be decided: " + e));
                return;
            }
        }
        if (node instanceof GraphNode.AtStep at) {
            starter.start(at.step, scope);
        } else if (node instanceof GraphNode.Fork fork) {
            fork(fork, scope);
        } else if (node == GraphNode.Stop.BRANCH_END) {
            run.emit(new StepCompleted(scope, state.execution(scope).step(), Map.of()));
        } else {
            run.emit(new ProcessCompleted("All steps completed successfully"));
        }
    }

    private void fork(GraphNode.Fork fork, int scope) {
        int number = state.nextNumber();
        @Nullable UUID none = null;
        run.emit(new StepStarted(number, scope, StepKind.FORK, fork.name, 0, none, null, Map.of()));
        for (int i = 0; i < fork.branches.size(); i++) {
            run.emit(new StepStarted(state.nextNumber(), number, StepKind.BRANCH, fork.name, i, none, null, Map.of()));
        }
    }
}

package io.waybill.process.state;

import io.waybill.process.graph.ProcessData;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What can be read out of a state: which data a step sees, and what people are shown. */
public final class StateView {

    private static final int MAX_TEXT = 250;

    private final ProcessState state;

    public StateView(ProcessState state) {
        this.state = state;
    }

    /**
     * What a step in this branch sees: what was known when the branches began, and what its own branch has replied since. What other
     * branches have replied is known when they meet.
     */
    ProcessData dataIn(int scope) {
        return known(scope, Integer.MAX_VALUE);
    }

    /** What the process has learnt since it was started. */
    public Map<String, Object> added() {
        var added = new LinkedHashMap<String, Object>();
        state.in(0).forEach(step -> added.putAll(step.reply()));
        return added;
    }

    /** What the step saw when it began. */
    public ProcessData dataSeenBy(StepExecution execution) {
        return known(execution.parent(), execution.number());
    }

    private ProcessData known(int scope, int before) {
        var added = new LinkedHashMap<String, Object>();
        for (StepExecution step : state.in(scope)) {
            if (step.number() < before) {
                added.putAll(step.reply());
            }
        }
        return base(scope).with(added);
    }

    /** What the steps of a branch have replied. */
    public Map<String, Object> repliesOf(StepExecution branch) {
        var replies = new LinkedHashMap<String, Object>();
        for (StepExecution step : state.in(branch.number())) {
            if (step.kind() == StepKind.FORK && step.status() == StepStatus.RUNNING) {
                state.in(step.number()).forEach(inner -> replies.putAll(repliesOf(inner)));
            }
            replies.putAll(step.reply());
        }
        return replies;
    }

    /** What the process knows as a whole, with the replies of branches that have not met yet. */
    Map<String, Object> data() {
        ProcessData data = state.mainData();
        for (StepExecution fork : state.executions()) {
            if (fork.parent() == 0 && fork.kind() == StepKind.FORK && fork.status() == StepStatus.RUNNING) {
                for (StepExecution branch : state.in(fork.number())) {
                    data = data.with(repliesOf(branch));
                }
            }
        }
        return data;
    }

    /** The steps that are open, or the last one. */
    String currentStep() {
        var open = new ArrayList<String>();
        String last = "";
        for (StepExecution step : state.executions()) {
            boolean named = step.kind() != StepKind.FORK
                    && step.kind() != StepKind.BRANCH
                    && step.kind() != StepKind.STORED_SIGNAL;
            if (named) {
                last = step.step();
                if (step.status().isOpen() && !open.contains(step.step())) {
                    open.add(step.step());
                }
            }
        }
        return open.isEmpty() ? last : shortened(open);
    }

    int retries() {
        int most = 0;
        for (StepExecution step : state.executions()) {
            if (step.status().isOpen() || step.status() == StepStatus.COMPENSATION_BLOCKED) {
                most = Math.max(most, step.attempt() - 1);
            }
        }
        return most;
    }

    private ProcessData base(int scope) {
        if (scope == 0) {
            return state.startData();
        }
        StepExecution branch = state.execution(scope);
        StepExecution fork = state.execution(branch.parent());
        ProcessData seen = ProcessData.of(fork.input());
        return fork.kind() == StepKind.FOR_EACH ? seen.with(branch.input()) : seen;
    }

    private static String shortened(List<String> names) {
        String all = String.join(", ", names);
        if (all.length() <= MAX_TEXT) {
            return all;
        }
        return names.get(0) + " and " + (names.size() - 1) + " more";
    }
}

package io.waybill.process.engine;

import io.waybill.process.graph.ProcessData;
import io.waybill.process.graph.Step;
import io.waybill.process.state.ProcessEvent.ValuesDiffered;
import io.waybill.process.state.ProcessState;
import io.waybill.process.state.StateView;
import io.waybill.process.state.StepEvent.StepCompleted;
import io.waybill.process.state.StepEvent.StepStarted;
import io.waybill.process.state.StepExecution;
import io.waybill.process.state.StepKind;
import io.waybill.process.state.StepStatus;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Where branches meet: a fork is done when all its branches are, a for-each when all its elements are. */
final class BranchJoiner {

    /** The names under which an element is known to its command. */
    static final String ITEM = "item";

    static final String ITEM_INDEX = "itemIndex";

    private final DecisionContext run;
    private final ProcessState state;

    BranchJoiner(DecisionContext run) {
        this.run = run;
        this.state = run.state;
    }

    /** Looks at a fork or for-each that is open; true when something changed. */
    boolean advance(StepExecution open) {
        List<StepExecution> branches = state.in(open.number());
        return open.kind() == StepKind.FORK ? join(open, branches) : feed(open, branches);
    }

    private boolean join(StepExecution fork, List<StepExecution> branches) {
        if (branches.stream().anyMatch(branch -> branch.status() != StepStatus.COMPLETED)) {
            return false;
        }
        run.emit(new StepCompleted(fork.number(), fork.step(), merged(branches)));
        return true;
    }

    /** In the order of the branches' definition, never in that of their replies. */
    private Map<String, Object> merged(List<StepExecution> branches) {
        var merged = new LinkedHashMap<String, Object>();
        var from = new LinkedHashMap<String, List<Integer>>();
        var differing = new LinkedHashMap<String, List<Integer>>();
        for (StepExecution branch : branches) {
            new StateView(state).repliesOf(branch).forEach((name, value) -> {
                List<Integer> sources = from.computeIfAbsent(name, key -> new ArrayList<>());
                sources.add(branch.position());
                if (merged.containsKey(name) && !Objects.equals(merged.get(name), value)) {
                    differing.put(name, sources);
                }
                merged.put(name, value);
            });
        }
        differing.forEach(
                (name, sources) -> run.emit(new ValuesDiffered(name, List.copyOf(sources), merged.get(name))));
        return merged;
    }

    private boolean feed(StepExecution loop, List<StepExecution> branches) {
        var forEach = (Step.ForEach) run.definition.at(loop.step()).step.action();
        List<?> elements = ProcessData.of(loop.input()).list(forEach.list());
        long running = branches.stream()
                .filter(branch -> branch.status() == StepStatus.RUNNING)
                .count();
        boolean changed = false;
        for (int next = branches.size(); next < elements.size() && running < forEach.atMost(); next++, running++) {
            run.emit(new StepStarted(
                    state.nextNumber(),
                    loop.number(),
                    StepKind.BRANCH,
                    loop.step(),
                    next,
                    null,
                    null,
                    element(elements.get(next), next)));
            changed = true;
        }
        if (running == 0) {
            var replies = branches.stream()
                    .map(branch -> new StateView(state).repliesOf(branch))
                    .toList();
            run.emit(new StepCompleted(loop.number(), loop.step(), Map.of(loop.step(), replies)));
            changed = true;
        }
        return changed;
    }

    /** The one step of an element. */
    boolean advanceElement(StepExecution branch, @Nullable StepExecution last) {
        if (last == null) {
            Step loop = run.definition.at(branch.step()).step;
            new StepStarter(run).startElement(loop, branch);
        } else {
            run.emit(new StepCompleted(branch.number(), branch.step(), Map.of()));
        }
        return true;
    }

    private static Map<String, Object> element(@Nullable Object value, int index) {
        var element = new LinkedHashMap<String, Object>();
        if (value instanceof Map<?, ?> members) {
            members.forEach((name, member) -> element.put(String.valueOf(name), member));
        }
        element.put(ITEM, value);
        element.put(ITEM_INDEX, index);
        return element;
    }
}

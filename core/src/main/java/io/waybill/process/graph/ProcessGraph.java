package io.waybill.process.graph;

import io.waybill.WaybillException;
import io.waybill.process.definition.ProcessConfiguration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The steps of a process and their order. Created by {@link ProcessConfiguration#process()}, and checked on creation.
 *
 * <p>Immutable.
 */
public final class ProcessGraph {

    private final GraphNode first;
    private final GraphCompiler compiled;

    private ProcessGraph(GraphNode first, GraphCompiler compiled) {
        this.first = first;
        this.compiled = compiled;
    }

    public static ProcessGraph of(List<DraftPart> parts) {
        var compiler = new GraphCompiler();
        return new ProcessGraph(compiler.compile(parts), compiler);
    }

    public String getInitialStep() {
        return ((GraphNode.AtStep) first).step.name();
    }

    /**
     * The step after this one, or nothing at the end. Where branches run at once, it is the first step of the first branch; after the
     * last step of a branch, it is where the branches meet. {@link #getNextSteps} has all of them.
     */
    public Optional<String> getNextStep(String step, Map<String, Object> data) {
        return getNextSteps(step, data).stream().findFirst();
    }

    /** The steps after this one: several where branches begin, none at the end. */
    public List<String> getNextSteps(String step, Map<String, Object> data) {
        var found = new ArrayList<String>();
        collect(at(step).next, compiled.forkOf.getOrDefault(step, ""), ProcessData.of(data), found);
        return found;
    }

    public boolean requiresCompensation(String step) {
        return getCompensationStep(step).isPresent();
    }

    /** The command that compensates the step. */
    public Optional<String> getCompensationStep(String step) {
        return Optional.ofNullable(at(step).step.compensation())
                .map(compensation -> compensation.send().type());
    }

    /** The names of all steps, in the order of their definition. */
    public Set<String> getSteps() {
        var names = new ArrayList<>(compiled.steps.keySet());
        Collections.reverse(names);
        return Collections.unmodifiableSet(new LinkedHashSet<>(names));
    }

    /** The types of the processes that are steps of it. */
    public Set<String> getChildTypes() {
        return getSteps().stream()
                .map(name -> at(name).step.action())
                .filter(Step.Child.class::isInstance)
                .map(action -> ((Step.Child) action).type())
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** The types of all commands that it sends: each needs a handler somewhere. */
    public Set<String> getCommandTypes() {
        var types = new LinkedHashSet<String>();
        getSteps().stream().map(name -> at(name).step).forEach(step -> {
            if (step.action() instanceof Step.Send send) {
                types.add(send.type());
            } else if (step.action() instanceof Step.ForEach each) {
                types.add(each.each().type());
            }
            if (step.compensation() != null) {
                types.add(step.compensation().send().type());
            }
        });
        return types;
    }

    /** A diagram in the language of Mermaid. */
    public String toMermaid() {
        return new Mermaid(this).text();
    }

    public GraphNode first() {
        return first;
    }

    public boolean has(String step) {
        return compiled.steps.containsKey(step);
    }

    public GraphNode.AtStep at(String step) {
        GraphNode.AtStep node = compiled.steps.get(step);
        if (node == null) {
            throw new WaybillException("The process has no step '" + step + "'. Its steps are " + getSteps() + ".");
        }
        return node;
    }

    public GraphNode.Fork fork(String name) {
        GraphNode.Fork fork = compiled.forks.get(name);
        if (fork == null) {
            throw new WaybillException(
                    "The process has no branches called '" + name + "', but " + compiled.forks.keySet() + ".");
        }
        return fork;
    }

    public boolean hasFork(String name) {
        return compiled.forks.containsKey(name);
    }

    private void collect(GraphNode from, String inFork, ProcessData data, List<String> found) {
        GraphNode node = from;
        String fork = inFork;
        while (node != GraphNode.Stop.END) {
            if (node instanceof GraphNode.AtStep at) {
                found.add(at.step.name());
                return;
            }
            if (node instanceof GraphNode.Fork at) {
                at.branches.forEach(branch -> collect(branch, at.name, data, found));
                return;
            }
            if (node instanceof GraphNode.Choice choice) {
                node = choice.test.test(data) ? choice.whenTrue : choice.whenFalse;
            } else {
                GraphNode.Fork outer = fork(fork);
                fork = compiled.forkOf.getOrDefault(outer.name, "");
                node = outer.next;
            }
        }
    }
}

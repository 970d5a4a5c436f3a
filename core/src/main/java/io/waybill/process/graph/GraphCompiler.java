package io.waybill.process.graph;

import io.waybill.WaybillException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes nodes of the tree, from the end to the beginning, and finds what is named twice. */
final class GraphCompiler {

    final Map<String, GraphNode.AtStep> steps = new LinkedHashMap<>();
    final Map<String, GraphNode.Fork> forks = new HashMap<>();

    /** The fork in whose branch a step is. */
    final Map<String, String> forkOf = new HashMap<>();

    private final Map<String, String> paths = new HashMap<>();

    GraphNode compile(List<DraftPart> parts) {
        checkNames(parts, "", null);
        return sequence(parts, GraphNode.Stop.END);
    }

    private GraphNode sequence(List<DraftPart> parts, GraphNode after) {
        GraphNode next = after;
        for (int i = parts.size() - 1; i >= 0; i--) {
            next = node(parts.get(i), next);
        }
        return next;
    }

    private GraphNode node(DraftPart part, GraphNode next) {
        if (part instanceof DraftPart.Single single) {
            var node = new GraphNode.AtStep(single.step().finished(), next);
            steps.put(single.step().name(), node);
            return node;
        }
        if (part instanceof DraftPart.Choice choice) {
            GraphNode whenFalse = sequence(choice.whenFalse(), next);
            return new GraphNode.Choice(choice.label(), choice.test(), sequence(choice.whenTrue(), next), whenFalse);
        }
        var parallel = (DraftPart.Parallel) part;
        var branches = new ArrayList<GraphNode>();
        for (int i = parallel.branches().size() - 1; i >= 0; i--) {
            branches.add(sequence(parallel.branches().get(i), GraphNode.Stop.BRANCH_END));
        }
        Collections.reverse(branches);
        var fork = new GraphNode.Fork(parallel.label(), branches, next);
        forks.put(fork.name, fork);
        return fork;
    }

    private void checkNames(List<DraftPart> parts, String before, @Nullable String fork) {
        String path = before;
        for (DraftPart part : parts) {
            path = path.isEmpty() ? part.label() : path + " -> " + part.label();
            if (part instanceof DraftPart.Single single) {
                checkName(single.step().name(), path, fork);
            } else if (part instanceof DraftPart.Choice choice) {
                checkNames(choice.whenTrue(), path + " (true)", fork);
                checkNames(choice.whenFalse(), path + " (false)", fork);
            } else if (part instanceof DraftPart.Parallel parallel) {
                for (int i = 0; i < parallel.branches().size(); i++) {
                    checkNames(parallel.branches().get(i), path + " (branch " + (i + 1) + ")", parallel.label());
                }
                forkOf.put(parallel.label(), fork == null ? "" : fork);
            }
            path = shortened(path);
        }
    }

    private void checkName(String name, String path, @Nullable String fork) {
        String earlier = paths.put(name, path);
        if (earlier != null) {
            boolean sameFork = fork != null && fork.equals(forkOf.get(name));
            throw new WaybillException("The step " + name + " is reached in two ways that do not meet: " + earlier
                    + ", and " + path + ". "
                    + (sameFork
                            ? "Branches that run in parallel cannot share a step, or the join would wait for it forever."
                            : "After it the process would not know where to continue.")
                    + " Give one of them another name: .named(\"" + name + "Again\").");
        }
        forkOf.put(name, fork == null ? "" : fork);
    }

    private static String shortened(String path) {
        return path.length() <= 2_000 ? path : "... -> " + path.substring(path.length() - 1_500);
    }
}

package io.waybill.process.graph;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/** Draws a graph: boxes are steps, diamonds decide, bars fork and join, dotted arrows compensate. */
public final class Mermaid {

    private final StringBuilder out = new StringBuilder("flowchart TD\n");
    private final Map<GraphNode, String> ids = new HashMap<>();
    private final Deque<Visit> open = new ArrayDeque<>();
    private int compensations;

    private record Visit(GraphNode node, String branchEnd) {}

    Mermaid(ProcessGraph graph) {
        ids.put(GraphNode.Stop.END, "done");
        out.append("    done((end))\n");
        id(graph.first(), "done");
        while (!open.isEmpty()) {
            draw(open.pop());
        }
    }

    String text() {
        return out.toString();
    }

    private String id(GraphNode node, String branchEnd) {
        if (node == GraphNode.Stop.BRANCH_END) {
            return branchEnd;
        }
        String known = ids.get(node);
        if (known != null) {
            return known;
        }
        String id = "n" + ids.size();
        ids.put(node, id);
        open.push(new Visit(node, branchEnd));
        return id;
    }

    private void draw(Visit visit) {
        String id = id(visit.node, visit.branchEnd);
        if (visit.node instanceof GraphNode.AtStep at) {
            box(id, at.step);
            arrow(id, "", id(at.next, visit.branchEnd));
        } else if (visit.node instanceof GraphNode.Choice choice) {
            out.append("    ")
                    .append(id)
                    .append("{\"")
                    .append(escaped(choice.name))
                    .append("?\"}\n");
            arrow(id, "|yes|", id(choice.whenTrue, visit.branchEnd));
            arrow(id, "|no|", id(choice.whenFalse, visit.branchEnd));
        } else if (visit.node instanceof GraphNode.Fork fork) {
            String join = id + "join";
            out.append("    ")
                    .append(id)
                    .append("[/\"all of\"\\]\n    ")
                    .append(join)
                    .append("[\\\"join\"/]\n");
            fork.branches.forEach(branch -> arrow(id, "", id(branch, join)));
            arrow(join, "", id(fork.next, visit.branchEnd));
        }
    }

    private void box(String id, Step step) {
        out.append("    ").append(id).append("[\"").append(escaped(step.name())).append("\"]\n");
        if (step.compensation() != null) {
            String compensation = "u" + compensations++;
            out.append("    ")
                    .append(compensation)
                    .append("([\"")
                    .append(escaped(step.compensation().send().type()))
                    .append("\"])\n");
            out.append("    ")
                    .append(id)
                    .append(" -.->|compensation| ")
                    .append(compensation)
                    .append('\n');
        }
    }

    private void arrow(String from, String label, String to) {
        out.append("    ")
                .append(from)
                .append(" -->")
                .append(label)
                .append(' ')
                .append(to)
                .append('\n');
    }

    public static String escaped(String text) {
        return text.replace("#", "#35;").replace("\"", "#quot;").replace("<", "#lt;");
    }
}

package io.waybill.process.state;

import io.waybill.process.graph.Mermaid;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Draws what a process has begun, and how far each step is. What comes next only its definition knows. */
final class ProcessPicture {

    private final ProcessState state;
    private final StringBuilder out = new StringBuilder("flowchart TD\n");

    ProcessPicture(ProcessState state) {
        this.state = state;
    }

    String text() {
        out.append("    start([\"")
                .append(Mermaid.escaped(state.processType() + " " + state.businessKey()))
                .append("\"])\n");
        String last = scope(0, "start");
        if (state.status().isFinished()) {
            out.append("    done([\"").append(state.status()).append("\"])\n");
            arrow(last, "done");
        }
        out.append("""
                    classDef running stroke-width:3px
                    classDef done fill:#dfd
                    classDef failed fill:#fdd
                    classDef compensated fill:#ffd
                """);
        return out.toString();
    }

    /** One after the other; returns the last. */
    private String scope(int scope, String before) {
        String last = before;
        for (StepExecution step : state.in(scope)) {
            String id = "s" + step.number();
            box(id, step);
            arrow(last, id);
            last = step.kind().hasBranches() ? branches(step, id) : id;
        }
        return last;
    }

    private String branches(StepExecution fork, String id) {
        @Nullable String join = null;
        for (StepExecution branch : state.in(fork.number())) {
            if (join == null) {
                join = id + "join";
                out.append("    ").append(join).append("[\\\"join\"/]\n");
            }
            arrow(scope(branch.number(), id), join);
        }
        return join == null ? id : join;
    }

    private void box(String id, StepExecution step) {
        String status = step.status().name().toLowerCase(Locale.ROOT).replace('_', ' ');
        String attempt = step.attempt() > 1 ? ", attempt " + step.attempt() : "";
        String name = step.kind() == StepKind.FORK ? "all of" : step.label();
        out.append("    ")
                .append(id)
                .append("[\"")
                .append(Mermaid.escaped(name))
                .append("<br/>")
                .append(status)
                .append(attempt)
                .append("\"]:::")
                .append(colour(step.status()))
                .append('\n');
    }

    private static String colour(StepStatus status) {
        return switch (status) {
            case RUNNING, WAITING, REFUSING, COMPENSATING, COMPENSATION_WAITING -> "running";
            case COMPLETED -> "done";
            case FAILED, IN_DOUBT, COMPENSATION_BLOCKED -> "failed";
            case ABANDONED, COMPENSATED, COMPENSATION_SKIPPED -> "compensated";
        };
    }

    private void arrow(String from, String to) {
        out.append("    ").append(from).append(" --> ").append(to).append('\n');
    }
}

package io.waybill.process.view;

import io.waybill.process.state.ProcessState;
import io.waybill.process.state.StepExecution;
import io.waybill.process.state.StepKind;
import io.waybill.process.state.StepStatus;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;

/**
 * Draws what a process has begun as SVG that needs nothing from elsewhere: steps from top to bottom, branches side by side, each step with its
 * state as a word and as a colour. What comes next is not drawn: only the definition has it.
 */
public final class ProcessSvg {

    private static final int BOX_HEIGHT = 46;
    private static final int BAR_HEIGHT = 24;
    private static final int DOWN = 34;
    private static final int BETWEEN = 28;
    private static final int MARGIN = 20;
    private static final int LETTER = 8;
    private static final int MIN_WIDTH = 150;
    private static final int MAX_LETTERS = 36;

    @SuppressWarnings("InlineFormatString") // A drawing is read in one piece.
    private static final String TEMPLATE = """
            <svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" role="img"\
             font-family="ui-monospace, monospace" font-size="13">
            <title>%s is %s</title>
            <defs><marker id="arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto">\
            <path d="M0,0 L8,4 L0,8 z" fill="#4b5563"/></marker></defs>
            <rect width="100%%" height="100%%" fill="#ffffff"/>
            %s</svg>
            """;

    private final ProcessState state;
    private final StringBuilder out = new StringBuilder();

    private ProcessSvg(ProcessState state) {
        this.state = state;
    }

    public static String of(ProcessState state) {
        return new ProcessSvg(state).draw();
    }

    /** How a state is drawn. */
    private enum Look {
        RUNNING("#dbeafe", "#1d4ed8"),
        WAITING("#fef3c7", "#b45309"),
        DONE("#dcfce7", "#15803d"),
        FAILED("#fee2e2", "#b91c1c"),
        COMPENSATED("#e5e7eb", "#4b5563");

        private final String fill;
        private final String line;

        Look(String fill, String line) {
            this.fill = fill;
            this.line = line;
        }

        static Look of(StepStatus status) {
            return switch (status) {
                case RUNNING, COMPENSATING -> RUNNING;
                case WAITING, REFUSING, COMPENSATION_WAITING -> WAITING;
                case COMPLETED -> DONE;
                case FAILED, IN_DOUBT, COMPENSATION_BLOCKED -> FAILED;
                case ABANDONED, COMPENSATED, COMPENSATION_SKIPPED -> COMPENSATED;
            };
        }
    }

    private String draw() {
        String title = state.processType() + " " + state.businessKey();
        String status = word(state.status().name());
        String since = "since " + state.updatedAt().truncatedTo(ChronoUnit.SECONDS);
        int width = Math.max(widthOf(0), Math.max(boxWidth(title), boxWidth(since))) + 2 * MARGIN;
        int center = width / 2;
        box(center, MARGIN, title, "version " + state.version(), Look.COMPENSATED, true);
        int bottom = scope(0, center, MARGIN + BOX_HEIGHT);
        arrow(center, bottom, center, bottom + DOWN);
        box(center, bottom + DOWN, status, since, endLook(), true);
        int height = bottom + DOWN + BOX_HEIGHT + MARGIN;
        return String.format(Locale.ROOT, TEMPLATE, width, height, width, height, escaped(title), status, out);
    }

    private Look endLook() {
        return switch (state.status()) {
            case SUCCEEDED -> Look.DONE;
            case FAILED -> Look.FAILED;
            case COMPENSATED, CANCELLED -> Look.COMPENSATED;
            case PAUSED -> Look.WAITING;
            default -> Look.RUNNING;
        };
    }

    /** Draws the steps of a scope below each other; returns where the last one ends. */
    private int scope(int scope, int center, int top) {
        int bottom = top;
        for (StepExecution step : steps(scope)) {
            arrow(center, bottom, center, bottom + DOWN);
            bottom = step(step, center, bottom + DOWN);
        }
        return bottom;
    }

    private int step(StepExecution step, int center, int top) {
        String attempt = step.attempt() > 1 ? ", attempt " + step.attempt() : "";
        String name = step.kind() == StepKind.FORK ? "all of" : step.label();
        box(center, top, name, word(step.status().name()) + attempt, Look.of(step.status()), false);
        List<StepExecution> branches = step.kind().hasBranches() ? state.in(step.number()) : List.of();
        return branches.isEmpty() ? top + BOX_HEIGHT : branches(branches, center, top + BOX_HEIGHT);
    }

    private int branches(List<StepExecution> branches, int center, int top) {
        int[] ends = new int[branches.size()];
        int[] centers = new int[branches.size()];
        int left = center - widthOf(branches) / 2;
        int deepest = top;
        for (int i = 0; i < ends.length; i++) {
            int width = widthOf(branches.get(i).number());
            centers[i] = left + width / 2;
            line(center, top, centers[i], top + DOWN / 2);
            ends[i] = scope(branches.get(i).number(), centers[i], top + DOWN / 2);
            deepest = Math.max(deepest, ends[i]);
            left += width + BETWEEN;
        }
        int join = deepest + DOWN;
        for (int i = 0; i < ends.length; i++) {
            line(centers[i], ends[i], centers[i], join - DOWN / 2);
            line(centers[i], join - DOWN / 2, center, join);
        }
        text(center, join + BAR_HEIGHT - 8, "join", "#4b5563");
        line(center - MIN_WIDTH / 2, join, center + MIN_WIDTH / 2, join);
        return join + BAR_HEIGHT;
    }

    private List<StepExecution> steps(int scope) {
        return state.in(scope).stream()
                .filter(step -> step.kind() != StepKind.STORED_SIGNAL)
                .toList();
    }

    private int widthOf(int scope) {
        return steps(scope).stream()
                .mapToInt(step -> Math.max(
                        Math.max(
                                boxWidth(step.label()),
                                boxWidth(word(step.status().name()) + ", attempt 10")),
                        step.kind().hasBranches() ? widthOf(state.in(step.number())) : 0))
                .reduce(MIN_WIDTH, Math::max);
    }

    private int widthOf(List<StepExecution> branches) {
        return branches.stream().mapToInt(branch -> widthOf(branch.number())).sum()
                + BETWEEN * Math.max(0, branches.size() - 1);
    }

    private static int boxWidth(String text) {
        return Math.max(MIN_WIDTH, Math.min(text.length(), MAX_LETTERS) * LETTER + 2 * LETTER);
    }

    private void box(int center, int top, String name, String note, Look look, boolean isEnd) {
        int width = Math.max(boxWidth(name), boxWidth(note));
        out.append("<g><title>").append(escaped(name + ": " + note)).append("</title><rect x=\"");
        out.append(center - width / 2)
                .append("\" y=\"")
                .append(top)
                .append("\" width=\"")
                .append(width);
        out.append("\" height=\"").append(BOX_HEIGHT).append("\" rx=\"").append(isEnd ? BOX_HEIGHT / 2 : 6);
        out.append("\" fill=\"").append(look.fill).append("\" stroke=\"").append(look.line);
        out.append("\" stroke-width=\"2\"/>\n");
        text(center, top + 19, shortened(name), "#111827");
        text(center, top + 37, shortened(note), look.line);
        out.append("</g>\n");
    }

    private void text(int center, int baseline, String text, String colour) {
        out.append("<text x=\"").append(center).append("\" y=\"").append(baseline);
        out.append("\" text-anchor=\"middle\" fill=\"").append(colour).append("\">");
        out.append(escaped(text)).append("</text>\n");
    }

    private void line(int fromX, int fromY, int toX, int toY) {
        line(fromX, fromY, toX, toY, "");
    }

    private void arrow(int fromX, int fromY, int toX, int toY) {
        line(fromX, fromY, toX, toY, " marker-end=\"url(#arrow)\"");
    }

    private void line(int fromX, int fromY, int toX, int toY, String end) {
        out.append("<line x1=\"").append(fromX).append("\" y1=\"").append(fromY);
        out.append("\" x2=\"").append(toX).append("\" y2=\"").append(toY);
        out.append("\" stroke=\"#4b5563\" stroke-width=\"1.5\"").append(end).append("/>\n");
    }

    private static String word(String constant) {
        return constant.toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    private static String shortened(String text) {
        return text.length() <= MAX_LETTERS ? text : text.substring(0, MAX_LETTERS - 1) + "…";
    }

    /** Text of applications may be anything: neither markup nor what XML does not allow gets through. */
    static String escaped(String text) {
        var safe = new StringBuilder(text.length());
        text.codePoints().forEach(point -> {
            switch (point) {
                case '&' -> safe.append("&amp;");
                case '<' -> safe.append("&lt;");
                case '>' -> safe.append("&gt;");
                case '"' -> safe.append("&quot;");
                case '\'' -> safe.append("&#39;");
                default -> {
                    boolean allowed = point >= ' '
                            && point != 0xFFFE
                            && point != 0xFFFF
                            && (point < Character.MIN_SURROGATE || point > Character.MAX_SURROGATE);
                    safe.appendCodePoint(allowed ? point : '\uFFFD');
                }
            }
        });
        return safe.toString();
    }
}

package io.waybill.benchmarks.harness;

import java.util.List;
import java.util.function.ToDoubleFunction;

/** A line of the table: what was measured, beside what, and what was asked for. */
public record Line(
        String measure, String figure, String reference, String theirs, String ratio, String target, String verdict) {

    static final List<String> TITLES =
            List.of("measured", "figure", "beside", "its figure", "ratio", "asked for", "met");

    /** Two variants of the same rounds; the target is for their ratio. */
    public static <T> Line compare(
            String measure,
            Unit unit,
            Measured<T> reference,
            Measured<T> ours,
            ToDoubleFunction<T> figure,
            Goal target) {
        Samples theirs = reference.by(figure);
        Samples ratio = ours.by(figure).dividedBy(theirs);
        return new Line(
                measure,
                unit.print(ours.by(figure)),
                reference.name(),
                unit.print(theirs),
                Unit.RATIO.print(ratio),
                target.text(),
                target.verdict(ratio.median()));
    }

    public static Line compare(
            String measure, Unit unit, Measured<Double> reference, Measured<Double> ours, Goal target) {
        return compare(measure, unit, reference, ours, Double::doubleValue, target);
    }

    /** A figure that stands for itself; the target is for the figure. */
    public static Line figure(String measure, Unit unit, Samples ours, Goal target) {
        return new Line(measure, unit.print(ours), "", "", "", target.text(), target.verdict(ours.median()));
    }

    public static Line figure(String measure, Unit unit, double ours, Goal target) {
        return figure(measure, unit, new Samples(List.of(ours)), target);
    }

    List<String> cells() {
        return List.of(measure, figure, reference, theirs, ratio, target, verdict);
    }
}

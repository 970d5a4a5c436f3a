package io.waybill.benchmarks;

import java.util.List;
import java.util.function.ToDoubleFunction;

/** A line of the table: what was measured, beside what, and what was asked for. */
record Line(
        String measure, String figure, String reference, String theirs, String ratio, String target, String verdict) {

    static final List<String> TITLES =
            List.of("measured", "figure", "beside", "its figure", "ratio", "asked for", "met");

    /** Two variants of the same rounds; the target is for their ratio. */
    static <T> Line compare(
            String measure,
            Unit unit,
            Measured<T> reference,
            Measured<T> ours,
            ToDoubleFunction<T> figure,
            Target target) {
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

    static Line compare(String measure, Unit unit, Measured<Double> reference, Measured<Double> ours, Target target) {
        return compare(measure, unit, reference, ours, Double::doubleValue, target);
    }

    /** A figure that stands for itself; the target is for the figure. */
    static Line figure(String measure, Unit unit, Samples ours, Target target) {
        return new Line(measure, unit.print(ours), "", "", "", target.text(), target.verdict(ours.median()));
    }

    static Line figure(String measure, Unit unit, double ours, Target target) {
        return figure(measure, unit, new Samples(List.of(ours)), target);
    }

    List<String> cells() {
        return List.of(measure, figure, reference, theirs, ratio, target, verdict);
    }
}

package io.waybill.benchmarks.harness;

import java.util.List;
import java.util.stream.IntStream;

/** The figures of one variant, one for each round. */
public record Samples(List<Double> values) {

    public double median() {
        List<Double> sorted = values.stream().sorted().toList();
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }

    double min() {
        return values.stream().mapToDouble(Double::doubleValue).min().orElseThrow();
    }

    double max() {
        return values.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
    }

    /** Round by round, so that what disturbed the machine in one round disturbs only that round's ratio. */
    Samples dividedBy(Samples reference) {
        return new Samples(IntStream.range(0, values.size())
                .mapToObj(round -> values.get(round) / reference.values.get(round))
                .toList());
    }
}

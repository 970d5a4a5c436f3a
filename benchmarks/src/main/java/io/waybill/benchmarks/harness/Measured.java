package io.waybill.benchmarks.harness;

import java.util.List;
import java.util.function.ToDoubleFunction;

/** A variant and what was measured of it, round by round. */
public record Measured<T>(String name, List<T> results) {

    public Samples by(ToDoubleFunction<T> figure) {
        return new Samples(results.stream().mapToDouble(figure).boxed().toList());
    }
}

package io.waybill.benchmarks;

import java.util.List;
import java.util.function.ToDoubleFunction;

/** A variant and what was measured of it, round by round. */
record Measured<T>(String name, List<T> results) {

    Samples by(ToDoubleFunction<T> figure) {
        return new Samples(results.stream().mapToDouble(figure).boxed().toList());
    }
}

package io.waybill.benchmarks.harness;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * Measures variants in turn (A, B, A, B …), so that what disturbs the machine for a while disturbs all of them. The first
 * rounds only warm up: a drain of half a second is over before its code has been compiled.
 */
public record Rounds(int warmUp, int count, PrintWriter progress) {

    @SafeVarargs
    public final <T> List<Measured<T>> of(String what, Variant<T>... variants) throws Exception {
        List<List<T>> results = new ArrayList<>();
        for (int i = 0; i < variants.length; i++) {
            results.add(new ArrayList<>());
        }
        for (int round = 1 - warmUp; round <= count; round++) {
            for (int i = 0; i < variants.length; i++) {
                tell(what, variants[i].name(), round);
                T result = variants[i].measurement().call();
                if (round > 0) {
                    results.get(i).add(result);
                }
            }
        }
        List<Measured<T>> measured = new ArrayList<>();
        for (int i = 0; i < variants.length; i++) {
            measured.add(new Measured<>(variants[i].name(), results.get(i)));
        }
        return measured;
    }

    /** Two variants and their ratio. */
    public Line compare(String measure, Unit unit, Variant<Double> reference, Variant<Double> ours, Goal target)
            throws Exception {
        List<Measured<Double>> measured = of(measure, reference, ours);
        return Line.compare(measure, unit, measured.get(0), measured.get(1), target);
    }

    private void tell(String what, String variant, int round) {
        progress.println(
                "  " + (round <= 0 ? "warm-up" : "round " + round + " of " + count) + ": " + what + ", " + variant);
        progress.flush();
    }
}

package io.waybill.benchmarks.drain;

import io.waybill.benchmarks.harness.Goal;
import io.waybill.benchmarks.harness.Lab;
import io.waybill.benchmarks.harness.Line;
import io.waybill.benchmarks.harness.Unit;
import io.waybill.benchmarks.harness.Variant;
import io.waybill.benchmarks.workload.BenchmarkDatabase;
import io.waybill.benchmarks.workload.Drain;

/** Times drains, each on a database of its own. */
public record DrainRate(Lab lab) {

    public static DrainRate in(Lab lab) {
        return new DrainRate(lab);
    }

    /** All of the usual number of messages, in messages per second. */
    public Variant<Double> of(String name, Drain.Factory factory) {
        int messages = lab.settings().messages();
        return of(name, factory, messages, messages);
    }

    /** The first {@code drained} of {@code waiting} messages, in messages per second. */
    public Variant<Double> of(String name, Drain.Factory factory, int waiting, int drained) {
        return new Variant<>(name, () -> measure(factory, waiting, drained));
    }

    /** Two drains and their ratio. */
    public Line compare(String measure, Variant<Double> reference, Variant<Double> ours, Goal target) throws Exception {
        return lab.rounds().compare(measure, Unit.PER_SECOND, reference, ours, target);
    }

    private double measure(Drain.Factory factory, int waiting, int drained) throws Exception {
        try (BenchmarkDatabase database = lab.newDatabase();
                Drain drain = factory.on(database)) {
            drain.fill(waiting);
            database.settle();
            long start = System.nanoTime();
            long sent = drain.drain(drained);
            return sent / seconds(System.nanoTime() - start);
        }
    }

    public static double seconds(long nanos) {
        return nanos / 1e9;
    }
}

package io.waybill.benchmarks.outbox;

import io.waybill.benchmarks.drain.DrainRate;
import io.waybill.benchmarks.drain.WaybillDrain;
import io.waybill.benchmarks.harness.Benchmark;
import io.waybill.benchmarks.harness.BenchmarkSettings;
import io.waybill.benchmarks.harness.Goal;
import io.waybill.benchmarks.harness.Lab;
import io.waybill.benchmarks.harness.Line;
import io.waybill.benchmarks.harness.Unit;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Locale;

/** Many messages in a small heap: what is in memory depends on the batch, not on what waits. One round says it. */
public final class MemoryBenchmark implements Benchmark {

    /** A little more than the -Xmx256m that {@code benchmarks/run} gives this benchmark. */
    private static final long SMALL_HEAP = 260L << 20;

    @Override
    public String name() {
        return "memory";
    }

    @Override
    public String question() {
        return "are two million messages drained with -Xmx256m?";
    }

    @Override
    public String procedure(BenchmarkSettings settings) {
        return "one round, without a warm-up";
    }

    @Override
    public List<Line> measure(Lab lab) throws Exception {
        requireSmallHeap();
        int messages = lab.settings().messages();
        var drain = DrainRate.in(lab).of("Waybill", WaybillDrain.with(WaybillDrain.KEEP, 1), messages, messages);
        double rate = drain.measurement().call();
        return List.of(
                Line.figure(
                        String.format(Locale.ROOT, "Waybill, %,d messages, all sent", messages),
                        Unit.PER_SECOND,
                        rate,
                        new Goal("it ends", figure -> figure > 0)),
                Line.figure("in garbage collection, filling included", Unit.MILLIS, collectionMillis(), Goal.NONE));
    }

    private static void requireSmallHeap() {
        if (Runtime.getRuntime().maxMemory() > SMALL_HEAP) {
            throw new IllegalStateException("This benchmark says something only with a small heap: run it alone with"
                    + " 'benchmarks/run memory', or start Java with -Xmx256m.");
        }
    }

    private static double collectionMillis() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .mapToLong(GarbageCollectorMXBean::getCollectionTime)
                .sum();
    }
}

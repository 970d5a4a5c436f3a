package io.waybill.benchmarks.outbox;

import io.waybill.benchmarks.drain.DrainRate;
import io.waybill.benchmarks.harness.Benchmark;
import io.waybill.benchmarks.harness.Goal;
import io.waybill.benchmarks.harness.Lab;
import io.waybill.benchmarks.harness.Line;
import io.waybill.benchmarks.harness.Measured;
import io.waybill.benchmarks.harness.Unit;
import io.waybill.benchmarks.harness.Variant;
import io.waybill.benchmarks.workload.BenchmarkDatabase;
import io.waybill.benchmarks.workload.Crew;
import java.util.ArrayList;
import java.util.List;

/**
 * What a message costs the transaction that writes it. Bare INSERTs go to a table as people make it, and also to ours: that
 * tells what our columns and indexes cost from what our code costs.
 */
public final class AppendBenchmark implements Benchmark {

    private static final int THREADS = 4;
    private static final int BATCH = 1_000;

    /** One message per transaction is slower than a batch, and is measured with fewer messages. */
    private static final int FEWER = 5;

    @Override
    public String name() {
        return "append";
    }

    @Override
    public String question() {
        return "what does it cost to write a message in the transaction of the data?";
    }

    @Override
    public List<Line> measure(Lab lab) throws Exception {
        List<Line> lines = new ArrayList<>();
        lines.addAll(compare(
                lab,
                "Waybill, 1 order + 1 message per transaction, 4 threads",
                AppendBenchmark::ordersPerSecond,
                Goal.atLeast(0.9)));
        lines.addAll(compare(
                lab,
                "Waybill, 1,000 messages per transaction, 1 thread",
                AppendBenchmark::batchedPerSecond,
                Goal.atLeast(0.8)));
        return lines;
    }

    private static List<Line> compare(Lab lab, String measure, Timing timing, Goal target) throws Exception {
        List<Measured<Double>> measured = lab.rounds()
                .of(
                        measure,
                        variant(lab, "bare INSERT, plain table", BareAppend::toPlainTable, timing),
                        variant(lab, "bare INSERT, our table", BareAppend::toOurTable, timing),
                        variant(lab, "Waybill", WaybillAppend::on, timing));
        Measured<Double> plain = measured.get(0);
        Measured<Double> ourTable = measured.get(1);
        Measured<Double> waybill = measured.get(2);
        return List.of(
                Line.compare(measure, Unit.PER_SECOND, plain, waybill, target),
                Line.compare("the same: what our code costs", Unit.PER_SECOND, ourTable, waybill, Goal.NONE),
                Line.compare(
                        "bare INSERT, our table: what our columns and indexes cost",
                        Unit.PER_SECOND,
                        plain,
                        ourTable,
                        Goal.NONE));
    }

    private static Variant<Double> variant(Lab lab, String name, Append.Factory factory, Timing timing) {
        return new Variant<>(name, () -> {
            try (BenchmarkDatabase database = lab.newDatabase()) {
                Append append = factory.on(database);
                database.settle();
                return timing.perSecond(append, lab.settings().messages());
            }
        });
    }

    private static double ordersPerSecond(Append append, int messages) throws Exception {
        int perThread = Math.max(1, messages / FEWER / THREADS);
        long start = System.nanoTime();
        Crew.run(THREADS, member -> {
            for (int i = 0; i < perThread; i++) {
                append.withOrder(member * perThread + i);
            }
        });
        return perThread * THREADS / DrainRate.seconds(System.nanoTime() - start);
    }

    private static double batchedPerSecond(Append append, int messages) throws Exception {
        int batches = Math.max(1, messages / BATCH);
        long start = System.nanoTime();
        for (int i = 0; i < batches; i++) {
            append.batch(i * BATCH, BATCH);
        }
        return batches * BATCH / DrainRate.seconds(System.nanoTime() - start);
    }

    @FunctionalInterface
    private interface Timing {
        double perSecond(Append append, int messages) throws Exception;
    }
}

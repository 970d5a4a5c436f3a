package io.waybill.benchmarks.outbox;

import io.waybill.benchmarks.drain.DrainRate;
import io.waybill.benchmarks.drain.WaybillDrain;
import io.waybill.benchmarks.harness.Benchmark;
import io.waybill.benchmarks.harness.BenchmarkSettings;
import io.waybill.benchmarks.harness.Goal;
import io.waybill.benchmarks.harness.Lab;
import io.waybill.benchmarks.harness.Line;
import io.waybill.benchmarks.harness.Measured;
import io.waybill.benchmarks.harness.Samples;
import io.waybill.benchmarks.harness.Unit;
import io.waybill.benchmarks.harness.Variant;
import io.waybill.benchmarks.workload.BenchmarkDatabase;
import io.waybill.benchmarks.workload.Workload;
import io.waybill.jdbc.JdbcStore;
import io.waybill.relay.route.RelayOptions;
import io.waybill.store.outbox.Lane;
import io.waybill.store.outbox.OutboxStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** A claim costs what it returns, however much waits behind it. */
public final class ClaimBenchmark implements Benchmark {

    private static final int FEW = 1_000;
    private static final int FULL_BATCH = 2_000;

    /** As many as {@link #FEW} waiting messages can give from every lane. */
    private static final int SMALL_BATCH = 500;

    private static final int CLAIMS = 30;

    @Override
    public String name() {
        return "claim";
    }

    @Override
    public String question() {
        return "how long does it take to find the next batch, with few and with many messages waiting?";
    }

    @Override
    public List<Line> measure(Lab lab) throws Exception {
        int many = lab.settings().messages();
        List<Line> lines = new ArrayList<>(claims(lab, many, Goal.atMost(50), Goal.atMost(1.5)));
        if (lab.settings().large()) {
            lines.addAll(claims(lab, BenchmarkSettings.LARGE, Goal.NONE, Goal.NONE));
            lines.add(firstOfMany(lab, many));
        }
        return lines;
    }

    private static List<Line> claims(Lab lab, int many, Goal millis, Goal ratio) throws Exception {
        try (BenchmarkDatabase fewThere = lab.newDatabase();
                BenchmarkDatabase manyThere = lab.newDatabase()) {
            OutboxStore few = filled(fewThere, FEW);
            OutboxStore full = filled(manyThere, many);
            String fullBatch = title(FULL_BATCH, many);
            List<Measured<Double>> large = rounds(lab, fullBatch, few, full, FULL_BATCH);
            String smallBatch = title(SMALL_BATCH, many);
            List<Measured<Double>> small = rounds(lab, smallBatch, few, full, SMALL_BATCH);
            return List.of(
                    Line.figure(fullBatch, Unit.MILLIS, large.get(1).by(Double::doubleValue), millis),
                    // It reads twice as many rows as 1,000 waiting ones can give: the ratio that says something is the
                    // next one.
                    Line.compare(fullBatch, Unit.MILLIS, large.get(0), large.get(1), Goal.NONE),
                    Line.compare(smallBatch, Unit.MILLIS, small.get(0), small.get(1), ratio));
        }
    }

    private static String title(int batch, int many) {
        return String.format(Locale.ROOT, "Waybill, claim of %,d with %,d waiting", batch, many);
    }

    private static List<Measured<Double>> rounds(Lab lab, String measure, OutboxStore few, OutboxStore full, int batch)
            throws Exception {
        return lab.rounds()
                .of(
                        measure,
                        new Variant<>("1,000 waiting", () -> medianMillis(few, batch)),
                        new Variant<>("many waiting", () -> medianMillis(full, batch)));
    }

    private static OutboxStore filled(BenchmarkDatabase database, int messages) throws Exception {
        JdbcStore store = JdbcStore.on(database.pool()).initializeSchema();
        WaybillDrain.append(store, Workload.USUAL, messages);
        database.settle();
        return store.outboxStore();
    }

    private static double medianMillis(OutboxStore store, int batch) {
        List<Double> millis = new ArrayList<>();
        for (int i = 0; i < CLAIMS; i++) {
            long start = System.nanoTime();
            claim(store, batch);
            millis.add((System.nanoTime() - start) / 1e6);
        }
        return new Samples(millis).median();
    }

    /** As a relay does that owns every shard and knows of no lane yet. A claim writes nothing, so it can be repeated. */
    private static void claim(OutboxStore store, int batch) {
        Set<Lane> lanes = store.lanes();
        Map<Lane, Integer> limits = new HashMap<>();
        lanes.forEach(lane -> limits.put(lane, Math.max(1, batch / lanes.size())));
        if (store.claim(limits, RelayOptions.DEFAULT.batchBytes()).messages().isEmpty()) {
            throw new IllegalStateException("Nothing was claimed, though messages wait.");
        }
    }

    private static Line firstOfMany(Lab lab, int drained) throws Exception {
        var rate = DrainRate.in(lab);
        var drain = WaybillDrain.with(WaybillDrain.KEEP, 1);
        return rate.compare(
                String.format(Locale.ROOT, "Waybill, drain of the first %,d of %,d", drained, BenchmarkSettings.LARGE),
                rate.of("drain of all, as many", drain, drained, drained),
                rate.of("first of many", drain, BenchmarkSettings.LARGE, drained),
                Goal.atLeast(0.8));
    }
}

package io.waybill.benchmarks.outbox;

import io.waybill.Time;
import io.waybill.benchmarks.drain.DrainRate;
import io.waybill.benchmarks.drain.LayoutDrain;
import io.waybill.benchmarks.drain.LayoutTable;
import io.waybill.benchmarks.drain.WaybillDrain;
import io.waybill.benchmarks.harness.Benchmark;
import io.waybill.benchmarks.harness.Goal;
import io.waybill.benchmarks.harness.Lab;
import io.waybill.benchmarks.harness.Line;
import io.waybill.benchmarks.harness.Samples;
import io.waybill.benchmarks.harness.Unit;
import io.waybill.benchmarks.workload.BenchmarkDatabase;
import io.waybill.jdbc.layout.AdoptedTable;
import io.waybill.relay.route.RelayOptions;
import io.waybill.store.outbox.Lane;
import io.waybill.store.outbox.OutboxStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Tables of somebody else's design: what a claim costs with many rows waiting, and how fast they drain beside our own table. */
public final class LayoutsBenchmark implements Benchmark {

    private static final int BATCH = 2_000;
    private static final int CLAIMS = 15;

    @Override
    public String name() {
        return "layouts";
    }

    @Override
    public String question() {
        return "what does a claim cost in a table of somebody else's design, and how fast does it drain beside Waybill's own?";
    }

    @Override
    public List<Line> measure(Lab lab) throws Exception {
        List<Line> lines = new ArrayList<>();
        for (LayoutTable table : LayoutTable.values()) {
            lines.add(claim(lab, table));
        }
        for (LayoutTable table : LayoutTable.values()) {
            lines.add(drain(lab, table));
        }
        return lines;
    }

    private static Line drain(Lab lab, LayoutTable table) throws Exception {
        var rate = DrainRate.in(lab);
        // Claims that PHP workers must see cost an UPDATE of each row more: that is told, not asked for.
        Goal target = table.layout.rowClaims().isPresent() ? Goal.NONE : Goal.atLeast(0.25);
        return rate.compare(
                table.layout.name() + ", drain",
                rate.of("native, kept", WaybillDrain.with(WaybillDrain.KEEP, 1)),
                rate.of(table.layout.name(), LayoutDrain.of(table)),
                target);
    }

    private static Line claim(Lab lab, LayoutTable table) throws Exception {
        int messages = lab.settings().messages();
        try (BenchmarkDatabase database = lab.newDatabase()) {
            AdoptedTable open =
                    AdoptedTable.open(database.pool(), table.layout, AdoptedTable.Setup.EVERYTHING, Time.system());
            table.fill(database, messages);
            database.settle();
            List<Double> millis = new ArrayList<>();
            for (int i = 0; i < CLAIMS; i++) {
                long start = System.nanoTime();
                claim(open.outboxStore());
                millis.add((System.nanoTime() - start) / 1e6);
                open.close();
            }
            return Line.figure(
                    String.format(
                            Locale.ROOT, "%s, claim of the next batch with %,d waiting", table.layout.name(), messages),
                    Unit.MILLIS,
                    new Samples(millis),
                    Goal.atMost(50));
        }
    }

    private static void claim(OutboxStore store) {
        Map<Lane, Integer> limits = new HashMap<>();
        store.lanes().forEach(lane -> limits.put(lane, BATCH));
        if (store.claim(limits, RelayOptions.DEFAULT.batchBytes()).messages().isEmpty()) {
            throw new IllegalStateException("Nothing was claimed, though messages wait.");
        }
    }
}

package io.waybill.benchmarks.outbox;

import io.waybill.benchmarks.drain.DrainRate;
import io.waybill.benchmarks.drain.WaybillDrain;
import io.waybill.benchmarks.floor.FloorDrain;
import io.waybill.benchmarks.floor.FloorTable;
import io.waybill.benchmarks.harness.Benchmark;
import io.waybill.benchmarks.harness.Goal;
import io.waybill.benchmarks.harness.Lab;
import io.waybill.benchmarks.harness.Line;
import io.waybill.jdbc.schema.JdbcStoreOptions;
import java.util.List;

/** The ordered drain beside the plain-SQL floor. The first line is the configuration that everybody gets. */
public final class DrainBenchmark implements Benchmark {

    @Override
    public String name() {
        return "drain";
    }

    @Override
    public String question() {
        return "how fast is what waits sent, in order, beside the least that plain SQL can do?";
    }

    @Override
    public List<Line> measure(Lab lab) throws Exception {
        return List.of(
                compare(lab, "Waybill, default (kept for 7 days), 1 relay", WaybillDrain.KEEP, FloorTable.UPDATE),
                compare(
                        lab,
                        "Waybill, default (kept for 7 days), 2 relays",
                        WaybillDrain.KEEP,
                        FloorTable.UPDATE_BY_TWO),
                compare(lab, "Waybill, retention 0, 1 relay", WaybillDrain.REMOVE, FloorTable.DELETE),
                compare(lab, "Waybill, retention 0, 2 relays", WaybillDrain.REMOVE, FloorTable.DELETE_BY_TWO),
                batches(lab));
    }

    /** Why the default batch is larger than that of the developer's guide. */
    private static Line batches(Lab lab) throws Exception {
        var rate = DrainRate.in(lab);
        return rate.compare(
                "Waybill, default (kept for 7 days), 1 relay, batches of 2,000",
                rate.of("batches of 100, as the guide has it", WaybillDrain.inBatchesOf(100)),
                rate.of("batches of 2,000", WaybillDrain.inBatchesOf(2_000)),
                Goal.NONE);
    }

    private static Line compare(Lab lab, String measure, JdbcStoreOptions options, FloorTable floor) throws Exception {
        var rate = DrainRate.in(lab);
        return rate.compare(
                measure,
                rate.of(floor.toString(), FloorDrain.with(floor)),
                rate.of("Waybill", WaybillDrain.with(options, floor.loops)),
                Goal.atLeast(0.7));
    }
}

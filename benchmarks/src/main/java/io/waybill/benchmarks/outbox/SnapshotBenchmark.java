package io.waybill.benchmarks.outbox;

import io.waybill.benchmarks.drain.DrainRate;
import io.waybill.benchmarks.drain.HeldSnapshot;
import io.waybill.benchmarks.drain.WaybillDrain;
import io.waybill.benchmarks.floor.FloorDrain;
import io.waybill.benchmarks.floor.FloorTable;
import io.waybill.benchmarks.harness.Benchmark;
import io.waybill.benchmarks.harness.Goal;
import io.waybill.benchmarks.harness.Lab;
import io.waybill.benchmarks.harness.Line;
import io.waybill.benchmarks.workload.Drain;
import java.util.List;

/** A long transaction elsewhere in the database must not slow the relay down. */
public final class SnapshotBenchmark implements Benchmark {

    @Override
    public String name() {
        return "snapshot";
    }

    @Override
    public String question() {
        return "what does it cost when another session holds an old snapshot?";
    }

    @Override
    public List<Line> measure(Lab lab) throws Exception {
        return List.of(
                compare(
                        lab,
                        "Waybill, retention 0, snapshot held",
                        WaybillDrain.with(WaybillDrain.REMOVE, 1),
                        Goal.atLeast(0.8)),
                compare(
                        lab,
                        "Waybill, default (kept for 7 days), snapshot held",
                        WaybillDrain.with(WaybillDrain.KEEP, 1),
                        Goal.NONE),
                compare(lab, FloorTable.DELETE + ", snapshot held", FloorDrain.with(FloorTable.DELETE), Goal.NONE));
    }

    private static Line compare(Lab lab, String measure, Drain.Factory drain, Goal target) throws Exception {
        var rate = DrainRate.in(lab);
        return rate.compare(
                measure,
                rate.of("the same, nobody holds one", drain),
                rate.of("an old snapshot is held", HeldSnapshot.during(drain)),
                target);
    }
}

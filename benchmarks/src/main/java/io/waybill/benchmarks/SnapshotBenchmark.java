package io.waybill.benchmarks;

import java.util.List;

/** A long transaction elsewhere in the database must not slow the relay down. */
final class SnapshotBenchmark implements Benchmark {

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
                        Target.atLeast(0.8)),
                compare(
                        lab,
                        "Waybill, default (kept for 7 days), snapshot held",
                        WaybillDrain.with(WaybillDrain.KEEP, 1),
                        Target.NONE),
                compare(lab, FloorTable.DELETE + ", snapshot held", FloorDrain.with(FloorTable.DELETE), Target.NONE));
    }

    private static Line compare(Lab lab, String measure, Drain.Factory drain, Target target) throws Exception {
        var rate = DrainRate.in(lab);
        return rate.compare(
                measure,
                rate.of("the same, nobody holds one", drain),
                rate.of("an old snapshot is held", HeldSnapshot.during(drain)),
                target);
    }
}

package io.waybill.benchmarks.outbox;

import io.waybill.benchmarks.drain.DrainRate;
import io.waybill.benchmarks.drain.Trouble;
import io.waybill.benchmarks.drain.WaybillDrain;
import io.waybill.benchmarks.harness.Benchmark;
import io.waybill.benchmarks.harness.Goal;
import io.waybill.benchmarks.harness.Lab;
import io.waybill.benchmarks.harness.Line;
import java.util.List;

/**
 * Somebody else's trouble in the same table: ten times as many rows for a destination that is away, and a tenth as many keys that are
 * blocked, each with followers that are held. The healthy messages are the same in every variant.
 */
public final class IsolationBenchmark implements Benchmark {

    @Override
    public String name() {
        return "isolation";
    }

    @Override
    public String question() {
        return "what does a dead destination, or do blocked keys, cost the others?";
    }

    @Override
    public List<Line> measure(Lab lab) throws Exception {
        int messages = lab.settings().messages();
        return List.of(
                compare(lab, Trouble.deadDestination(10 * messages)),
                compare(lab, Trouble.blockedKeys(Math.max(1, messages / 10))));
    }

    private static Line compare(Lab lab, Trouble trouble) throws Exception {
        var rate = DrainRate.in(lab);
        return rate.compare(
                "Waybill, default, beside " + trouble.name(),
                rate.of("nothing else in the table", WaybillDrain.with(WaybillDrain.KEEP, 1)),
                rate.of("trouble in the table", trouble.beside(WaybillDrain::besideADeadDestination)),
                Goal.atLeast(0.9));
    }
}

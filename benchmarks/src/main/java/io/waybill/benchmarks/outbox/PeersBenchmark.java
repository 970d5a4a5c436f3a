package io.waybill.benchmarks.outbox;

import io.waybill.benchmarks.drain.DrainRate;
import io.waybill.benchmarks.drain.WaybillDrain;
import io.waybill.benchmarks.harness.Benchmark;
import io.waybill.benchmarks.harness.Goal;
import io.waybill.benchmarks.harness.Lab;
import io.waybill.benchmarks.harness.Line;
import io.waybill.benchmarks.peers.DbSchedulerDrain;
import io.waybill.benchmarks.peers.GruelboxDrain;
import io.waybill.benchmarks.workload.Drain;
import java.util.List;

/** The same messages through other libraries, each set up for throughput. Neither keeps the order of a key. */
public final class PeersBenchmark implements Benchmark {

    private static final int MOST = 20_000;

    @Override
    public String name() {
        return "peers";
    }

    @Override
    public String question() {
        return "how fast do other libraries send what waits (at most 20,000 messages, no order kept)?";
    }

    @Override
    public List<Line> measure(Lab lab) throws Exception {
        return List.of(
                compare(lab, "gruelbox transaction-outbox 4.2.268", GruelboxDrain::new),
                compare(lab, "db-scheduler 16.12.0", DbSchedulerDrain::new));
    }

    private static Line compare(Lab lab, String peer, Drain.Factory factory) throws Exception {
        int messages = Math.min(MOST, lab.settings().messages());
        var rate = DrainRate.in(lab);
        return rate.compare(
                "Waybill, default (kept for 7 days), 1 relay",
                rate.of(peer, factory, messages, messages),
                rate.of("Waybill", WaybillDrain.with(WaybillDrain.KEEP, 1), messages, messages),
                Goal.NONE);
    }
}

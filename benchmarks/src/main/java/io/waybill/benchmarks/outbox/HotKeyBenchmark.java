package io.waybill.benchmarks.outbox;

import io.waybill.benchmarks.drain.DrainRate;
import io.waybill.benchmarks.drain.WaybillDrain;
import io.waybill.benchmarks.harness.Benchmark;
import io.waybill.benchmarks.harness.Goal;
import io.waybill.benchmarks.harness.Lab;
import io.waybill.benchmarks.harness.Line;
import io.waybill.benchmarks.workload.Workload;
import io.waybill.jdbc.schema.JdbcStoreOptions;
import java.util.List;

/** All messages in one key: its order leaves one shard to drain, and one lane to claim. */
public final class HotKeyBenchmark implements Benchmark {

    @Override
    public String name() {
        return "hotkey";
    }

    @Override
    public String question() {
        return "what does it cost when all messages have the same key?";
    }

    @Override
    public List<Line> measure(Lab lab) throws Exception {
        return List.of(
                compare(lab, "Waybill, one key, default (kept for 7 days)", WaybillDrain.KEEP),
                compare(lab, "Waybill, one key, retention 0", WaybillDrain.REMOVE));
    }

    private static Line compare(Lab lab, String measure, JdbcStoreOptions options) throws Exception {
        var rate = DrainRate.in(lab);
        return rate.compare(
                measure,
                rate.of("1,000 keys", WaybillDrain.with(options, 1)),
                rate.of("one key", WaybillDrain.with(options, 1, Workload.ONE_KEY)),
                Goal.atLeast(0.5));
    }
}

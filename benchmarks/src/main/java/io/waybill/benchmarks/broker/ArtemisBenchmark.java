package io.waybill.benchmarks.broker;

import io.waybill.benchmarks.drain.DrainRate;
import io.waybill.benchmarks.drain.WaybillDrain;
import io.waybill.benchmarks.floor.FloorDrain;
import io.waybill.benchmarks.floor.FloorTable;
import io.waybill.benchmarks.harness.Benchmark;
import io.waybill.benchmarks.harness.BenchmarkSettings;
import io.waybill.benchmarks.harness.Goal;
import io.waybill.benchmarks.harness.Lab;
import io.waybill.benchmarks.harness.Line;
import io.waybill.benchmarks.workload.Drain;
import io.waybill.benchmarks.workload.Workload;
import io.waybill.jdbc.schema.JdbcStoreOptions;
import io.waybill.jms.Jms;
import io.waybill.transport.wire.WireFormat;
import java.util.List;
import java.util.function.Function;

/** From PostgreSQL to Artemis, beside plain SQL and the bare client. */
public final class ArtemisBenchmark implements Benchmark {

    @Override
    public String name() {
        return "artemis";
    }

    @Override
    public String question() {
        return "how fast is what waits sent to Artemis, in order, beside plain SQL and a bare transacted session?";
    }

    @Override
    public String procedure(BenchmarkSettings settings) {
        return Benchmark.super.procedure(settings) + "; the broker is in the same JVM and keeps messages in memory";
    }

    @Override
    public List<Line> measure(Lab lab) throws Exception {
        var target = Goal.atLeast(0.6);
        return List.of(
                compare(lab, "kept for 7 days", WaybillDrain.KEEP, FloorTable.UPDATE, Workload.USUAL, target),
                compare(lab, "retention 0", WaybillDrain.REMOVE, FloorTable.DELETE, Workload.USUAL, target),
                compare(
                        lab,
                        "retention 0, one key",
                        WaybillDrain.REMOVE,
                        FloorTable.DELETE,
                        Workload.ONE_KEY,
                        Goal.NONE));
    }

    private static Line compare(
            Lab lab, String measure, JdbcStoreOptions options, FloorTable floor, Workload workload, Goal target)
            throws Exception {
        var rate = DrainRate.in(lab);
        return rate.compare(
                "Waybill, 1 relay, " + measure,
                rate.of(floor + ", bare client", onLane(lane -> FloorDrain.with(floor, lane::send))),
                rate.of("Waybill", onLane(lane -> waybill(lane, options, workload))),
                target);
    }

    private static Drain.Factory waybill(ArtemisLane lane, JdbcStoreOptions options, Workload workload) {
        return database -> {
            Jms artemis = lane.transport();
            var publisher = artemis.publisher("relay-1", WireFormat.PLAIN);
            return WaybillDrain.to(publisher, options, workload).on(database).closing(artemis);
        };
    }

    /** A broker for each measurement, gone when it is over. */
    private static Drain.Factory onLane(Function<ArtemisLane, Drain.Factory> factory) {
        return database -> {
            var lane = new ArtemisLane();
            return factory.apply(lane).on(database).closing(lane);
        };
    }
}

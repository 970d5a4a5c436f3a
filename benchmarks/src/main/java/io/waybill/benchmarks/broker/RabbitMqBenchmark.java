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
import io.waybill.benchmarks.harness.Measured;
import io.waybill.benchmarks.harness.Unit;
import io.waybill.benchmarks.workload.Drain;
import io.waybill.benchmarks.workload.Workload;
import io.waybill.jdbc.schema.JdbcStoreOptions;
import io.waybill.rabbitmq.RabbitMq;
import io.waybill.testkit.services.broker.Rabbit;
import io.waybill.transport.Publisher;
import io.waybill.transport.wire.WireFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/** From PostgreSQL to RabbitMQ, beside plain SQL and the bare client, which keeps no order when something fails. */
public final class RabbitMqBenchmark implements Benchmark {

    /** One request and one answer for each message: fewer are enough. */
    private static final int MOST_OF_ONE_KEY = 10_000;

    @Override
    public String name() {
        return "rabbitmq";
    }

    @Override
    public String question() {
        return "how fast is what waits sent to RabbitMQ, in order, beside plain SQL and the bare client with confirms?";
    }

    @Override
    public String procedure(BenchmarkSettings settings) {
        return Benchmark.super.procedure(settings) + "; the broker is "
                + Rabbit.shared().kind().name().toLowerCase(Locale.ROOT) + ", queues are durable";
    }

    @Override
    public List<Line> measure(Lab lab) throws Exception {
        return List.of(
                compare(lab, "classic queue, kept for 7 days", "classic", WaybillDrain.KEEP, FloorTable.UPDATE),
                compare(lab, "classic queue, retention 0", "classic", WaybillDrain.REMOVE, FloorTable.DELETE),
                compare(lab, "quorum queue, retention 0", "quorum", WaybillDrain.REMOVE, FloorTable.DELETE),
                oneKey(lab));
    }

    private static Line compare(Lab lab, String measure, String type, JdbcStoreOptions options, FloorTable floor)
            throws Exception {
        var rate = DrainRate.in(lab);
        return rate.compare(
                "Waybill, 1 relay, " + measure,
                rate.of(floor + ", bare client", onLane(type, lane -> FloorDrain.with(floor, lane::send))),
                rate.of("Waybill", onLane(type, lane -> waybill(lane, options, Workload.USUAL))),
                Goal.atLeast(0.6));
    }

    private static Line oneKey(Lab lab) throws Exception {
        int messages = Math.min(MOST_OF_ONE_KEY, lab.settings().messages());
        var rate = DrainRate.in(lab);
        Drain.Factory oneKey = onLane("classic", lane -> waybill(lane, WaybillDrain.REMOVE, Workload.ONE_KEY));
        String measure = String.format(Locale.ROOT, "Waybill, 1 relay, classic queue, one key, %,d messages", messages);
        List<Measured<Double>> measured = lab.rounds().of(measure, rate.of("one key", oneKey, messages, messages));
        return Line.figure(measure, Unit.PER_SECOND, measured.get(0).by(Double::doubleValue), Goal.NONE);
    }

    private static Drain.Factory waybill(RabbitLane lane, JdbcStoreOptions options, Workload workload) {
        return database -> {
            RabbitMq rabbit = lane.transport();
            Publisher publisher = rabbit.publisher("relay-1", WireFormat.PLAIN);
            return WaybillDrain.to(publisher, options, workload).on(database).closing(rabbit);
        };
    }

    /** A queue for each measurement, gone when it is over. */
    private static Drain.Factory onLane(String type, Function<RabbitLane, Drain.Factory> factory) {
        return database -> {
            RabbitLane lane = RabbitLane.at(Rabbit.shared().url(), arguments(type));
            return factory.apply(lane).on(database).closing(lane);
        };
    }

    /** Qpid has one type of queue, and no name for it. */
    private static Map<String, Object> arguments(String type) {
        return Rabbit.shared().isRabbitMq() ? Map.of("x-queue-type", type) : Map.of();
    }
}

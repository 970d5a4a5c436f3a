package io.waybill.benchmarks.latency;

import io.waybill.benchmarks.harness.Benchmark;
import io.waybill.benchmarks.harness.Goal;
import io.waybill.benchmarks.harness.Lab;
import io.waybill.benchmarks.harness.Line;
import io.waybill.benchmarks.harness.Measured;
import io.waybill.benchmarks.harness.Unit;
import io.waybill.benchmarks.harness.Variant;
import io.waybill.benchmarks.latency.Latencies.Percentiles;
import io.waybill.benchmarks.workload.BenchmarkDatabase;
import io.waybill.benchmarks.workload.Patience;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** From COMMIT to publish at a steady, low rate; and what the loop costs when nothing happens. */
public final class LatencyBenchmark implements Benchmark {

    private static final int PER_SECOND = 200;
    private static final int HURRIED = 100_000;
    private static final Duration LAST_ONES = Duration.ofSeconds(30);

    @Override
    public String name() {
        return "latency";
    }

    @Override
    public String question() {
        return "how long from COMMIT to publish at 200 messages/s, and what does waiting cost?";
    }

    @Override
    public List<Line> measure(Lab lab) throws Exception {
        Live.Factory everyMilli = FloorLive.pollingEvery(Duration.ofMillis(1));
        List<Line> lines = new ArrayList<>();
        lines.addAll(latencies(
                lab,
                "Waybill, appended in the same process",
                "poll every 1 ms",
                everyMilli,
                WaybillLive::inTheSameProcess));
        lines.addAll(latencies(
                lab,
                "Waybill, appended by another process",
                "poll every 5 ms",
                FloorLive.pollingEvery(Duration.ofMillis(5)),
                WaybillLive::inAnotherProcess));
        lines.add(lab.rounds()
                .compare(
                        "Waybill, processor time of the idle process",
                        Unit.PERCENT_OF_A_CORE,
                        idle(lab, "poll every 1 ms", everyMilli),
                        idle(lab, "Waybill", WaybillLive::inTheSameProcess),
                        Goal.NONE));
        return lines;
    }

    private static List<Line> latencies(
            Lab lab, String measure, String floorName, Live.Factory floor, Live.Factory waybill) throws Exception {
        hurry(lab, floor);
        hurry(lab, waybill);
        List<Measured<Percentiles>> measured = lab.rounds()
                .of(
                        measure,
                        new Variant<>(floorName, () -> latency(lab, floor)),
                        new Variant<>("Waybill", () -> latency(lab, waybill)));
        Measured<Percentiles> theirs = measured.get(0);
        Measured<Percentiles> ours = measured.get(1);
        return List.of(
                Line.compare(measure + ", p50", Unit.MILLIS, theirs, ours, Percentiles::p50, Goal.NONE),
                Line.compare(measure + ", p99", Unit.MILLIS, theirs, ours, Percentiles::p99, Goal.NONE));
    }

    private static Percentiles latency(Lab lab, Live.Factory factory) throws Exception {
        int messages = Math.toIntExact(lab.settings().duration().toMillis() * PER_SECOND / 1_000);
        var latencies = new Latencies(messages);
        try (BenchmarkDatabase database = lab.newDatabase();
                Live live = factory.start(database, latencies)) {
            appendSteadily(live, messages);
            Patience.in(LAST_ONES)
                    .await(
                            () -> latencies.published() >= messages,
                            () -> latencies.published() + " of " + messages + " messages were published");
            return latencies.percentiles();
        }
    }

    /** Sends as many messages as it can for as long as a measurement takes: at 200 a second the code would not be compiled for minutes. */
    private static void hurry(Lab lab, Live.Factory factory) throws Exception {
        long nanos = lab.settings().duration().toNanos();
        var latencies = new Latencies(HURRIED);
        try (BenchmarkDatabase database = lab.newDatabase();
                Live live = factory.start(database, latencies)) {
            long start = System.nanoTime();
            for (int number = 0; number < HURRIED && System.nanoTime() - start < nanos; number++) {
                live.append(number);
            }
        }
    }

    private static void appendSteadily(Live live, int messages) throws Exception {
        long start = System.nanoTime();
        long step = Duration.ofSeconds(1).toNanos() / PER_SECOND;
        for (int number = 0; number < messages; number++) {
            Patience.pauseUntil(start + number * step);
            live.append(number);
        }
    }

    private static Variant<Double> idle(Lab lab, String name, Live.Factory factory) {
        return new Variant<>(name, () -> {
            try (BenchmarkDatabase database = lab.newDatabase();
                    Live live = factory.start(database, new Latencies(0))) {
                Duration before = processorTime();
                Patience.pause(lab.settings().duration());
                Duration used = processorTime().minus(before);
                return 100.0 * used.toNanos() / lab.settings().duration().toNanos();
            }
        });
    }

    private static Duration processorTime() {
        return ProcessHandle.current().info().totalCpuDuration().orElseThrow();
    }
}

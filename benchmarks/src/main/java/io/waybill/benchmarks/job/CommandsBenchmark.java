package io.waybill.benchmarks.job;

import io.waybill.benchmarks.drain.DrainRate;
import io.waybill.benchmarks.harness.Benchmark;
import io.waybill.benchmarks.harness.Goal;
import io.waybill.benchmarks.harness.Lab;
import io.waybill.benchmarks.harness.Line;
import io.waybill.benchmarks.harness.Measured;
import io.waybill.benchmarks.harness.Unit;
import io.waybill.benchmarks.harness.Variant;
import io.waybill.benchmarks.peers.DbSchedulerJobs;
import io.waybill.benchmarks.peers.JobRunrJobs;
import io.waybill.benchmarks.workload.BenchmarkDatabase;
import io.waybill.benchmarks.workload.Jobs;
import io.waybill.benchmarks.workload.Patience;
import java.time.Duration;
import java.util.List;

/** How many commands with one business INSERT are run per second; all of them wait when the clock starts. */
public final class CommandsBenchmark implements Benchmark {

    private static final int MOST = 20_000;
    private static final int MOST_OF_JOBRUNR = 5_000;
    private static final Duration LONGEST = Duration.ofMinutes(5);

    @Override
    public String name() {
        return "commands";
    }

    @Override
    public String question() {
        return "how many commands with one business INSERT run per second, beside a loop written by hand?";
    }

    @Override
    public List<Line> measure(Lab lab) throws Exception {
        int commands = Math.min(MOST, lab.settings().messages());
        String measure = "Waybill, " + Jobs.THREADS + " handlers, one commit per command";
        List<Measured<Double>> measured = lab.rounds()
                .of(
                        measure,
                        variant(lab, "loop by hand, as many threads", BareCommands::new, commands),
                        variant(lab, "db-scheduler, one-time tasks", DbSchedulerJobs::new, commands),
                        variant(
                                lab,
                                "JobRunr, enqueued requests",
                                JobRunrJobs::new,
                                Math.min(commands, MOST_OF_JOBRUNR)),
                        variant(lab, "Waybill", database -> new WaybillCommands(database, 1), commands),
                        variant(
                                lab,
                                "Waybill, 50 per commit",
                                database -> new WaybillCommands(database, 50),
                                commands));
        return List.of(
                Line.compare(measure, Unit.PER_SECOND, measured.get(0), measured.get(3), Goal.atLeast(0.8)),
                Line.compare(measure, Unit.PER_SECOND, measured.get(1), measured.get(3), Goal.atLeast(1)),
                Line.compare(measure, Unit.PER_SECOND, measured.get(2), measured.get(3), Goal.atLeast(1)),
                Line.compare(
                        "Waybill, up to 50 commands per commit",
                        Unit.PER_SECOND,
                        measured.get(0),
                        measured.get(4),
                        Goal.NONE));
    }

    private static Variant<Double> variant(Lab lab, String name, Jobs.Factory factory, int commands) {
        return new Variant<>(name, () -> {
            try (BenchmarkDatabase database = lab.newDatabase()) {
                database.execute(Jobs.INVOICES);
                try (Jobs jobs = factory.on(database)) {
                    jobs.fill(commands);
                    database.settle();
                    jobs.start();
                    Patience.in(LONGEST).await(() -> jobs.areDone(commands), () -> "commands are left");
                    long invoices = Long.parseLong(database.ask("SELECT count(*) FROM invoice"));
                    if (invoices != commands) {
                        throw new IllegalStateException(name + " wrote " + invoices + " rows for " + commands);
                    }
                    return commands / DrainRate.seconds(jobs.nanos());
                }
            }
        });
    }
}

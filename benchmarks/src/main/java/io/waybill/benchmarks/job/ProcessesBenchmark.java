package io.waybill.benchmarks.job;

import io.waybill.benchmarks.harness.Benchmark;
import io.waybill.benchmarks.harness.Goal;
import io.waybill.benchmarks.harness.Lab;
import io.waybill.benchmarks.harness.Line;
import io.waybill.benchmarks.harness.Measured;
import io.waybill.benchmarks.harness.Unit;
import io.waybill.benchmarks.harness.Variant;
import io.waybill.benchmarks.job.ProcessRuns.Rate;
import io.waybill.benchmarks.workload.Jobs;
import java.util.ArrayList;
import java.util.List;

/** How many steps of processes are done per second, and how many commits each takes. */
public final class ProcessesBenchmark implements Benchmark {

    private static final int MOST = 4_000;
    private static final int MOST_WHOLE = 2_000;
    private static final int MANY_THREADS = 16;
    private static final int MOST_OF_DBOS = 1_000;

    /** As long as the others take: in less, the code is not compiled before it is measured. */
    private static final int MOST_SHARED = 8_000;

    private static final String TRANSACTIONS = "the same, transactions per step in pg_stat_database, reading included";
    private static final String SHARED = "Waybill, steps/s of processes started before, up to 50 steps per commit";

    @Override
    public String name() {
        return "processes";
    }

    @Override
    public String question() {
        return "how many steps with one business INSERT are done per second, five to a process?";
    }

    @Override
    public List<Line> measure(Lab lab) throws Exception {
        int asked = Math.max(1, lab.settings().messages() / ProcessRuns.STEPS);
        var lines = new ArrayList<Line>();
        lines.addAll(whole(lab, Math.min(MOST_WHOLE, asked), Jobs.THREADS));
        lines.addAll(whole(lab, Math.min(MOST_WHOLE, asked), MANY_THREADS));
        lines.addAll(stepsAlone(lab, asked));
        return lines;
    }

    /** The start is inside the clock, for everybody. */
    private static List<Line> whole(Lab lab, int processes, int threads) throws Exception {
        String measure = "Waybill, processes/s with their start, " + threads + " callers and " + threads + " handlers";
        int ofDbos = Math.min(processes, MOST_OF_DBOS);
        List<Measured<Double>> measured = lab.rounds()
                .of(
                        measure,
                        new Variant<>(
                                "INSERT, then 5 x INSERT + state UPDATE, as many threads",
                                () -> ProcessRuns.wholeBare(lab, processes, threads)),
                        new Variant<>("DBOS Transact", () -> ProcessRuns.wholeDbos(lab, ofDbos, threads)),
                        new Variant<>("Waybill", () -> ProcessRuns.whole(lab, processes, threads, 1)),
                        new Variant<>("Waybill, 50 per commit", () -> ProcessRuns.whole(lab, processes, threads, 50)));
        Measured<Double> floor = measured.get(0);
        Measured<Double> dbos = measured.get(1);
        return List.of(
                Line.compare(measure, Unit.PER_SECOND, floor, measured.get(2), Goal.NONE),
                Line.compare(measure, Unit.PER_SECOND, dbos, measured.get(2), Goal.atLeast(2.2)),
                Line.compare(
                        measure + ", up to 50 steps per commit",
                        Unit.PER_SECOND,
                        dbos,
                        measured.get(3),
                        Goal.atLeast(6)));
    }

    /** Steps only: our processes are started before the clock, which those of DBOS cannot be. */
    private static List<Line> stepsAlone(Lab lab, int asked) throws Exception {
        int processes = Math.min(MOST, asked);
        String measure =
                "Waybill, steps/s of processes started before, " + Jobs.THREADS + " handlers, one commit per step";
        List<Measured<Rate>> measured = lab.rounds()
                .of(
                        measure,
                        new Variant<>("INSERT + state UPDATE, as many threads", () -> ProcessRuns.bare(lab, processes)),
                        new Variant<>("DBOS Transact", () -> ProcessRuns.dbos(lab, Math.min(processes, MOST_OF_DBOS))),
                        new Variant<>("Waybill", () -> ProcessRuns.waybill(lab, processes, 1)),
                        new Variant<>(
                                "Waybill, 50 per commit",
                                () -> ProcessRuns.waybill(lab, Math.min(MOST_SHARED, asked), 50)));
        Measured<Rate> floor = measured.get(0);
        Measured<Rate> dbos = measured.get(1);
        Measured<Rate> ours = measured.get(2);
        Measured<Rate> shared = measured.get(3);
        ProcessRuns.Effort effort = ProcessRuns.effort(lab, Math.min(processes, MOST_OF_DBOS));
        return List.of(
                Line.compare(measure, Unit.PER_SECOND, floor, ours, Rate::steps, Goal.atLeast(0.6)),
                Line.compare(measure, Unit.PER_SECOND, dbos, ours, Rate::steps, Goal.atLeast(2)),
                Line.compare(TRANSACTIONS, Unit.RATIO, dbos, ours, Rate::commits, Goal.NONE),
                Line.figure(
                        "the same, times a step waits for the database, the relay's reading included",
                        Unit.RATIO,
                        effort.waits(),
                        Goal.NONE),
                Line.figure(
                        "the same, statements per step without BEGIN and COMMIT, the relay's included",
                        Unit.RATIO,
                        effort.statements(),
                        Goal.NONE),
                Line.compare(SHARED, Unit.PER_SECOND, floor, shared, Rate::steps, Goal.NONE),
                Line.compare(SHARED, Unit.PER_SECOND, dbos, shared, Rate::steps, Goal.atLeast(10)),
                Line.figure(TRANSACTIONS, Unit.RATIO, shared.by(Rate::commits), Goal.NONE));
    }
}

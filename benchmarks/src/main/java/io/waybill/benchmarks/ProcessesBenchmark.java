package io.waybill.benchmarks;

import io.waybill.benchmarks.ProcessRuns.Rate;
import java.util.List;

/** How many steps of processes are done per second, and how many commits each takes. */
final class ProcessesBenchmark implements Benchmark {

    private static final int MOST = 4_000;

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
        int processes = Math.max(1, Math.min(MOST, lab.settings().messages() / ProcessRuns.STEPS));
        String measure = "Waybill, " + Jobs.THREADS + " handlers, one commit per step";
        List<Measured<Rate>> measured = lab.rounds()
                .of(
                        measure,
                        new Variant<>("INSERT + state UPDATE, as many threads", () -> ProcessRuns.bare(lab, processes)),
                        new Variant<>("Waybill", () -> ProcessRuns.waybill(lab, processes, 1)),
                        new Variant<>("Waybill, 50 per commit", () -> ProcessRuns.waybill(lab, processes, 50)));
        Measured<Rate> floor = measured.get(0);
        return List.of(
                Line.compare(measure, Unit.PER_SECOND, floor, measured.get(1), Rate::steps, Target.atLeast(0.6)),
                Line.figure(
                        "the same, transactions per step in pg_stat_database, reading included",
                        Unit.RATIO,
                        measured.get(1).by(Rate::commits),
                        Target.NONE),
                Line.compare(
                        "Waybill, up to 50 steps per commit",
                        Unit.PER_SECOND,
                        floor,
                        measured.get(2),
                        Rate::steps,
                        Target.NONE),
                Line.figure(
                        "the same, transactions per step in pg_stat_database, reading included",
                        Unit.RATIO,
                        measured.get(2).by(Rate::commits),
                        Target.NONE));
    }
}

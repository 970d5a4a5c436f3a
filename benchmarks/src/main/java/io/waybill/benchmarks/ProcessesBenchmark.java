package io.waybill.benchmarks;

import io.waybill.benchmarks.ProcessRuns.Rate;
import java.util.List;

/** How many steps of processes are done per second, and how many commits each takes. */
final class ProcessesBenchmark implements Benchmark {

    private static final int MOST = 4_000;
    private static final int MOST_OF_DBOS = 1_000;

    /** As long as the others take: in less, the code is not compiled before it is measured. */
    private static final int MOST_SHARED = 8_000;

    private static final String TRANSACTIONS = "the same, transactions per step in pg_stat_database, reading included";
    private static final String SHARED = "Waybill, up to 50 steps per commit";

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
        int processes = Math.min(MOST, asked);
        String measure = "Waybill, " + Jobs.THREADS + " handlers, one commit per step";
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
                Line.compare(measure, Unit.PER_SECOND, floor, ours, Rate::steps, Target.atLeast(0.6)),
                Line.compare(measure, Unit.PER_SECOND, dbos, ours, Rate::steps, Target.atLeast(2)),
                Line.compare(TRANSACTIONS, Unit.RATIO, dbos, ours, Rate::commits, Target.NONE),
                Line.figure(
                        "the same, times a step waits for the database, the relay's reading included",
                        Unit.RATIO,
                        effort.waits(),
                        Target.NONE),
                Line.figure(
                        "the same, statements per step without BEGIN and COMMIT, the relay's included",
                        Unit.RATIO,
                        effort.statements(),
                        Target.NONE),
                Line.compare(SHARED, Unit.PER_SECOND, floor, shared, Rate::steps, Target.NONE),
                Line.compare(SHARED, Unit.PER_SECOND, dbos, shared, Rate::steps, Target.atLeast(10)),
                Line.figure(TRANSACTIONS, Unit.RATIO, shared.by(Rate::commits), Target.NONE));
    }
}

package io.waybill.benchmarks.job;

import io.waybill.benchmarks.harness.Benchmark;
import io.waybill.benchmarks.harness.Goal;
import io.waybill.benchmarks.harness.Lab;
import io.waybill.benchmarks.harness.Line;
import io.waybill.benchmarks.harness.Measured;
import io.waybill.benchmarks.harness.Unit;
import io.waybill.benchmarks.harness.Variant;
import io.waybill.benchmarks.job.ProcessRuns.Rate;
import java.util.List;

/** Whether a step costs more when many processes are finished. */
public final class FinishedBenchmark implements Benchmark {

    private static final int MOST = 4_000;
    private static final int FINISHED = 1_000_000;

    @Override
    public String name() {
        return "finished";
    }

    @Override
    public String question() {
        return "do steps get slower with a million finished processes in the tables?";
    }

    @Override
    public List<Line> measure(Lab lab) throws Exception {
        int processes = Math.max(1, Math.min(MOST, lab.settings().messages() / ProcessRuns.STEPS));
        String measure = "Waybill, 1,000,000 finished processes beside";
        List<Measured<Rate>> measured = lab.rounds()
                .of(
                        measure,
                        new Variant<>("none finished", () -> ProcessRuns.waybill(lab, processes, 1)),
                        new Variant<>("Waybill", () -> ProcessRuns.waybill(lab, processes, 1, FINISHED)));
        return List.of(Line.compare(
                measure, Unit.PER_SECOND, measured.get(0), measured.get(1), Rate::steps, Goal.atLeast(0.9)));
    }
}

package io.waybill.process.engine;

import io.waybill.command.CommandReply.Retry;
import io.waybill.process.graph.Step;
import io.waybill.process.state.ProcessEvent.CompensationStarted;
import io.waybill.process.state.ProcessState;
import io.waybill.process.state.ProcessStatus;
import io.waybill.process.state.StepEvent.StepCompleted;
import io.waybill.process.state.StepEvent.StepFailed;
import io.waybill.process.state.StepEvent.StepRetried;
import io.waybill.process.state.StepExecution;
import io.waybill.process.state.StepKind;
import io.waybill.process.state.StepStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Notes that time has passed: what is due is tried again, given up or over. What has happened meanwhile is not due any more. */
final class Timers {

    private final DecisionContext run;
    private final ProcessState state;

    Timers(DecisionContext run) {
        this.run = run;
        this.state = run.state;
    }

    void note() {
        if (state.status() == ProcessStatus.PAUSED) {
            return;
        }
        @Nullable Instant deadline = state.deadline();
        if (deadline != null && !deadline.isAfter(run.now)) {
            tooLong();
            return;
        }
        due().forEach(this::due);
    }

    private List<StepExecution> due() {
        return state.executions().stream()
                .filter(step -> step.status().isOpen())
                .filter(step -> step.dueAt() != null && !step.dueAt().isAfter(run.now))
                .toList();
    }

    /** What has to happen to this step now. */
    void due(StepExecution step) {
        switch (step.status()) {
            case WAITING -> retry(step);
            case COMPENSATION_WAITING -> new Compensator(run).retry(step);
            case COMPENSATING -> new Replies(run).noReplyToCompensation(step, timeout(step));
            case RUNNING -> over(step);
            default -> throw new IllegalStateException(step + " is not open");
        }
    }

    private void retry(StepExecution step) {
        @Nullable Duration timeout = run.definition.at(step.step()).step.timeout();
        run.emit(new StepRetried(step.number(), step.step(), step.attempt() + 1, run.after(timeout)));
        new StepStarter(run).resend(state.execution(step.number()));
    }

    private void over(StepExecution step) {
        if (step.kind() == StepKind.DELAY) {
            run.emit(new StepCompleted(step.number(), step.step(), Map.of()));
        } else if (step.kind() == StepKind.SIGNAL) {
            var await = (Step.Await) run.definition.at(step.step()).step.action();
            if (await.branches()) {
                Map<String, Object> reply = Map.of(Step.Await.timedOut(step.step()), true);
                run.emit(new StepCompleted(step.number(), step.step(), reply));
            } else {
                String error = "timeout: nobody sent the signal '" + await.signal() + "' in time";
                run.emit(new StepFailed(step.number(), step.step(), 1, error, null, false));
            }
        } else {
            new Replies(run).noReply(step, timeout(step), Retry.BY_RULE);
        }
    }

    /** The process's own limit is also that of each of its steps. */
    private void tooLong() {
        for (StepExecution step : List.copyOf(state.executions())) {
            if (step.status() == StepStatus.RUNNING && step.kind() == StepKind.COMMAND) {
                String error = "timeout: the process timed out before the step replied";
                new Replies(run).noReply(step, error, Retry.FORBIDDEN);
            }
        }
        run.emit(new CompensationStarted("timeout: the process took longer than "
                + run.definition.timeout().map(Duration::toString).orElse("it may")));
    }

    private static String timeout(StepExecution step) {
        return "timeout: no reply to attempt " + step.attempt() + " since " + step.since();
    }
}

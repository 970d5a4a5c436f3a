package io.waybill.testkit.process.simulation;

import io.waybill.process.state.CompensationEvent;
import io.waybill.process.state.LoggedEvent;
import io.waybill.process.state.ProcessEvent;
import io.waybill.process.state.StepEvent;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What may follow what in the log of a process. */
final class LogRules {

    private final Map<Integer, String> last = new HashMap<>();
    private final Set<String> steps = new HashSet<>();
    private boolean succeeded;

    private LogRules() {}

    static void check(List<LoggedEvent> log) {
        var rules = new LogRules();
        for (int i = 0; i < log.size(); i++) {
            Promises.check(log.get(i).number() == i + 1, "Event " + (i + 1) + " is missing in the log.");
            Promises.check(
                    i == 0 || log.get(i).at().isAfter(log.get(i - 1).at()),
                    "Event " + (i + 1) + " of the log is not later than the one before it.");
            rules.next(log.get(i).event());
        }
    }

    private void next(ProcessEvent event) {
        if (event instanceof StepEvent step) {
            step(step);
        } else if (event instanceof CompensationEvent compensation) {
            Promises.check(
                    last.containsKey(compensation.number()),
                    "Execution " + compensation.number() + " is compensated, but never began.");
            last.put(compensation.number(), "compensation");
        } else if (event instanceof ProcessEvent.ProcessCompleted) {
            Promises.check(!succeeded, "It succeeded twice.");
            succeeded = true;
        }
    }

    private void step(StepEvent event) {
        String before = last.getOrDefault(event.number(), "");
        if (event instanceof StepEvent.StepStarted started) {
            Promises.check(before.isEmpty(), "Execution " + started.number() + " began twice.");
            boolean repeatable = started.kind().name().equals("BRANCH") || started.position() > 0;
            Promises.check(repeatable || steps.add(started.step()), "The step " + started.step() + " was begun twice.");
            last.put(event.number(), "started");
        } else if (event instanceof StepEvent.StepCompleted) {
            Promises.check(
                    before.equals("started") || before.equals("failed"),
                    event.step() + " was completed after it was already " + before + ".");
            last.put(event.number(), "completed");
        } else if (event instanceof StepEvent.StepFailed) {
            Promises.check(before.equals("started"), event.step() + " failed after it was already " + before + ".");
            last.put(event.number(), "failed");
        } else if (event instanceof StepEvent.StepRetried) {
            Promises.check(before.equals("failed"), event.step() + " was tried again after it was " + before + ".");
            last.put(event.number(), "started");
        } else if (event instanceof StepEvent.StepRefusalSent) {
            Promises.check(
                    before.equals("failed") || before.equals("compensation"),
                    event.step() + " was refused after " + before + ".");
        } else if (event instanceof StepEvent.SignalReceived) {
            last.put(event.number(), "started");
        }
    }
}

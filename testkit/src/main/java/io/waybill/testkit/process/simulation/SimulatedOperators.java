package io.waybill.testkit.process.simulation;

import io.waybill.WaybillException;
import io.waybill.process.ProcessManager;
import io.waybill.process.message.ProcessRequest.Verb;
import io.waybill.process.state.ProcessParent;
import io.waybill.process.state.ProcessState;
import io.waybill.process.state.ProcessStatus;
import io.waybill.process.state.StepExecution;
import io.waybill.process.state.StepStatus;
import io.waybill.process.store.ProcessQuery;
import io.waybill.testkit.process.World;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;

/** Operators, who pause, cancel, retry, skip and signal at any moment: the process, or a sub-process. */
final class SimulatedOperators {

    private static final int MAX_ACTIONS = 3;
    private static final String WHY = "simulated";

    private final World world;
    private final SimulatedSignals signals;
    private final Set<String> retried = new HashSet<>();
    private int actions;

    SimulatedOperators(World world) {
        this.world = world;
        this.signals = new SimulatedSignals(world);
    }

    /** What must hold at any moment, whatever they did. */
    void check() {
        for (ProcessState state : states()) {
            signals.check(state);
            ProcessParent parent = state.parent();
            Promises.check(
                    parent == null
                            || world.isOnTheWay(state.processId())
                            || world.store
                                    .read(parent.processId())
                                    .filter(above -> above.status() == ProcessStatus.CANCELLED)
                                    .isEmpty(),
                    state.processType() + " goes on, although its parent was cancelled and nobody will tell it.");
        }
    }

    /** What they may do now. */
    List<Simulation.Possible> atAnyMoment() {
        var possible = new ArrayList<Simulation.Possible>();
        if (actions < MAX_ACTIONS) {
            states().forEach(state -> addActions(state, possible));
        }
        states().forEach(state -> possible.addAll(signals.atAnyMoment(state)));
        return possible;
    }

    private void addActions(ProcessState state, List<Simulation.Possible> possible) {
        UUID id = state.processId();
        if (state.status() != ProcessStatus.PAUSED && !state.status().isFinished()) {
            possible.add(action(state, "pauses", manager -> manager.pause(id, WHY)));
        }
        if (state.status() == ProcessStatus.RUNNING) {
            possible.add(action(state, "cancels", manager -> manager.cancel(id, WHY)));
        }
        possible.add(
                action(state, "cancels without compensation", manager -> manager.cancelWithoutCompensation(id, WHY)));
        for (StepExecution step : state.executions()) {
            String label = step.label();
            if (Verb.RETRY.fits(step)) {
                possible.add(action(state, "retries " + label + " of", manager -> manager.retry(id, label, WHY)));
            }
            if (Verb.SKIP.fits(step)) {
                possible.add(action(state, "skips " + label + " of", manager -> manager.skip(id, label, WHY)));
            }
        }
    }

    /** What they have to do when nothing else goes on: what they hold is resumed, what is blocked is retried, and skipped the second time; a signal is sent. */
    List<Simulation.Possible> whenNothingGoesOn() {
        var possible = new ArrayList<Simulation.Possible>();
        for (ProcessState state : states()) {
            UUID id = state.processId();
            Promises.checkBlocked(state);
            if (state.status() == ProcessStatus.PAUSED) {
                possible.add(action(state, "resumes", manager -> manager.resume(id, WHY)));
                continue;
            }
            possible.addAll(signals.awaited(state));
            for (StepExecution step : state.executions()) {
                if (step.status() == StepStatus.COMPENSATION_BLOCKED) {
                    String label = step.label();
                    possible.add(
                            retried.add(id + label)
                                    ? action(
                                            state, "retries " + label + " of", manager -> manager.retry(id, label, WHY))
                                    : action(state, "skips " + label + " of", manager -> manager.skip(id, label, WHY)));
                }
            }
        }
        return possible;
    }

    private List<ProcessState> states() {
        return world.store.search(ProcessQuery.ANY).stream()
                .map(instance -> world.store.read(instance.processId()).orElseThrow())
                .filter(state -> !state.status().isFinished() || state.isBlocked())
                .toList();
    }

    private Simulation.Possible action(ProcessState state, String what, Consumer<ProcessManager> action) {
        return new Simulation.Possible("an operator " + what + " " + state.processType(), () -> {
            actions++;
            try {
                action.accept(world.manager);
            } catch (WaybillException e) {
                // It is refused, and the operator reads why.
            }
        });
    }
}

package io.waybill.testkit.process.simulation;

import io.waybill.command.IdempotencyKey;
import io.waybill.process.graph.ProcessGraph;
import io.waybill.process.graph.Step;
import io.waybill.process.state.ProcessState;
import io.waybill.process.state.ProcessStatus;
import io.waybill.process.state.StepExecution;
import io.waybill.process.state.StepKind;
import io.waybill.process.state.StepStatus;
import io.waybill.testkit.process.World;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

/** Signals that come too early, too late, or twice, with an idempotency key and without one. Each brings its number. */
final class SimulatedSignals {

    private static final int MAX_SIGNALS = 4;
    private static final String NUMBER = "simulatedSignal";

    private final World world;
    private final Map<String, Integer> numbers = new HashMap<>();
    private int sent;

    SimulatedSignals(World world) {
        this.world = world;
    }

    /** What may come now, whether or not a step waits for it. */
    List<Simulation.Possible> atAnyMoment(ProcessState state) {
        var possible = new ArrayList<Simulation.Possible>();
        if (sent < MAX_SIGNALS && !state.status().isFinished()) {
            for (String signal : signals(state.processType())) {
                possible.add(signal(state, signal, ""));
                possible.add(signal(state, signal, "key"));
            }
        }
        return possible;
    }

    /** What a process waits for when nothing else goes on. */
    List<Simulation.Possible> awaited(ProcessState state) {
        return state.executions().stream()
                .filter(SimulatedSignals::isAwaited)
                .map(step -> signal(state, signalOf(state, step), ""))
                .toList();
    }

    private Simulation.Possible signal(ProcessState state, String signal, String key) {
        UUID id = state.processId();
        String with = key.isEmpty() ? "" : " with the key '" + key + "'";
        return new Simulation.Possible("somebody signals " + signal + with + " to " + state.processType(), () -> {
            sent++;
            if (key.isEmpty()) {
                world.manager.signal(id, signal, Map.of(NUMBER, sent));
            } else {
                int number = numbers.computeIfAbsent(id + signal, first -> sent);
                world.manager.signal(id, signal, new IdempotencyKey(key), Map.of(NUMBER, number));
            }
        });
    }

    /** A signal satisfies one step, and a step does not wait for one that has come. */
    void check(ProcessState state) {
        Set<Object> seen = new HashSet<>();
        for (StepExecution step : state.executions()) {
            Object number = step.kind() == StepKind.SIGNAL ? step.reply().get(NUMBER) : null;
            Promises.check(
                    number == null || seen.add(number),
                    step.step() + " went on by a signal that another step had gone on by.");
            Promises.check(
                    state.status() != ProcessStatus.RUNNING
                            || !isAwaited(step)
                            || !isStored(state, signalOf(state, step)),
                    step.step() + " waits for a signal that has come.");
        }
    }

    private static boolean isAwaited(StepExecution step) {
        return step.kind() == StepKind.SIGNAL && step.status() == StepStatus.RUNNING;
    }

    private static boolean isStored(ProcessState state, String signal) {
        return state.executions().stream()
                .anyMatch(step -> step.kind() == StepKind.STORED_SIGNAL
                        && step.status() == StepStatus.RUNNING
                        && step.step().equals(signal));
    }

    private String signalOf(ProcessState state, StepExecution step) {
        return ((Step.Await) graph(state.processType()).at(step.step()).step.action()).signal();
    }

    private Set<String> signals(String processType) {
        var signals = new TreeSet<String>();
        ProcessGraph graph = graph(processType);
        for (String step : graph.getSteps()) {
            if (graph.at(step).step.action() instanceof Step.Await await) {
                signals.add(await.signal());
            }
        }
        return signals;
    }

    private ProcessGraph graph(String processType) {
        return world.definitions.latest(processType).graph();
    }
}

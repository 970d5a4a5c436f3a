package io.waybill.testkit.process.simulation;

import io.waybill.process.definition.ProcessDefinitions;
import io.waybill.process.graph.ProcessGraph;
import io.waybill.process.state.LoggedEvent;
import io.waybill.process.state.ProcessState;
import io.waybill.process.state.ProcessStatus;
import io.waybill.process.state.StepExecution;
import io.waybill.process.state.StepKind;
import io.waybill.process.state.StepStatus;
import io.waybill.process.store.ProcessStore;
import io.waybill.testkit.process.Effect;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** What must hold when nothing is on the way any more, whatever happened before: in memory, or on a database. */
public final class Promises {

    private final ProcessStore store;
    private final ProcessDefinitions definitions;
    private final List<Effect> effects;

    /** @param effects what handlers have done to the application's data, in the order in which they did it */
    public Promises(ProcessStore store, ProcessDefinitions definitions, List<Effect> effects) {
        this.store = store;
        this.definitions = definitions;
        this.effects = effects;
    }

    /**
     * The process has ended, its log leads to its state, and what was done is compensated completely and in order or not at all.
     *
     * @throws RuntimeException that says what does not hold
     */
    public void check(UUID processId) {
        ProcessState state = store.read(processId).orElseThrow();
        check(
                state.status().isFinished() && !state.isBlocked(),
                "It is not finished, although nothing is on the way: it is " + state.status() + " at "
                        + state.header().currentStep() + ".");
        checkReplay(state);
        LogRules.check(store.history(processId));
        checkChildren(state);
        effects.stream()
                .filter(effect -> effect.afterTheEnd() && effect.processId().equals(processId))
                .forEach(effect -> check(
                        false,
                        (effect.compensation() ? "The compensation of " : "") + effect.step()
                                + " took effect after its process had ended."));
        checkEffects(state);
        if (state.status() != ProcessStatus.SUCCEEDED) {
            checkOrder(state);
        }
    }

    private void checkReplay(ProcessState state) {
        ProcessState replayed = ProcessState.replayed(state.processId(), store.history(state.processId()));
        check(
                replayed.header().equals(state.header())
                        && List.copyOf(replayed.executions()).equals(List.copyOf(state.executions())),
                "Its log leads to another state than the one that is stored.");
    }

    /** A sub-process has ended, and replied with nothing but what its own steps have replied. */
    private void checkChildren(ProcessState state) {
        for (StepExecution step : state.executions()) {
            if (step.kind() == StepKind.CHILD && step.commandId() != null) {
                store.read(step.commandId())
                        .ifPresent(child -> step.reply()
                                .keySet()
                                .forEach(name -> check(
                                        child.executions().stream()
                                                .anyMatch(own -> own.reply().containsKey(name)),
                                        "The sub-process " + step.step() + " replied with '" + name
                                                + "', which none of its steps has replied.")));
            }
        }
    }

    /** Nothing goes on: then an element whose compensation is blocked must not have kept another element waiting. */
    static void checkBlocked(ProcessState state) {
        List<StepExecution> elements =
                commands(state).stream().filter(step -> step.position() > 0).toList();
        for (StepExecution blocked : elements) {
            check(
                    blocked.status() != StepStatus.COMPENSATION_BLOCKED
                            || elements.stream()
                                    .noneMatch(other -> other.step().equals(blocked.step())
                                            && other.status() == StepStatus.COMPLETED),
                    label(blocked) + " is blocked, and keeps other elements from being compensated.");
        }
    }

    private void checkEffects(ProcessState state) {
        ProcessGraph graph = definitions
                .find(state.processType(), state.version())
                .orElseThrow()
                .graph();
        for (StepExecution step : commands(state)) {
            String name = label(step);
            long done = effects(state, name, false);
            long compensated = effects(state, name, true);
            check(done <= 1, name + " took effect " + done + " times.");
            check(compensated <= 1, name + " was compensated " + compensated + " times.");
            check(compensated <= done, name + " was compensated, but never done.");
            boolean compensates = graph.requiresCompensation(step.step());
            if (state.status() == ProcessStatus.SUCCEEDED) {
                check(
                        done == 1 && compensated == 0,
                        "It succeeded, but " + name + " was done " + done + " and compensated " + compensated
                                + " times.");
            } else if (compensates
                    && state.status() != ProcessStatus.CANCELLED
                    && step.status() != StepStatus.COMPENSATION_SKIPPED) {
                check(done == compensated, name + " was done and not compensated.");
            }
        }
    }

    /** Of two steps that followed each other, the later one is compensated before the earlier one. */
    private void checkOrder(ProcessState state) {
        List<StepExecution> commands = commands(state);
        for (StepExecution earlier : commands) {
            for (StepExecution later : commands) {
                int first = undoneAt(state, earlier);
                int second = undoneAt(state, later);
                if (first >= 0 && second >= 0 && follows(state, earlier, later)) {
                    check(
                            second < first,
                            label(earlier) + " was compensated before " + label(later) + ", which had come after it.");
                }
            }
        }
    }

    private static boolean follows(ProcessState state, StepExecution earlier, StepExecution later) {
        List<StepExecution> one = path(state, earlier);
        List<StepExecution> other = path(state, later);
        int at = 0;
        while (at < one.size()
                && at < other.size()
                && one.get(at).number() == other.get(at).number()) {
            at++;
        }
        if (at == one.size() || at == other.size() || one.get(at).kind() == StepKind.BRANCH) {
            return false;
        }
        return one.get(at).number() < other.get(at).number();
    }

    private static List<StepExecution> path(ProcessState state, StepExecution step) {
        var path = new ArrayList<StepExecution>();
        for (StepExecution at = step; ; at = state.execution(at.parent())) {
            path.add(0, at);
            if (at.parent() == 0) {
                return path;
            }
        }
    }

    private int undoneAt(ProcessState state, StepExecution step) {
        for (int i = 0; i < effects.size(); i++) {
            if (effects.get(i).compensation() && isOf(effects.get(i), state, label(step))) {
                return i;
            }
        }
        return -1;
    }

    private long effects(ProcessState state, String label, boolean compensation) {
        return effects.stream()
                .filter(effect -> effect.compensation() == compensation && isOf(effect, state, label))
                .count();
    }

    private static boolean isOf(Effect effect, ProcessState state, String label) {
        return effect.processId().equals(state.processId()) && effect.step().equals(label);
    }

    private static List<StepExecution> commands(ProcessState state) {
        return state.executions().stream()
                .filter(step -> step.kind() == StepKind.COMMAND)
                .toList();
    }

    private static String label(StepExecution step) {
        return step.position() > 0 ? step.step() + "#" + (step.position() - 1) : step.step();
    }

    static void check(boolean holds, String otherwise) {
        if (!holds) {
            throw new Violation(otherwise);
        }
    }

    /** A log as people read it. */
    static List<String> readable(List<LoggedEvent> log) {
        return log.stream().map(entry -> entry.number() + "  " + entry.event()).toList();
    }
}

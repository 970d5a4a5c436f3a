package io.waybill.testkit.process.simulation;

import io.waybill.process.definition.ProcessConfiguration;
import io.waybill.process.definition.ProcessDefinitions;
import io.waybill.process.engine.ProcessEngine;
import io.waybill.process.message.ProcessMessage;
import io.waybill.process.store.ProcessQuery;
import io.waybill.testkit.process.Handlers;
import io.waybill.testkit.process.World;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Runs a process, with its own definition and handlers, through everything that can happen to it: every path, steps that fail or
 * take too long, messages that come twice or in another order, a process that dies before it commits, handlers here or on two other databases,
 * and operators who pause, cancel, retry, skip and signal. After each run it has ended,
 * what was done is compensated completely and in order or not at all, nothing took effect twice or after its end, and the log leads to the state.
 *
 * <pre>{@code
 * @Test void survives_everything() { ProcessSimulator.of(new SimplePaymentProcess(), handlers).checkAllPaths(); }
 * }</pre>
 *
 * <p>Without {@link #startingWith} conditions go both ways whatever the data, and commands are not built from real data.
 */
public final class ProcessSimulator {

    private static final int MAX_DISTURBANCES = 2;

    private final ProcessConfiguration process;
    private final Handlers handlers;
    private final List<ProcessConfiguration> others = new ArrayList<>();
    private @Nullable Map<String, Object> data;
    private UnaryOperator<ProcessEngine> engine = UnaryOperator.identity();
    private Predicate<ProcessMessage> losing = message -> false;
    private boolean believing;
    private int runs = 2_000;
    private int randomRuns = 200;
    private long seed = 1;

    private ProcessSimulator(ProcessConfiguration process, Handlers handlers) {
        this.process = process;
        this.handlers = handlers;
    }

    public static ProcessSimulator of(ProcessConfiguration process, Handlers handlers) {
        return new ProcessSimulator(process, handlers);
    }

    /** A definition that the process starts as a step. */
    public ProcessSimulator with(ProcessConfiguration subProcess) {
        others.add(subProcess);
        return this;
    }

    /** Real data: conditions and commands are as they would be. */
    public ProcessSimulator startingWith(Map<String, Object> startData) {
        data = startData;
        return this;
    }

    /** The most runs that vary one or two things, and how many do anything at random; 2,000 and 200. */
    public ProcessSimulator runs(int systematic, int random) {
        runs = systematic;
        randomRuns = random;
        return this;
    }

    /** Where the random runs begin. */
    public ProcessSimulator seed(long first) {
        seed = first;
        return this;
    }

    /** For the tests of the simulator itself. */
    ProcessSimulator withEngine(UnaryOperator<ProcessEngine> other) {
        engine = other;
        return this;
    }

    /** The same: messages that get lost. */
    ProcessSimulator losing(Predicate<ProcessMessage> messages) {
        losing = messages;
        return this;
    }

    /** The same: {@code stuck()} believes that whatever a step waits for is on the way. */
    ProcessSimulator believing() {
        believing = true;
        return this;
    }

    /**
     * Runs it through everything.
     *
     * @return how many runs there were
     * @throws AssertionError with a readable trace, and the line that repeats the run, when a promise was not kept
     */
    public int checkAllPaths() {
        ProcessDefinitions definitions = definitions();
        int done = 0;
        var open = new PriorityQueue<Variation>(
                Comparator.comparingInt(Variation::disturbances).thenComparing(Variation::number));
        open.add(new Variation(List.of(), 0, 0));
        int number = 0;
        while (!open.isEmpty() && done < runs) {
            Picks picks = Picks.of(open.remove().picks());
            run(definitions, picks);
            done++;
            if (picks.disturbances() < MAX_DISTURBANCES && open.size() < 10 * runs) {
                for (List<Integer> variation : picks.variations()) {
                    open.add(new Variation(variation, picks.disturbances() + 1, ++number));
                }
            }
        }
        for (int i = 0; i < randomRuns; i++) {
            run(definitions, Picks.random(seed + i));
            done++;
        }
        return done;
    }

    /** Repeats one run, as a failure printed it. */
    public void replay(String picks) {
        run(definitions(), Picks.parse(picks));
    }

    private record Variation(List<Integer> picks, int disturbances, int number) {}

    private ProcessDefinitions definitions() {
        var all = new ArrayList<>(others);
        all.add(process);
        return ProcessDefinitions.of(all);
    }

    private void run(ProcessDefinitions definitions, Picks picks) {
        ProcessEngine used = data == null
                ? ProcessEngine.simulated(handlers.codec(), (choice, known) -> picks.path())
                : ProcessEngine.of(handlers.codec());
        boolean local = picks.path();
        var world = new World(definitions, handlers, engine.apply(used), type -> !local);
        world.losing = losing;
        if (believing) {
            world.store.watch(id -> true);
        }
        UUID id = world.manager.startProcess(process.getProcessType(), "simulated", data == null ? Map.of() : data);
        int steps =
                definitions.latest(process.getProcessType()).graph().getSteps().size();
        var simulation = new Simulation(world, picks, 200 + 60 * steps);
        try {
            simulation.run();
            for (var instance : world.store.search(ProcessQuery.ANY)) {
                new Promises(world.store, definitions, world.effects).check(instance.processId());
            }
        } catch (RuntimeException e) {
            throw new AssertionError(report(picks, simulation, world, id, e), e);
        }
    }

    private String report(Picks picks, Simulation simulation, World world, UUID id, RuntimeException why) {
        String problem = why instanceof Violation ? String.valueOf(why.getMessage()) : why.toString();
        return problem + "\n\nWhat happened to " + process.getProcessType() + ":\n  "
                + String.join("\n  ", simulation.trace()) + "\n\nIts log:\n  "
                + String.join("\n  ", Promises.readable(world.store.history(id)))
                + "\n\nOnce more: ProcessSimulator.of(...).replay(\"" + picks + "\")\n";
    }
}

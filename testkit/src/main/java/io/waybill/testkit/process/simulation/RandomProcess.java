package io.waybill.testkit.process.simulation;

import io.waybill.command.DomainCommand;
import io.waybill.process.definition.ProcessConfiguration;
import io.waybill.process.definition.ProcessFlow;
import io.waybill.process.graph.ProcessData;
import io.waybill.process.graph.ProcessGraph;
import java.time.Duration;
import java.util.Random;
import java.util.function.Function;

/** A process that nobody has thought of: the same for the same seed. */
public final class RandomProcess implements ProcessConfiguration {

    /** What every step does: it says which, and for what. */
    public record WorkCommand(String about, String step) implements DomainCommand {}

    /** What compensates it. */
    public record UndoWorkCommand(String about, String step) implements DomainCommand {}

    /** What the data call what it is about. */
    public static final String ABOUT = "about";

    private static final int DEEPEST = 2;

    private final long seed;
    private Random random;
    private int steps;

    private RandomProcess(long seed) {
        this.seed = seed;
        this.random = new Random(seed);
    }

    public static RandomProcess of(long seed) {
        return new RandomProcess(seed);
    }

    @Override
    public String getProcessType() {
        return "Random" + seed;
    }

    @Override
    public boolean isRetryable(String step, String error) {
        return error.contains("timeout");
    }

    @Override
    public int getMaxRetries(String step) {
        return 2;
    }

    @Override
    public ProcessGraph defineProcess() {
        random = new Random(seed);
        steps = 0;
        return sequence(settings(process().startWith(WorkCommand.class, work())), 0)
                .end();
    }

    private ProcessFlow sequence(ProcessFlow begun, int depth) {
        ProcessFlow flow = begun;
        int length = 1 + random.nextInt(3);
        for (int i = 0; i < length; i++) {
            int kind = depth >= DEEPEST ? 0 : random.nextInt(4);
            flow = switch (kind) {
                case 1 -> choice(flow, depth);
                case 2 -> fork(flow, depth);
                default -> settings(flow.then(WorkCommand.class, work()));
            };
        }
        return flow;
    }

    private ProcessFlow choice(ProcessFlow flow, int depth) {
        String flag = "flag" + steps;
        ProcessFlow branch = settings(flow.thenIf(data -> data.flag(flag)).whenTrue(WorkCommand.class, work()));
        branch = sequence(branch, depth + 1);
        if (random.nextBoolean()) {
            branch = sequence(settings(branch.whenFalse(WorkCommand.class, work())), depth + 1);
        }
        return branch.endIf();
    }

    private ProcessFlow fork(ProcessFlow flow, int depth) {
        ProcessFlow branches = sequence(settings(flow.thenParallel().branch(WorkCommand.class, work())), depth + 1);
        int more = 1 + random.nextInt(2);
        for (int i = 0; i < more; i++) {
            branches = sequence(settings(branches.branch(WorkCommand.class, work())), depth + 1);
        }
        return settings(branches.joinAt(WorkCommand.class, work()));
    }

    /** The command of the next step. */
    private Function<ProcessData, WorkCommand> work() {
        String step = "Step" + (steps + 1);
        return data -> new WorkCommand(about(data), step);
    }

    private static String about(ProcessData data) {
        return String.valueOf(data.getOrDefault(ABOUT, ""));
    }

    private ProcessFlow settings(ProcessFlow flow) {
        String name = "Step" + ++steps;
        ProcessFlow step = flow.named(name);
        if (random.nextInt(10) < 7) {
            step = step.withCompensation(
                    UndoWorkCommand.class, undo -> undo.from(data -> new UndoWorkCommand(about(data), name)));
        }
        return random.nextInt(10) < 4 ? step.withTimeout(Duration.ofSeconds(1 + random.nextInt(30))) : step;
    }
}

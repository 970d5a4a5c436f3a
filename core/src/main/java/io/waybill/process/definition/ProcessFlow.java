package io.waybill.process.definition;

import io.waybill.WaybillException;
import io.waybill.command.CommandTypes;
import io.waybill.command.DomainCommand;
import io.waybill.process.graph.ProcessData;
import io.waybill.process.graph.ProcessGraph;
import io.waybill.process.graph.RetryPolicy;
import io.waybill.process.graph.Step;
import io.waybill.process.graph.StepDraft;
import java.time.Duration;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * The definition of a process after its first step: adds steps, and options of the last step.
 *
 * <p>{@code .whenTrue(A).then(B)}: B belongs to the branch if a {@code whenFalse} follows, otherwise it follows both branches. A
 * step that both branches name is where they join. {@link #endIf()} ends a branch explicitly.
 */
public final class ProcessFlow {

    private final GraphOutline outline = new GraphOutline();

    ProcessFlow() {}

    /** The next step; its command is built from the process's data by the names of its components. */
    public ProcessFlow then(Class<? extends DomainCommand> command) {
        return add(CommandTypes.of(command), new Step.Send(CommandTypes.of(command), command, null));
    }

    /** The next step, with a command that is built here. */
    public <C extends DomainCommand> ProcessFlow then(Class<C> command, Function<ProcessData, C> builder) {
        return add(CommandTypes.of(command), new Step.Send(CommandTypes.of(command), command, builder));
    }

    /** Waits this long. */
    public ProcessFlow thenDelay(String name, Duration length) {
        return thenDelay(name, data -> length);
    }

    public ProcessFlow thenDelay(String name, Function<ProcessData, Duration> length) {
        return add(name, new Step.Delay(length));
    }

    /**
     * Waits for {@code ProcessManager.signal}, whose data are merged into the process's. A {@link #withTimeout} that runs out fails the
     * step, unless {@link #onTimeout} follows.
     */
    public ProcessFlow thenWaitFor(String signal) {
        return add(signal, new Step.Await(signal, false));
    }

    /** The branch for a signal that did not arrive in time, written and ended like that of {@code whenTrue}. */
    public ProcessFlow onTimeout(Class<? extends DomainCommand> command) {
        StepDraft step = outline.last();
        if (!(step.action() instanceof Step.Await await) || step.timeout() == null) {
            throw new WaybillException(
                    "onTimeout follows thenWaitFor(...).withTimeout(...), but here it follows " + outline.path() + ".");
        }
        step.become(new Step.Await(await.signal(), true));
        return choose(data -> data.flag(Step.Await.timedOut(step.name()))).then(command);
    }

    /** Runs another process as one step, which is also compensated as one. It gets all data of this one. */
    public ProcessFlow thenProcess(String type) {
        return thenProcess(type, data -> data);
    }

    public ProcessFlow thenProcess(String type, Function<ProcessData, Map<String, Object>> data) {
        return add(type, new Step.Child(type, data));
    }

    /**
     * Sends this command for every element of a list of the process's data, at most so many at once. An element is there as {@code
     * item} with its {@code itemIndex}; if it is a map, its members are there by their names. The replies are a list under the
     * step's name.
     */
    public ProcessFlow thenForEach(String list, int atMost, Class<? extends DomainCommand> command) {
        var send = new Step.Send(CommandTypes.of(command), command, null);
        return add(send.type(), new Step.ForEach(list, send, atMost(atMost)));
    }

    public <C extends DomainCommand> ProcessFlow thenForEach(
            String list, int atMost, Class<C> command, Function<ProcessData, C> builder) {
        var send = new Step.Send(CommandTypes.of(command), command, builder);
        return add(send.type(), new Step.ForEach(list, send, atMost(atMost)));
    }

    /** Branches by a condition on the data. */
    public ProcessChoice thenIf(Predicate<? super ProcessData> test) {
        return new ProcessChoice(this, test::test);
    }

    /** The first step of the branch for false. */
    public ProcessFlow whenFalse(Class<? extends DomainCommand> command) {
        outline.whenFalse();
        return then(command);
    }

    public <C extends DomainCommand> ProcessFlow whenFalse(Class<C> command, Function<ProcessData, C> builder) {
        outline.whenFalse();
        return then(command, builder);
    }

    /** Ends the innermost branching: what was written since its {@code whenTrue} or {@code whenFalse} belongs to that branch. */
    public ProcessFlow endIf() {
        outline.endIf();
        return this;
    }

    /** Starts parallel branches. */
    public ProcessFork thenParallel() {
        outline.openParallel();
        return new ProcessFork(this);
    }

    /** The first step of another branch; what follows belongs to it. */
    public ProcessFlow branch(Class<? extends DomainCommand> command) {
        outline.branch();
        return then(command);
    }

    public <C extends DomainCommand> ProcessFlow branch(Class<C> command, Function<ProcessData, C> builder) {
        outline.branch();
        return then(command, builder);
    }

    /** The step that runs once, when all branches are done. */
    public ProcessFlow joinAt(Class<? extends DomainCommand> command) {
        outline.closeParallel();
        return then(command);
    }

    public <C extends DomainCommand> ProcessFlow joinAt(Class<C> command, Function<ProcessData, C> builder) {
        outline.closeParallel();
        return then(command, builder);
    }

    /** Another name for the last step, so that a command may be sent more than once. */
    public ProcessFlow named(String name) {
        outline.last().rename(StepNames.checked(name));
        return this;
    }

    /** The compensation of the last step; its command is built from the step's data and reply, by the names of its components. */
    public <C extends DomainCommand> ProcessFlow withCompensation(Class<C> command) {
        return withCompensation(command, compensation -> compensation);
    }

    public <C extends DomainCommand> ProcessFlow withCompensation(
            Class<C> command, UnaryOperator<Compensation<C>> options) {
        StepDraft step = outline.last();
        if (!(step.action() instanceof Step.Send) && !(step.action() instanceof Step.ForEach)) {
            throw new WaybillException("The step " + step.name() + " sends no command, so that "
                    + command.getSimpleName()
                    + " would compensate nothing. Write withCompensation after a step that sends"
                    + " one; a sub-process compensates itself.");
        }
        step.compensation(options.apply(Compensation.byName()).of(CommandTypes.of(command), command));
        return this;
    }

    /** How long one attempt of the last step may take. After that the step is in doubt: it is retried or compensated. */
    public ProcessFlow withTimeout(Duration timeout) {
        if (timeout.isNegative() || timeout.isZero()) {
            throw new WaybillException("The timeout of the step "
                    + outline.last().name() + " is " + timeout + ", but it must be longer than nothing.");
        }
        outline.last().timeout(timeout);
        return this;
    }

    /** The retries of the last step, instead of the rules of the {@link ProcessConfiguration}. */
    public ProcessFlow withRetries(RetryPolicy policy) {
        outline.last().retries(policy);
        return this;
    }

    /** Completes and checks the definition; an error names the path to the problem. */
    public ProcessGraph end() {
        return ProcessGraph.of(outline.finished());
    }

    ProcessFlow choose(Predicate<ProcessData> test) {
        outline.openIf(test);
        return this;
    }

    private ProcessFlow add(String name, Step.Action action) {
        outline.add(new StepDraft(StepNames.checked(name), action));
        return this;
    }

    private static int atMost(int limit) {
        if (limit < 1) {
            throw new WaybillException("A for-each runs at most " + limit + " elements at once, which is none.");
        }
        return limit;
    }
}

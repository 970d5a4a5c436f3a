package io.waybill.process.definition;

import io.waybill.command.DomainCommand;
import io.waybill.process.graph.ProcessData;
import java.util.function.Function;
import java.util.function.Predicate;

/** A condition that has not yet said what happens when it is true. */
public final class ProcessChoice {

    private final ProcessFlow flow;
    private final Predicate<ProcessData> test;

    ProcessChoice(ProcessFlow flow, Predicate<ProcessData> test) {
        this.flow = flow;
        this.test = test;
    }

    /** The first step of the branch for true. */
    public ProcessFlow whenTrue(Class<? extends DomainCommand> command) {
        return flow.choose(test).then(command);
    }

    public <C extends DomainCommand> ProcessFlow whenTrue(Class<C> command, Function<ProcessData, C> builder) {
        return flow.choose(test).then(command, builder);
    }
}

package io.waybill.process.definition;

import io.waybill.command.DomainCommand;
import io.waybill.process.graph.ProcessData;
import java.util.function.Function;

/** Branches that run at once, of which none has been named yet. */
public final class ProcessFork {

    private final ProcessFlow flow;

    ProcessFork(ProcessFlow flow) {
        this.flow = flow;
    }

    /** The first step of the first branch. */
    public ProcessFlow branch(Class<? extends DomainCommand> command) {
        return flow.branch(command);
    }

    public <C extends DomainCommand> ProcessFlow branch(Class<C> command, Function<ProcessData, C> builder) {
        return flow.branch(command, builder);
    }
}

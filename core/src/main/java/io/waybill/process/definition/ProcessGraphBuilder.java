package io.waybill.process.definition;

import io.waybill.command.DomainCommand;
import io.waybill.process.graph.ProcessData;
import java.util.function.Function;

/** The beginning of a definition. */
public final class ProcessGraphBuilder {

    ProcessGraphBuilder() {}

    /** The first step; its command is built from the process's data by the names of its components. */
    public ProcessFlow startWith(Class<? extends DomainCommand> command) {
        return new ProcessFlow().then(command);
    }

    /** The first step, with a command that is built here. */
    public <C extends DomainCommand> ProcessFlow startWith(Class<C> command, Function<ProcessData, C> builder) {
        return new ProcessFlow().then(command, builder);
    }
}

package io.waybill.jdbc.process;

import io.waybill.command.DomainCommand;
import io.waybill.process.definition.ProcessConfiguration;
import io.waybill.process.graph.ProcessGraph;

/** The smallest process: one command. */
public record OneStep(String type, Class<? extends DomainCommand> command) implements ProcessConfiguration {

    @Override
    public String getProcessType() {
        return type;
    }

    @Override
    public ProcessGraph defineProcess() {
        return process().startWith(command).end();
    }
}

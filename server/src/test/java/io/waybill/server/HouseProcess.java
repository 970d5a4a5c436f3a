package io.waybill.server;

import io.waybill.command.DomainCommand;
import io.waybill.process.definition.ProcessConfiguration;
import io.waybill.process.graph.ProcessGraph;

/** Build, wait for the colour, paint; what was built cannot be pulled down. */
public final class HouseProcess implements ProcessConfiguration {

    /** Builds a house. */
    public record BuildCommand(String house) implements DomainCommand {}

    /** Pulls it down. */
    public record PullDownCommand(String house) implements DomainCommand {}

    /** Paints it. */
    public record PaintCommand(String house, String colour) implements DomainCommand {}

    @Override
    public String getProcessType() {
        return "House";
    }

    @Override
    public ProcessGraph defineProcess() {
        return process()
                .startWith(BuildCommand.class)
                .withCompensation(PullDownCommand.class, undo -> undo.maxRetries(0))
                .thenWaitFor("Colour")
                .then(PaintCommand.class)
                .end();
    }

    /** Who builds. */
    public static final class Builders {

        public void build(BuildCommand command) {}

        public void pullDown(PullDownCommand command) {
            if (!command.house().isEmpty()) {
                throw new IllegalStateException("no crane");
            }
        }

        public void paint(PaintCommand command) {
            if (command.colour().isEmpty()) {
                throw new IllegalStateException("no colour");
            }
        }
    }
}

package io.waybill.spring;

import io.waybill.command.CommandNaming;
import io.waybill.process.ProcessConfiguration;
import java.util.List;
import java.util.Set;

/** Whether somebody handles every command that a process sends. */
final class ProcessCheck {

    private ProcessCheck() {}

    static void check(
            List<ProcessConfiguration> processes,
            Set<String> handled,
            CommandNaming naming,
            Brokers brokers,
            Problems problems) {
        for (ProcessConfiguration process : processes) {
            for (String type : process.defineProcess().getCommandTypes()) {
                String queue = naming.queueOf(type);
                if (!handled.contains(type) && brokers.routeOf(queue).isEmpty()) {
                    problems.add(
                            "process " + process.getProcessType(),
                            type + "Command",
                            "nobody handles this command: no bean has a public method that takes it, and no waybill.routes"
                                    + " leads " + queue + " to a broker.");
                }
            }
        }
    }
}

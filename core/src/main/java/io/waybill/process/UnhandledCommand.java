package io.waybill.process;

import io.waybill.command.CommandNaming;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** A command that a process sends and nobody handles, neither in this process nor behind a broker. */
public record UnhandledCommand(String process, String type, String queue) {

    /**
     * Those of these processes.
     *
     * @param handled the types that have a handler here
     * @param isRouted whether a queue leads to a broker
     */
    public static List<UnhandledCommand> among(
            Collection<ProcessConfiguration> processes,
            Set<String> handled,
            CommandNaming naming,
            Predicate<String> isRouted) {
        return processes.stream()
                .flatMap(process -> process.defineProcess().getCommandTypes().stream()
                        .map(type -> new UnhandledCommand(process.getProcessType(), type, naming.queueOf(type))))
                .filter(command -> !handled.contains(command.type) && !isRouted.test(command.queue))
                .toList();
    }
}

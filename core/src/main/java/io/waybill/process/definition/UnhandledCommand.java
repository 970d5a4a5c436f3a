package io.waybill.process.definition;

import static java.util.stream.Collectors.joining;

import io.waybill.command.CommandNaming;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A command that a process sends, and for which nobody has said who handles it: not a handler in this process, nor a route to one elsewhere. */
public record UnhandledCommand(String process, String type, String queue) {

    private static final Logger log = LoggerFactory.getLogger(UnhandledCommand.class);

    /** Says that these go to the broker of all commands, where another application must take them. */
    public static void warn(List<UnhandledCommand> viaDefaultBroker) {
        if (!viaDefaultBroker.isEmpty()) {
            log.warn(
                    "WB-408 Commands without a handler in this application go to the broker of 'mq', where another"
                            + " application must handle them: {}. Write the handler, or name the queue in mq.required-queues or in"
                            + " a route.",
                    viaDefaultBroker.stream()
                            .map(command -> command.process + " sends " + command.type + "Command to " + command.queue)
                            .distinct()
                            .collect(joining(", ")));
        }
    }

    /**
     * Those of these processes.
     *
     * @param handled the types that have a handler here
     * @param isRouted whether somebody has said where a queue leads to
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

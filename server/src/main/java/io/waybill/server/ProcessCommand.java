package io.waybill.server;

import picocli.CommandLine.Command;

/** What an operator sees of processes. */
@Command(
        name = "process",
        description = "Processes and what they wait for.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {ProcessListCommand.class, ProcessShowCommand.class, ProcessExplainCommand.class})
final class ProcessCommand extends CommandGroup {}

package io.waybill.server;

import picocli.CommandLine.Command;

/** What an operator does with commands. */
@Command(
        name = "command",
        description = "Commands and their answers.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {CommandCleanupCommand.class})
final class CommandCommand extends CommandGroup {}

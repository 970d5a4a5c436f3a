package io.waybill.server;

import picocli.CommandLine.Command;

/** What an operator does with the inbox. */
@Command(
        name = "inbox",
        description = "What has been handled.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {InboxStatsCommand.class, InboxCleanupCommand.class})
final class InboxCommand extends CommandGroup {}

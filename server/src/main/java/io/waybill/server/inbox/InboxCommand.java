package io.waybill.server.inbox;

import io.waybill.server.cli.CommandGroup;
import picocli.CommandLine.Command;

/** What an operator does with the inbox. */
@Command(
        name = "inbox",
        description = "Inspect and clean up the deduplication inbox.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {InboxStatsCommand.class, InboxCleanupCommand.class})
public final class InboxCommand extends CommandGroup {}

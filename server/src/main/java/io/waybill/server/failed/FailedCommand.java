package io.waybill.server.failed;

import io.waybill.server.cli.CommandGroup;
import picocli.CommandLine.Command;

/** What an operator does with messages that could not be handled. */
@Command(
        name = "failed",
        description = "Inspect, retry, edit and discard failed messages.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            FailedGroupsCommand.class,
            FailedListCommand.class,
            FailedShowCommand.class,
            FailedRetryCommand.class,
            FailedEditCommand.class,
            FailedDiscardCommand.class,
            FailedExportCommand.class
        })
public final class FailedCommand extends CommandGroup {}

package io.waybill.server.outbox;

import io.waybill.server.cli.CommandGroup;
import io.waybill.server.outbox.scheduled.OutboxScheduledCommand;
import picocli.CommandLine.Command;

/** What an operator does with the outbox. */
@Command(
        name = "outbox",
        description =
                "Inspect, replay, edit, redirect, discard and clean up messages of an outbox; pause and resume destinations.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            OutboxStatsCommand.class,
            OutboxListCommand.class,
            OutboxShowCommand.class,
            OutboxTailCommand.class,
            OutboxReplayCommand.class,
            OutboxEditCommand.class,
            OutboxRedirectCommand.class,
            OutboxUnblockCommand.class,
            OutboxDiscardCommand.class,
            OutboxPauseCommand.class,
            OutboxResumeCommand.class,
            OutboxScheduledCommand.class,
            OutboxCleanupCommand.class
        })
public final class OutboxCommand extends CommandGroup {}

package io.waybill.server.outbox;

import io.waybill.server.cli.CommandGroup;
import picocli.CommandLine.Command;

/** What an operator does with the outbox. */
@Command(
        name = "outbox",
        description = "Inspect, replay, discard and clean up messages of an outbox.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            OutboxStatsCommand.class,
            OutboxListCommand.class,
            OutboxShowCommand.class,
            OutboxTailCommand.class,
            OutboxReplayCommand.class,
            OutboxDiscardCommand.class,
            OutboxCleanupCommand.class
        })
public final class OutboxCommand extends CommandGroup {}

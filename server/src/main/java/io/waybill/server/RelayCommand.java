package io.waybill.server;

import picocli.CommandLine.Command;

/** What sends the messages of an outbox. */
@Command(
        name = "relay",
        description = "Sends what waits in an outbox.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {RelayRunCommand.class, RelayNodesCommand.class})
final class RelayCommand extends CommandGroup {}
